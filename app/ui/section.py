"""What a screen says: its title together with its first words, then words between its pictures."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

import streamlit as st

from app.format import maths

# The title and first words of the screen that is drawn, until they are said.
_WAITING: Final[ContextVar[list[str]]] = ContextVar("waiting")


def section(title: str, text: str, level: int = 2) -> None:
    """Draw a title and the text below it, both Markdown with formulas; or the text alone.

    They are one element, as each one of a page is drawn again at every move.
    """
    st.markdown(maths(f"{'#' * level} {title}\n\n{text}" if title else text))


@contextmanager
def headed(title: str, text: str) -> Iterator[None]:
    """Let the first words that are said be one element with a title and a text above them."""
    waiting = [f"## {title}" if title else "", text]
    token = _WAITING.set(waiting)
    try:
        yield
    finally:
        _WAITING.reset(token)
    assert not waiting, "a screen says its first words, if only say(), before it draws"


def say(*texts: str) -> None:
    """Say paragraphs, Markdown with formulas; a screen's first ones stand below its title."""
    waiting = _WAITING.get([])
    st.markdown(maths("\n\n".join(filter(None, (*waiting, *texts)))))
    waiting.clear()
