"""The screens of a page as a row of steps with Back and Next; keys and swipes work too."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, NamedTuple

from app import state
from app.components.shared import mount
from app.i18n import _
from app.lesson import Lesson
from app.registry import view_of

# Used in place of a page for the short tour, which spans several pages.
TOUR: Final = "tour"
# The screen at which the visitor arrives on another page: its first or its last.
End = Literal["first", "last"]


class Move(NamedTuple):
    """A move of the visitor: to a screen of this row, to all screens at once, or to another page.

    It may also add the open screen to the visitor's lesson, end a lesson, or enter or leave the
    tour.
    """

    screen: str | None = None
    all: bool | None = None
    page: str | None = None
    end: End = "first"
    add: bool = False
    leave: bool = False
    tour: bool | None = None


def _read(sent: Any) -> Move:
    """Return the requested move; raise ValueError for anything that no button sends."""
    match sent:
        case {"screen": str(screen)}:
            return Move(screen=screen)
        case {"all": bool(every)}:
            return Move(all=every)
        case {"page": str(page), "end": "first" | "last" as end}:
            return Move(page=view_of(page).slug, end=end)
        case {"add": True}:
            return Move(add=True)
        case {"tour": bool(enter)}:
            return Move(tour=enter)
        case {"leave": True}:
            return Move(leave=True)
    raise ValueError(sent)


def steps(
    page: str | None,
    titles: Sequence[tuple[str, str]],
    open_: str | None,
    *,
    key: str,
    before: str | None = None,
    after: str | None = None,
    on_move: Callable[[Move], None],
    lesson: Lesson | None = None,
) -> None:
    """Draw the row of a page's screens, each (slug, title), with `open_` marked.

    `open_` is None if all screens are drawn. `before` and `after` are the pages before the first
    and after the last screen. `page` is `TOUR` for the tour, and None for a lesson, which opens in
    large type with nothing around it.
    """
    in_tour = page == TOUR
    name = _("The short tour") if in_tour else _("Steps of this page")
    notes = lesson and {"title": lesson.title, "notes": [stop.note for stop in lesson.stops]}
    fixed = {
        "page": page,
        "book": state.in_book(),
        "steps": [{"slug": slug, "title": title} for slug, title in titles],
        "before": _page(before),
        "after": _page(after),
        "tour": in_tour,
        "lesson": notes,
        "text": {"name": lesson.title if lesson else name, **_words(in_tour)},
    }
    mount("steps", _read, key=key, fixed=fixed, chosen=open_, on_event=on_move)


def _words(in_tour: bool) -> dict[str, str]:
    hint = _("The short tour, at the screen that this one expands on")
    if in_tour:
        hint = _("This screen in its chapter, with everything that goes deeper")
    return {
        "back": _("Back"),
        "next": _("Next"),
        "all": _("All on one page"),
        "allShort": _("All"),
        "count": _("{n} of {all}"),
        "present": _("Present"),
        "presentKeys": _(
            "Present in large type (P): Esc ends it, B darkens the screen, I inverts it, "
            "N opens the speaker’s notes."
        ),
        "keys": _("The arrow keys, the space bar and a swipe work too."),
        "addShort": _("+ Lesson"),
        "add": _("Add this screen, with its sentence and settings, to my lesson"),
        "leave": _("End the lesson"),
        "tour": _("Leave the tour") if in_tour else _("Back to the tour"),
        "tourHint": hint,
        "notes": _("Speaker’s notes"),
        "noNote": _("This screen has no note."),
        "then": _("Next: {title}"),
        "end": _("This is the last screen."),
    }


def _page(slug: str | None) -> dict[str, str] | None:
    return None if slug is None else {"slug": slug, "title": _(view_of(slug).title)}
