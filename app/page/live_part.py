"""A part of a chapter that a move draws again alone, without the rest of the page."""

from collections.abc import Callable, Hashable

import streamlit as st

from app import state
from app.i18n import _
from app.ui.error_box import error_box


def apart(
    draw: Callable[[], None],
    rest: Callable[[], Hashable] = lambda: None,
    pace: Callable[[], float | None] = lambda: None,
) -> None:
    """Draw a part, again every `pace` seconds; the page follows when what `rest` returns changes.

    `rest` is all that is chosen in this part and drawn in another one.
    """
    st.fragment(_part, run_every=pace())(draw, rest, rest())


def _part(draw: Callable[[], None], rest: Callable[[], Hashable], drawn: Hashable) -> None:
    state.sync()
    if rest() != drawn:
        st.rerun()
    with error_box("", _("This sentence could not be shown; the server's log says why.")):
        draw()
