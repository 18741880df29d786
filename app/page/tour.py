"""The short tour: one row of screens of several chapters, and from each the way deeper and back."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

import streamlit as st

from app.components import steps
from app.page import lesson, moves
from app.page.contents import every_screen, name_of, title_of
from app.registry import HISTORY, TOUR, WALK, Address, of_section

STOPS: Final = tuple(Address(stop.page, stop.screen) for stop in TOUR)


def stop() -> Address | None:
    """Return the screen of the tour that is open; None outside the tour."""
    here = Address(st.session_state.get(moves.HERE, ""), moves.OPEN.get())
    return here if moves.TOUR.get() and here in STOPS and lesson.underway() is None else None


def words(here: Address) -> str:
    """Return what leads over to a screen of the tour, in English; "" for its chapter's words."""
    return TOUR[STOPS.index(here)].words


def named(name: str) -> Address:
    """Return a screen of the tour by its name, as a browser remembers it; else the first."""
    return next((here for here in STOPS if _name(here) == name), STOPS[0])


def enter(here: Address) -> None:
    """Go from any screen to the one of the tour that it deepens, in a callback."""
    moves.TOUR.set(True)
    moves.go(_deepened()[here])


def deeper(here: Address) -> Sequence[Address]:
    """Return what goes deeper than a screen of the tour: screens of its chapter, other chapters."""
    chapters = TOUR[STOPS.index(here)].chapters
    own = [at for at, deepened in _deepened().items() if deepened == here and at != here]
    screens = [at for at in own if at.page == here.page and at.screen]
    return [*screens, *(Address(chapter) for chapter in chapters)]


@cache
def _deepened() -> Mapping[Address, Address]:
    """Return the screen of the tour that each screen deepens, or is."""
    found: dict[Address, Address] = {}
    for view in (*of_section(WALK), *of_section(HISTORY)):
        screens = [at for at in every_screen() if at.page == view.slug]
        named = (Address(stop.page, stop.screen) for stop in TOUR if view.slug in stop.chapters)
        last = next((at for at in screens if at in STOPS), None) or next(named)
        for at in screens:
            last = at if at in STOPS else last
            found[at] = last
    return found


def draw_row(here: Address) -> None:
    """Draw the tour as a row of steps, one of them open."""
    titles = [(_name(at), name_of(at)) for at in STOPS]

    def move(asked: steps.Move) -> None:
        if asked.tour is not None:
            moves.TOUR.set(False)
        elif asked.screen is not None:
            moves.go(named(asked.screen))
        elif asked.add:
            lesson.add(here, lesson.settings())

    steps.steps(steps.TOUR, titles, _name(here), key="steps", on_move=move)


def draw_deeper(here: Address) -> None:
    """Draw the ways from a screen of the tour to those that go deeper."""
    with st.container(horizontal=True, gap="small", key="deeper"):
        for at in deeper(here):
            title = name_of(at) if at.screen else title_of(at)
            icon = None if at.screen else ":material/menu_book:"
            key = f"deeper-{_name(at)}"
            st.button(title, key, type="tertiary", icon=icon, on_click=_leave, args=(at,))


def _leave(at: Address) -> None:
    moves.TOUR.set(False)
    moves.go(at)


def _name(at: Address) -> str:
    return f"{at.page}/{at.screen}"
