"""The opened number: the way to it, what it is, and the numbers that it came from."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from app.components.shared import mount
from app.data.walk import Cell
from app.i18n import _


@dataclass(frozen=True)
class Number:
    """A number that one can go to; `stay`: so many numbers of the way are kept, of one on it."""

    cell: Cell
    label: str
    title: str = ""
    stay: int = 0


@dataclass(frozen=True)
class Opened:
    """A number as it is called and written; `note` says how it compares with the model's."""

    name: str
    number: str
    note: str
    trail: Sequence[Number]  # the way to it, itself the last
    sources: Sequence[Number]
    end: str = ""  # why there are no sources


def opened(number: Opened, *, key: str, on_go: Callable[[int | Cell], None]) -> None:
    """Show a number; call back with the source to go on to, or how many numbers of the way stay."""
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
    """Return the cell to go on to, or how many numbers of the way stay."""
    return sent if isinstance(sent, int) else Cell(sent["name"], tuple(sent["index"]))
