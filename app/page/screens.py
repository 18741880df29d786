"""One page as a row of screens, one of them open: what is not open is not drawn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from app import state
from app.components.steps import Move, steps
from app.page import lesson, moves, tour
from app.page.moves import LAST, OPEN
from app.page.quiz import QuizTask, guessed
from app.registry import Address, neighbours

ALL: Final = state.Param[bool]("all", False, lambda raw: raw == "1")


@dataclass(frozen=True)
class Screen:
    """One idea: its address on the page, its title, and what draws it."""

    slug: str
    title: str
    draw: Callable[[], None]
    # Whether the page's choices are drawn over it, or its own in their place.
    pick: bool | Callable[[], None] = True


def everything() -> bool:
    """Return whether all screens of a page are drawn at once."""
    return ALL.get() and lesson.underway() is None and tour.stop() is None


class Unanswered(Exception):  # noqa: N818
    """A question stands in place of all that follows on a screen."""


def guess(asked: QuizTask) -> None:
    """Ask what the picture below will show, where its screen stands alone.

    Raises Unanswered, which ends the screen here, until that is answered or skipped.
    """
    if not everything() and not guessed(asked):
        raise Unanswered


def draw_row(page: str, screens: Sequence[Screen]) -> Sequence[Screen]:
    """Draw the row of steps and return the screens to draw: the open one, or all of them.

    In a lesson, its own row stands above the page, and one screen is open. So it is in the tour.
    """
    lesson.say()
    if lesson.underway() is not None:
        return (_opened(screens),)
    if (here := tour.stop()) is not None:
        moves.follow(page)
        tour.draw_row(here)
        return (_opened(screens),)
    moves.TOUR.set(False)
    every = everything()
    shown = screens if every else (_opened(screens),)
    before, after = neighbours(page)
    moves.follow(page)  # in a callback of this part alone, a page was asked for
    steps(
        page,
        [(screen.slug, screen.title) for screen in screens],
        None if every else shown[0].slug,
        key="steps",
        before=before,
        after=after,
        on_move=partial(_move, Address(page, "" if every else shown[0].slug)),
    )
    return shown


def _opened(screens: Sequence[Screen]) -> Screen:
    slug = OPEN.get()
    if slug == LAST:
        return screens[-1]
    return next((screen for screen in screens if screen.slug == slug), screens[0])


def _move(here: Address, move: Move) -> None:
    if move.all is not None:
        ALL.set(move.all)
    elif move.screen is not None:
        OPEN.set(move.screen)
    elif move.page is not None:
        moves.go(Address(move.page, "" if move.end == "first" else LAST))
    elif move.tour:
        tour.enter(here)
    elif move.add:
        lesson.add(here, lesson.settings())
