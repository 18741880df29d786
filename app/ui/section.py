"""The texts of a screen: its title with its first words, then words between its pictures."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

import streamlit as st

from app.format import maths

# The title and first words of the screen being drawn, until they are shown.
_WAITING: Final[ContextVar[list[str]]] = ContextVar("waiting")


def section(title: str, text: str) -> None:
    """Draw a title and the text below it, both Markdown with formulas; or the text alone.

    They are one element, because every element of a page is redrawn at each move.
    """
    st.markdown(maths(f"## {title}\n\n{text}" if title else text))


@contextmanager
def headed(title: str, text: str) -> Iterator[None]:
    """Join the first words of a screen with a title and a text above them in one element."""
    waiting = [f"## {title}" if title else "", text]
    token = _WAITING.set(waiting)
    try:
        yield
    finally:
        _WAITING.reset(token)
    assert not waiting, "a screen says its first words, if only say(), before it draws"


def say(*texts: str, **values: object) -> None:
    """Draw paragraphs, Markdown with formulas; a screen's first ones stand below its title.

    Where there are `values`, they fill in the places of the texts.
    """
    waiting = _WAITING.get([])
    if values:
        texts = tuple(text.format(**values) for text in texts)
    st.markdown(maths("\n\n".join(filter(None, (*waiting, *texts)))))
    waiting.clear()
