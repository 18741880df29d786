"""One page as a row of screens, one of them open: what is not open is not drawn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from app import state
from app.components.steps import Move, steps
from app.registry import Address, neighbours, view_of

OPEN: Final = state.Param[str]("part", "", str)
ALL: Final = state.Param[bool]("all", False, lambda raw: raw == "1")
LAST: Final = "last"  # whichever it is


@dataclass(frozen=True)
class Screen:
    """One idea: its address on the page, its title, and what draws it."""

    slug: str
    title: str
    draw: Callable[[], None]
    # Whether the page's choices are drawn over it, or its own in their place.
    pick: bool | Callable[[], None] = True


def draw_row(page: str, screens: Sequence[Screen]) -> Sequence[Screen]:
    """Draw the row of steps and return the screens to draw: the open one, or all of them."""
    every = ALL.get()
    shown = screens if every else (_opened(screens),)
    before, after = neighbours(page)
    move = steps(
        page,
        [(screen.slug, screen.title) for screen in screens],
        None if every else shown[0].slug,
        key="steps",
        before=before,
        after=after,
        on_move=_move,
    )
    if move is not None and move.page is not None:
        st.switch_page(view_of(move.page).path)
    return shown


def _opened(screens: Sequence[Screen]) -> Screen:
    slug = OPEN.get()
    if slug == LAST:
        return screens[-1]
    return next((screen for screen in screens if screen.slug == slug), screens[0])


def _move(move: Move) -> None:
    if move.all is not None:
        ALL.set(move.all)
    elif move.screen is not None:
        OPEN.set(move.screen)
    elif move.page is not None:
        arrive_at("" if move.end == "first" else LAST)


def arrive_at(screen: str) -> None:
    """Let the page that is opened next begin with a screen of its own: "" for its first."""
    st.session_state[ARRIVES] = True
    OPEN.set(screen)


ARRIVES: Final = "arrives"
ASKED_FOR: Final = "screen-asked-for"


def go(address: Address) -> None:
    """Ask for a screen of any page, in a callback: the run that follows opens it."""
    st.session_state[ASKED_FOR] = address


def follow() -> None:
    """Open the page that was asked for, before another one is drawn."""
    address = st.session_state.pop(ASKED_FOR, None)
    if address is not None:
        st.session_state[ARRIVES] = address.screen
        st.switch_page(view_of(address.page).path)


def leave(page: str) -> None:
    """Open another page at its first screen, unless its address or the way there names one."""
    before = st.session_state.get("screens-of")
    st.session_state["screens-of"] = page
    named = st.session_state.pop(ARRIVES, False)
    if isinstance(named, str):
        OPEN.set(named)
    elif before not in (None, page) and not named and not state.went_back():
        OPEN.set("")
