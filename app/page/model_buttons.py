"""The buttons of a model, wherever it is shown; what a click has done is said beside its button."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from app import state
from app.data.errors import worded
from app.format import escape
from app.i18n import _
from app.page import moves
from app.registry import Address
from app.ui.buttons import button

OUTCOME: Final = "outcome"  # in the session: a button, what it did, and whether it worked


def draw_use(model: str) -> None:
    """Draw the button that opens a model on the Translate page."""
    help_ = _("Opens it on the page Translate; every other page can use it too.")
    if button(_("Translate with it"), "use", "translate", type="primary", help=help_):
        state.MODEL.set(model)
        state.TEXT.set(None)
        st.switch_page("views/translate/page.py")


def draw_atlas_link(model: str) -> None:
    """Draw the button that opens a Transformer's atlas."""
    help_ = _("Opens the head atlas, which measures every head.")
    button(_("What its heads do"), "to-atlas", "map", _open_atlas, model, help=help_)


def _open_atlas(model: str) -> None:
    state.MODEL.set(model)
    moves.go(Address("atlas"))


def draw_button(
    label: str,
    icon: str,
    key: str,
    help_: str,
    act: Callable[[], str | None],
    disabled: bool = False,
) -> None:
    """Draw a button; `act` returns what is to be said of it, and raises ValueError."""
    if button(label, key, icon, help=help_, disabled=disabled):
        do(key, act)


def do(key: str, act: Callable[[], str | None]) -> None:
    """Do what was clicked, and rerun the whole page to show the outcome."""
    try:
        text, good = act(), True
    except ValueError as error:
        text, good = escape(worded(error)), False
    if text:
        st.session_state[OUTCOME] = (key, text, good)
    st.rerun()


def draw_outcome(key: str) -> None:
    """Say what a click has done, beside the button that was clicked."""
    at, text, good = st.session_state.get(OUTCOME, ("", "", True))
    if at == key:
        del st.session_state[OUTCOME]
        (st.success if good else st.error)(text)
