"""The search over everything in the app, which Ctrl-K opens on every page."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, get_args

from app.components.shared import mount, read_address
from app.i18n import _
from app.state import Kind

# The kinds of results, which are marked by kind.
What = Literal["page", "screen", "term", "head"]


class SearchedHead(NamedTuple):
    """A head of the model: its kind of attention, its layer and its number, counted from 1."""

    kind: Kind
    layer: int
    number: int


class Find(NamedTuple):
    """A possible result: its title, a note, and where it is shown."""

    what: What
    title: str
    note: str
    page: str
    screen: str = ""
    head: SearchedHead | None = None


class Goal(NamedTuple):
    """The chosen result: a screen of a page, and the head to show there."""

    page: str
    screen: str
    head: SearchedHead | None = None


def _read(sent: Any) -> Goal:
    """Return the chosen result; raise ValueError for one that was never offered."""
    page, screen = read_address(sent)
    match sent.get("head"):
        case None:
            return Goal(page, screen)
        case [str(kind), int(layer), int(number)] if kind in get_args(Kind):
            return Goal(page, screen, SearchedHead(kind, layer, number))  # type: ignore[arg-type]
    raise ValueError(sent)


def search(written: str, *, key: str, on_open: Callable[[Goal], None]) -> None:
    """Show the button that opens the search; call back with the chosen result.

    `written` is the payload's JSON.
    """
    mount("search", _read, key=key, fixed=written, chosen=None, on_event=on_open)


def payload(finds: Sequence[Find]) -> dict[str, Any]:
    """Return what the browser searches."""
    return {
        "finds": [list(find) for find in finds],
        "text": {
            "search": _("Search"),
            "what": _("Search pages, screens, terms and heads"),
            "none": _("Nothing found."),
            "close": _("Close"),
            "page": _("Page"),
            "screen": _("Screen"),
            "term": _("Term"),
            "head": _("Head"),
        },
    }
