"""A part of a page that is redrawn alone after a click in it, which makes the response fast."""

from collections.abc import Callable, Hashable
from typing import Final

import streamlit as st

from app import state
from app.i18n import N_
from app.ui import waiting
from app.ui.error_box import error_box
from app.ui.serving import asks_too_often

FAILED: Final = N_("This sentence could not be shown; the server's log says why.")


def live_part(
    draw: Callable[[], None],
    *,
    failed: str,
    nothing: str = "",
    run_every: float | None = None,
    shared: Callable[[], Hashable] = lambda: None,
) -> None:
    """Draw a part, again every `run_every` seconds, with the sentences of its error box.

    `shared` returns the choices of this part that are drawn elsewhere; when it changes, the whole
    page is redrawn.
    """
    drawn = shared()

    @st.fragment(run_every=run_every)
    def part() -> None:
        state.sync()
        if asks_too_often():
            return
        if shared() != drawn:
            st.rerun()
        # The page's own error box and turn are missing when this part runs alone.
        with error_box(nothing, failed), waiting.turn():
            draw()

    part()
