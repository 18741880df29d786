"""A part of a page that is redrawn alone after a click in it, which makes the response fast."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from app import state
from app.data.queue import QUEUE
from app.i18n import _
from app.ui.error_box import PAGE_FAILED, error_box
from app.ui.serving import asks_too_often


def live_part(
    draw: Callable[[], None],
    *,
    failed: str = "",
    run_every: float | None = None,
    shared: Callable[[], Hashable] = lambda: None,
) -> None:
    """Draw a part, again every `run_every` seconds; `failed` is said of an unexpected error.

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
        with error_box(failed=failed or _(PAGE_FAILED)), turn():
            draw()

    part()


@dataclass
class _Line:
    """The element that shows a place in the queue, and the place that it shows now."""

    shown: DeltaGenerator
    place: int = 0


_LINE: Final[ContextVar[_Line | None]] = ContextVar("line", default=None)


@contextmanager
def turn() -> Iterator[None]:
    """Wait for a turn to draw the body, and reserve a line that shows the place in the queue.

    A part that is drawn alone can write only to its own line.
    """
    token = _LINE.set(_Line(st.empty()))
    try:
        with QUEUE.turn():
            yield
    finally:
        _LINE.reset(token)


def tell(place: int) -> None:
    """Show a place in the queue, 0 for none; raise the exception that ends an unwanted run.

    This is how a visitor leaves the queue after closing the page or asking for something else.
    """
    line, run = _LINE.get(), get_script_run_ctx(suppress_warning=True)
    if line is None or run is None:
        return
    if place == line.place:
        run.yield_check()
    elif place:
        text = _("You are number {place} in the queue: the server has others to serve first.")
        said = f'<div class="waiting" role="status">{text.format(place=place)}</div>'
        line.shown.markdown(said, unsafe_allow_html=True)
    else:
        line.shown.empty()
    line.place = place


QUEUE.tell = tell
