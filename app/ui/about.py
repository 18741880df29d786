"""What the figures of a page are about, for the caption and file name of a saved picture."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Final

from app.data.translation import Decoding
from app.format import quoted

WORDS: Final = 5  # of the sentence, in a file name


@dataclass(frozen=True)
class About:
    """A page, its sentence, and the part of the model that it shows: "layer 2", "head 3".

    `run` names the model that translated the sentence, and the decoding method.
    """

    page: str = ""
    title: str = ""
    sentence: str = ""
    place: Sequence[str] = ()
    run: tuple[str, Decoding] | None = None


_NOTHING: Final = About()
_ABOUT: ContextVar[About] = ContextVar("about", default=_NOTHING)


@contextmanager
def about(**known: Any) -> Iterator[None]:
    """Set fields of `About` for the figures that are drawn within this context."""
    token = _ABOUT.set(replace(_ABOUT.get(), **known))
    try:
        yield
    finally:
        _ABOUT.reset(token)


def subject() -> About:
    """Return what the figures being drawn are about."""
    return _ABOUT.get()


def caption(title: str) -> list[str]:
    """Return the lines above a figure: its title, and its sentence, layer and head."""
    this = _ABOUT.get()
    sentence = quoted(this.sentence) if this.sentence else ""
    names = dict.fromkeys((this.title, title))  # a page's first screen may have its title
    lines = (names, [sentence, *this.place])
    return [" · ".join(filter(None, line)) for line in lines if any(line)]


def file_name(name: str) -> str:
    """Return a file name without extension, as in self-attention-scores-layer-2-head-3-hola."""
    this = _ABOUT.get()
    page = _plain(this.page)
    own = _plain(name).removeprefix(page)
    return _plain(" ".join([page, own, *this.place, *this.sentence.split()[:WORDS]]))


def _plain(text: str) -> str:
    """Write a text in lowercase letters and digits, joined by hyphens."""
    letters = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")
