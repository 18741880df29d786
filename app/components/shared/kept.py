"""The parts drawn on a screen, in order, so that the screen can be saved as a file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, NamedTuple


class KeptFigure(NamedTuple):
    """A component on a page: its name, what it draws, and what is marked in it."""

    kind: str
    fixed: Mapping[str, Any]
    chosen: Any = None


class Text(NamedTuple):
    """A piece of safe HTML."""

    html: str


Part = KeptFigure | Text
Drawn = list[Callable[[], Sequence[Part]]]

_DRAWN: Final[ContextVar[Drawn]] = ContextVar("drawn")


@contextmanager
def keeping() -> Iterator[Drawn]:
    """Yield a list that collects, in order, the parts drawn within this context."""
    drawn: Drawn = []
    token = _DRAWN.set(drawn)
    try:
        yield drawn
    finally:
        _DRAWN.reset(token)


def keep(parts: Callable[[], Sequence[Part]]) -> None:
    """Add parts to the collection; `parts` is called only when a file is made."""
    _DRAWN.get([]).append(parts)
