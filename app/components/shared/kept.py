"""What is drawn on a screen, in its order, so that the screen can be kept as a file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, NamedTuple

from app.charts.theme import Figure as Plotly


class Figure(NamedTuple):
    """A component as it stands on a page: its name, what it draws, and what is marked in it."""

    kind: str
    fixed: Mapping[str, Any]
    chosen: Any = None


class Chart(NamedTuple):
    """A chart of Plotly on the page, whose picture the browser takes from there by its key."""

    key: str
    alt: str
    figure: Plotly


class Text(NamedTuple):
    """A piece of harmless HTML."""

    html: str


Part = Figure | Chart | Text
Drawn = list[Callable[[], Sequence[Part]]]

_DRAWN: Final[ContextVar[Drawn]] = ContextVar("drawn")


@contextmanager
def keeping() -> Iterator[Drawn]:
    """Collect what is drawn, for whoever keeps it; what is drawn later in it comes last."""
    drawn: Drawn = []
    token = _DRAWN.set(drawn)
    try:
        yield drawn
    finally:
        _DRAWN.reset(token)


def keep(parts: Callable[[], Sequence[Part]]) -> None:
    """Collect what was drawn; its parts are made when a file is."""
    _DRAWN.get([]).append(parts)
