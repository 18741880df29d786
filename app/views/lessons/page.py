"""The page “Lessons”: ready ones, and one that a teacher puts together, as a file or a link."""

import logging
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import streamlit as st

from app import i18n, state
from app.format import escape
from app.i18n import _
from app.lesson import LONGEST_NOTE, LONGEST_TITLE, LONGEST_WORDS, MOST_STOPS, Lesson, Stop
from app.page import lesson as given
from app.page import moves
from app.page.contents import every_screen, title_of
from app.registry import Address, view_of
from app.ui.buttons import button
from app.ui.pickers import uploader

log = logging.getLogger(__name__)
ROOT: Final = Path(__file__).parents[3]
SECONDS: Final = 900  # to make a page


def draw() -> None:
    """Draw the ready lessons, and beside them the visitor's own."""
    st.title(_(view_of("lessons").title))
    text = _(
        "A lesson is a sequence of screens from any pages, each with its own sentence and "
        "settings. It opens in large type with nothing around it: → and ← move through it, "
        "N opens your notes in a second window, Esc brings everything back."
    )
    st.markdown(text)
    left, right = st.columns([0.56, 0.44], gap="large")
    with left:
        st.header(_("Ready to give"), anchor=False)
        says = _(
            "Five lessons that follow five lectures, and two on what heads do; all with "
            "speaker’s notes."
        )
        st.caption(says)
        beside: dict[str, Any] = {"horizontal": True, "horizontal_alignment": "distribute"}
        for name in given.LESSONS:
            lesson = given.named(name)
            assert lesson is not None
            _draw_lesson(name, name, lesson, vertical_alignment="center", **beside)
        draw_opened()
    with right:
        draw_own()


def draw_opened() -> None:
    """Draw the field for a file, and the lesson in it."""
    label = _("Open a lesson from a file")
    help_ = _("A file that was saved here. Your own lesson stays as it is.")
    file = uploader(label, ["json"], key="lesson-file", most=1, help=help_)
    if file is None:
        return
    try:
        lesson = Lesson.from_file(file.getvalue())
    except ValueError as error:
        log.warning("%s is no lesson: %s", file.name, error)
        text = _(
            "“{name}” is not a lesson: choose a file that was saved on this page with "
            "“Save as a file”."
        )
        st.error(text.format(name=escape(file.name)))
        return
    _draw_lesson("opened", lesson.to_link(), lesson)


def _draw_lesson(key: str, code: str, lesson: Lesson, **look: Any) -> None:
    """Draw a lesson that is not the visitor's own, and what can be done with it."""
    with st.container(border=True, key=f"lesson-{key}", **look):
        count = _("{n} screens").format(n=len(lesson.stops))
        title = escape(lesson.title) or _("Opened from a file")
        st.markdown(f"**{title}** · :gray[{count}]")
        with st.container(horizontal=True, gap="small", width="content"):
            draw_start(code, not lesson.stops)
            _draw_page(code, lesson)
            help_ = _("Adds these screens at the end of your own lesson.")
            edit = f"edit-{crc32(code.encode())}"
            button(_("Edit a copy"), edit, "edit", _take_over, lesson, help=help_)


def draw_start(code: str, disabled: bool) -> None:
    """Draw the button that starts giving a lesson."""
    help_, key = _("Opens the first screen in large type."), f"start-{crc32(code.encode())}"
    look: dict[str, Any] = {"type": "primary", "help": help_, "disabled": disabled}
    button(_("Start"), key, "slideshow", given.start, code, **look)


def _draw_page(code: str, lesson: Lesson) -> None:
    """Draw the button that makes a lesson a web page, once it is pressed."""
    st.download_button(
        _("Save as a web page"),
        partial(_lesson_page, lesson, i18n.current()),
        "lesson.html",
        "text/html",
        key=f"page-{crc32(code.encode())}",
        icon=":material/web:",
        help=_(
            "One HTML file with all its screens, to send or to put online: it needs no server. "
            "Making it takes a minute or more."
        ),
        on_click="ignore",
        disabled=not lesson.stops,
    )


def _take_over(lesson: Lesson) -> None:
    own = given.own()
    stops = (*own.stops, *lesson.stops)
    if len(stops) > MOST_STOPS:
        text = _("Together these would be more than {n} screens: remove some of yours first.")
        given.announce(text.format(n=MOST_STOPS))
        return
    given.keep_own(Lesson(own.title or lesson.title, stops))


def draw_own() -> None:
    """Draw the lesson, and what can be done with it."""
    given.say()
    own = given.own()
    st.header(_("Your own lesson"), anchor=False)
    _draw_title(own)
    if not own.stops:
        text = _(
            "It is empty. Open any chapter, set it up the way you want to show it, and "
            "press “+ Lesson” above the picture; or add screens from this list."
        )
        st.info(text, icon=":material/playlist_add:")
    before: Counter[int] = Counter()
    for i, stop in enumerate(own.stops):
        same = crc32(repr((stop.page, stop.screen, stop.settings)).encode())
        _draw_stop(own, i, f"{same}-{before[same]}")
        before[same] += 1
    _draw_add()
    if own.stops:
        _draw_sharing(own)


def _draw_title(own: Lesson) -> None:
    if st.session_state.get("lesson-title") != own.title:
        st.session_state["lesson-title"] = own.title

    def change() -> None:
        given.keep_own(replace(given.own(), title=st.session_state["lesson-title"]))

    label, tip = _("Title"), _("The name of the lesson, as the class sees it.")
    st.text_input(label, key="lesson-title", max_chars=LONGEST_TITLE, help=tip, on_change=change)


def _draw_stop(own: Lesson, i: int, key: str) -> None:
    stop, is_last = own.stops[i], i + 1 == len(own.stops)
    with st.container(border=True, key=f"stop-{i}"):
        text = escape(stop.settings.get("text", ""))
        st.markdown(
            f"**{i + 1}. {escape(title_of(Address(stop.page, stop.screen)))}**"
            + (f"  \n:gray[{text}]" if text else "")
        )
        says = _("Your words above the picture")
        _draw_text(i, "words", says, f"words-{key}", stop.words, LONGEST_WORDS)
        with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
            _draw_text(i, "note", _("Your note"), f"note-{key}", stop.note, LONGEST_NOTE)
            for icon, label, act, off in (
                ("arrow_upward", _("Move up"), lambda: _swap(i, i - 1), i == 0),
                ("arrow_downward", _("Move down"), lambda: _swap(i, i + 1), is_last),
                ("open_in_full", _("Open"), lambda: _show(stop), False),
                ("delete", _("Remove"), lambda: _take_out(i), False),
            ):
                button("", f"{icon}-{i}", icon, act, help=label, disabled=off)


def _draw_text(i: int, name: str, label: str, key: str, value: str, most: int) -> None:
    if key not in st.session_state:
        st.session_state[key] = value

    def change() -> None:
        stops = [*given.own().stops]
        stops[i] = replace(stops[i], **{name: st.session_state[key]})
        _keep(stops)

    text = _("Only you see it, in the window with the speaker’s notes.")
    help_ = text if name == "note" else None
    st.text_input(label, key=key, max_chars=most, help=help_, on_change=change)


def _swap(i: int, k: int) -> None:
    stops = [*given.own().stops]
    stops[i], stops[k] = stops[k], stops[i]
    _keep(stops)


def _take_out(i: int) -> None:
    _keep([stop for k, stop in enumerate(given.own().stops) if k != i])


def _keep(stops: Sequence[Stop]) -> None:
    given.keep_own(replace(given.own(), stops=tuple(stops)))


def _show(stop: Stop) -> None:
    state.choose(stop.settings, keep=("lang", "mine"))
    moves.go(Address(stop.page, stop.screen))


def _draw_add() -> None:
    def add() -> None:
        address = st.session_state["lesson-add"]
        if address is not None:
            given.add(address, {})
        st.session_state["lesson-add"] = None

    label = _("Add a screen")
    st.selectbox(
        label,
        every_screen(),
        index=None,
        key="lesson-add",
        format_func=title_of,
        help=_("Type a few letters of its title or of its page."),
        on_change=add,
        placeholder=label,
    )


def _draw_sharing(own: Lesson) -> None:
    code = own.to_link()
    with st.container(horizontal=True, gap="small"):
        draw_start(code, disabled=False)
        st.download_button(
            _("Save as a file"),
            own.to_file(),
            "lesson.json",
            "application/json",
            key="lesson-save",
            icon=":material/download:",
            help=_("A small file that opens the same lesson on any computer with this app."),
        )
        _draw_page(code, own)
        help_ = _("Removes all screens. To keep the lesson, save it as a file first.")
        button(_("Empty it"), "lesson-clear", "delete_sweep", given.keep_own, Lesson(), help=help_)
    if len(code) > state.LONGEST_CODE_IN_URL:
        st.caption(_("This lesson is too long for a link: share it as a file."))
        return
    first = own.stops[0]
    text = _("Link to this lesson")
    st.markdown(f"**{text}**", help=_("Whoever opens it sees the first screen in large type."))
    st.code(given.link(code, first), language=None, wrap_lines=True)


def _lesson_page(lesson: Lesson, language: str) -> bytes:
    """Return a lesson as one HTML file, made by a process of its own: it runs the screens itself.

    Raises RuntimeError where its process fails, and subprocess.TimeoutExpired.
    """
    with tempfile.TemporaryDirectory() as folder:
        written, page = Path(folder, "lesson.json"), Path(folder, "lesson.html")
        written.write_bytes(lesson.to_file())
        command = [sys.executable, "-m", "app.notebook", "book", "--single", "--lesson"]
        options = [str(written), "--language", language, "--out", str(page)]
        done = subprocess.run(
            [*command, *options],
            check=False,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
        return page.read_bytes()


draw()
