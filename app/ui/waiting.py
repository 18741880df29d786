"""What a visitor sees who waits for others' work: their place in the queue, as it gets smaller."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from app.data.queue import QUEUE
from app.i18n import _


@dataclass
class _Line:
    """Where a place in the queue is said, and the one that stands there."""

    shown: DeltaGenerator
    place: int = 0


_LINE: Final[ContextVar[_Line | None]] = ContextVar("line", default=None)


@contextmanager
def turn() -> Iterator[None]:
    """Wait for a turn to draw what is drawn within, and keep a line to say the place in the queue.

    A part that is drawn alone can write in no line but its own.
    """
    token = _LINE.set(_Line(st.empty()))
    try:
        with QUEUE.turn():
            yield
    finally:
        _LINE.reset(token)


def tell(place: int) -> None:
    """Say a place in the queue, 0 for none; raises what ends this run if its page wants no more.

    That is how one leaves the queue whose page was closed, or who asks for something else.
    """
    line, run = _LINE.get(), get_script_run_ctx(suppress_warning=True)
    if line is None or run is None:
        return
    if place == line.place:
        run.yield_check()
    elif place:
        text = _("You are number {place} in the queue: the server works for others first.")
        said = f'<div class="waiting" role="status">{text.format(place=place)}</div>'
        line.shown.markdown(said, unsafe_allow_html=True)
    else:
        line.shown.empty()
    line.place = place


QUEUE.tell = tell
