"""How far one has come, as this browser remembers it: where one left off, and what one has seen."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from app.components.shared import mount
from app.i18n import _
from app.registry import View, view_of


class Spot(NamedTuple):
    """A screen of a page."""

    page: str
    screen: str


def _read(sent: Any) -> Spot:
    match sent:
        case {"page": str(page), "screen": str(screen)}:
            return Spot(view_of(page).slug, screen)
    raise ValueError(sent)


def progress(pages: Sequence[View], *, key: str) -> Spot | None:
    """Draw the pages with how many of their screens were seen; return the one that was clicked."""
    return mount("progress", _read, key=key, fixed=payload(pages), chosen=None)


def payload(pages: Sequence[View]) -> dict[str, Any]:
    """Return what the browser draws."""
    return {
        "pages": [{"slug": view.slug, "title": _(view.title)} for view in pages],
        "text": {
            "name": _("Your progress, kept in this browser"),
            "last": _("Go on where you left off: {title}"),
            "seen": _("{n} of {all} seen"),
        },
    }
