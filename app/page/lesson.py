"""The lesson that is given: its screens, of any pages, in place of the open page's own."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import streamlit as st

from app import content, state
from app.components.steps import Move, steps
from app.format import escape
from app.i18n import N_, _
from app.lesson import LONGEST_SETTING, MOST_STOPS, RESERVED, Lesson, Stop
from app.page import moves
from app.registry import Address, view_of

# The lessons that come along, by their names in an address.
LESSONS: Final[Mapping[str, Lesson]] = {
    lesson["name"]: Lesson(lesson["title"], tuple(Stop(**stop) for stop in lesson["stop"]))
    for lesson in content.load(Path(__file__).with_name("lessons.toml"))["lesson"]
}
AT: Final = state.Param[int]("at", 0, state.whole(0, MOST_STOPS - 1))
SAID: Final = "lesson-said"
ADDED: Final = N_("Added to your lesson: {n} of its screens so far.")
FULL: Final = N_("A lesson has at most {n} screens: start another one, or remove some.")
BROKEN: Final = N_(
    "This link holds no lesson that can be opened. Ask for it again, or for the lesson as a file."
)


def underway() -> tuple[Lesson, int] | None:
    """Return the lesson that is given, and which of its screens is open.

    Returns None where there is none, or none that can be read.
    """
    lesson = named(state.LESSON.get())
    if lesson is None or not lesson.stops:
        return None
    return lesson, min(AT.get(), len(lesson.stops) - 1)


def named(code: str) -> Lesson | None:
    """Return a lesson by its name, if it comes along, or by its link; None where it is neither."""
    if code in LESSONS:
        lesson = LESSONS[code]
        stops = (replace(s, words=s.words and _(s.words), note=_(s.note)) for s in lesson.stops)
        return Lesson(_(lesson.title), tuple(stops))
    return _read(code) if code else None


@lru_cache(maxsize=32)
def _read(code: str) -> Lesson | None:
    try:
        return Lesson.from_link(code)
    except ValueError:
        return None


def own() -> Lesson:
    """Return the lesson that the visitor puts together."""
    return named(state.MINE.get()) or Lesson()


def keep_own(lesson: Lesson) -> None:
    """Take over what the visitor changed in a lesson."""
    state.MINE.set(lesson.to_link() if lesson != Lesson() else "")


def add(address: Address, settings: Mapping[str, str]) -> None:
    """Put a screen into the visitor's lesson."""
    lesson = own()
    if len(lesson.stops) == MOST_STOPS:
        announce(_(FULL).format(n=MOST_STOPS))
        return
    keep_own(replace(lesson, stops=(*lesson.stops, Stop(*address, settings))))
    announce(_(ADDED).format(n=len(lesson.stops) + 1))


def announce(text: str) -> None:
    """Let the run that follows say something: a callback may draw nothing."""
    st.session_state[SAID] = text


def say() -> None:
    """Say what a callback has announced."""
    if (text := st.session_state.pop(SAID, None)) is not None:
        st.toast(text, icon=":material/playlist_add_check:")


def settings() -> dict[str, str]:
    """Return what is chosen on the open page, as a screen of a lesson keeps it.

    A screen that is added on the tour does not lead back to it.
    """
    return {
        name: value
        for name, value in state.chosen().items()
        if name not in {*RESERVED, moves.TOUR.name} and len(value) <= LONGEST_SETTING
    }


def link(code: str, first: Stop) -> str:
    """Return the address that gives a lesson from its first screen."""
    query = {**first.settings, "part": first.screen, "lesson": code}
    url = st.context.url or ""
    base = url[: url.rstrip("/").rfind("/") + 1]  # where the pages of this server begin
    return f"{base}{first.page}?{urlencode({name: v for name, v in query.items() if v})}"


def start(code: str) -> None:
    """Give a lesson from its first screen, in a callback."""
    state.LESSON.set(code)
    _open(0)


def _open(at: int) -> None:
    """Open a screen of the lesson with its own settings, and nothing else that was chosen."""
    lesson = named(state.LESSON.get())
    assert lesson is not None
    stop = lesson.stops[at]
    AT.set(at)
    state.choose(stop.settings, keep=("lang", "lesson", "mine", "at"))
    moves.go(Address(stop.page, stop.screen))


def draw_row() -> None:
    """Draw the lesson's row above the page, its screen's words, or why there is no lesson."""
    shown = underway()
    if shown is None:
        if state.LESSON.get():
            st.error(_(BROKEN))
        return
    given, at = shown
    titles = [stop.words or _(view_of(stop.page).title) for stop in given.stops]
    rows = [(str(i), title) for i, title in enumerate(titles)]
    steps(None, rows, str(at), key="steps", on_move=_move, lesson=given)
    if words := given.stops[at].words:
        st.markdown(f"#### {escape(words)}")


def _move(move: Move) -> None:
    if move.leave:
        state.LESSON.set("")
        AT.set(0)
    elif move.screen is not None:
        shown = underway()
        assert shown is not None
        _open(min(int(move.screen), len(shown[0].stops) - 1))
