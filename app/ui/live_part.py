"""A part of a page that a click in it draws again alone: that is what makes an answer fast."""

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

    `shared` is what is chosen in this part and drawn elsewhere: when it changes, the page follows.
    """
    drawn = shared()

    @st.fragment(run_every=run_every)
    def part() -> None:
        state.sync()
        if asks_too_often():
            return
        if shared() != drawn:
            st.rerun()
        # The page's own are not there when this part runs alone.
        with error_box(nothing, failed), waiting.turn():
            draw()

    part()
