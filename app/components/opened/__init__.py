"""The opened number: the path to it, its value, and the numbers that it was computed from."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from app.components.shared import mount
from app.data.walk import Cell
from app.i18n import _


@dataclass(frozen=True)
class Number:
    """A number to go to; for a number on the path, `stay` is how many of the path remain."""

    cell: Cell
    label: str
    title: str = ""
    stay: int = 0


@dataclass(frozen=True)
class Opened:
    """A number with its name, as it is written; `note` compares it with the model's own number."""

    name: str
    number: str
    note: str
    trail: Sequence[Number]  # the path to this number, which comes last
    sources: Sequence[Number]
    end: str = ""  # why there are no sources


def opened(number: Opened, *, key: str, on_go: Callable[[int | Cell], None]) -> None:
    """Show a number; call back with the next cell, or with how many numbers of the path remain."""
    mount("opened", read, key=key, fixed=payload(number), chosen=None, on_event=on_go)


def payload(number: Opened) -> dict[str, Any]:
    """Return what the browser draws."""
    text = {
        "title": _("Ask any number"),
        "trail": _("The way to this number"),
        "close": _("Close"),
        "sources": _("Where does this come from?"),
    }
    return asdict(number) | {"text": text}


def read(sent: Any) -> int | Cell:
    """Return the next cell to open, or how many numbers of the path remain."""
    return sent if isinstance(sent, int) else Cell(sent["name"], tuple(sent["index"]))
