"""Going from screen to screen: within a page, to another one, and back."""

from typing import Final

import streamlit as st

from app import state
from app.registry import Address, view_of

OPEN: Final = state.Param[str]("part", "", str)
STOP: Final = state.Param[str]("stop", "", str)  # of the stage, where a link begins
TOUR: Final = state.Param[bool]("tour", False, lambda raw: raw == "1")
LAST: Final = "last"  # whichever it is
ARRIVES: Final = "arrives"
ASKED_FOR: Final = "screen-asked-for"
HERE: Final = "screens-of"


def arrive_at(screen: str) -> None:
    """Let the page that is opened next begin with a screen of its own: "" for its first."""
    st.session_state[ARRIVES] = True
    OPEN.set(screen)


def go(address: Address) -> None:
    """Ask for a screen of any page, in a callback: the run that follows opens it."""
    if address.page == st.session_state.get(HERE):
        OPEN.set(address.screen)
    else:
        st.session_state[ASKED_FOR] = address


def follow(page: str) -> None:
    """Open the page that was asked for, before another one is drawn.

    It is asked for until it is reached: a visitor's next event may be quicker than the switch.
    """
    address = st.session_state.get(ASKED_FOR)
    if address is None:
        return
    if address.page != page:
        st.switch_page(view_of(address.page).path)
    del st.session_state[ASKED_FOR]
    st.session_state[ARRIVES] = address.screen


def leave(page: str) -> None:
    """Open another page at its first screen, unless its address or the way there names one."""
    before = st.session_state.get(HERE)
    st.session_state[HERE] = page
    named = st.session_state.pop(ARRIVES, False)
    if before == "tour" and page != before:
        STOP.set("")
    if isinstance(named, str):
        OPEN.set(named)
    elif before not in (None, page) and not named and not state.went_back():
        OPEN.set("")
        TOUR.set(False)
