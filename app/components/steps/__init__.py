"""The screens of a page as a row of steps: back, next, and where one is; by keys and swipes too."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from app.components.shared import mount
from app.i18n import _
from app.registry import view_of

# The end of another page at which one arrives: its first screen, or its last.
End = Literal["first", "last"]


class Move(NamedTuple):
    """Where the visitor goes: to a screen of this page, all of them at once, or another page."""

    screen: str | None = None
    all: bool | None = None
    page: str | None = None
    end: End = "first"


def _read(sent: Any) -> Move:
    """Return what the browser asked for; raises ValueError for what is none of its buttons."""
    match sent:
        case {"screen": str(screen)}:
            return Move(screen=screen)
        case {"all": bool(every)}:
            return Move(all=every)
        case {"page": str(page), "end": "first" | "last" as end}:
            return Move(page=view_of(page).slug, end=end)
    raise ValueError(sent)


def steps(
    page: str,
    titles: Sequence[tuple[str, str]],
    open_: str | None,
    *,
    key: str,
    before: str | None,
    after: str | None,
    on_move: Callable[[Move], None],
) -> Move | None:
    """Draw the row of a page's (slug, title), `open_` marked, or none where all are drawn.

    `before` and `after` are the pages that the way leads to from the first and the last screen.
    """
    fixed = {
        "page": page,
        "steps": [{"slug": slug, "title": title} for slug, title in titles],
        "before": _page(before),
        "after": _page(after),
        "text": {
            "name": _("Steps of this page"),
            "back": _("Back"),
            "next": _("Next"),
            "all": _("All on one page"),
            "count": _("{n} of {all}"),
            "present": _("Present"),
            "presentKeys": _("Large type and nothing around it: the key P; Esc ends it."),
            "keys": _("Arrow keys, the space bar or a swipe lead on, too."),
        },
    }
    return mount("steps", _read, key=key, fixed=fixed, chosen=open_, on_event=on_move)


def _page(slug: str | None) -> dict[str, str] | None:
    return None if slug is None else {"slug": slug, "title": _(view_of(slug).title)}
