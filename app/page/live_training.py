"""Training a small network on the page: in short slices, so that it can be stopped at once."""

import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import streamlit as st

from app.i18n import N_, _
from app.ui import player

R = TypeVar("R")
SLICE = 0.25  # seconds of training between two pictures
PAUSE = 0.1  # seconds between two slices
# The button that begins, and its help.
TRAIN = (N_("Train"), N_("Train on until it is done, or until you stop it."))
PLAYING = "live"  # whose training goes on


@dataclass
class Live(Generic[R]):
    """One training of one visitor: what it is of, its reports so far, and whether it is over."""

    about: Hashable
    steps: Iterator[R]
    reports: list[R] = field(default_factory=list)
    over: bool = False
    seconds: float = 0.0  # of computing
    # A quick second click may start a run of the page while the one before is in the middle.
    lock: threading.Lock = field(default_factory=threading.Lock)

    def advance(
        self,
        count: int | None = None,
        seconds: float = float("inf"),
        pause: Callable[[int], float] = lambda _count: 0.0,
    ) -> None:
        """Make some steps, at most `count`, and no new one after some seconds, pauses included."""
        if not self.lock.acquire(blocking=False):
            return
        try:
            end = time.perf_counter() + seconds
            while not self.over and count != 0 and time.perf_counter() < end:
                self._step()
                count = None if count is None else count - 1
                if not self.over:
                    time.sleep(pause(len(self.reports)))
        finally:
            self.lock.release()

    def _step(self) -> None:
        begun = time.perf_counter()
        report = next(self.steps, None)
        self.seconds += time.perf_counter() - begun
        if report is None:
            self.over = True
        else:
            self.reports.append(report)


def live(
    key: str,
    about: Hashable,
    begin: Callable[[], Iterator[R]],
    total: int,
    draw: Callable[[Sequence[R]], None],
    *,
    first: int | None = 1,
    before: int = 0,
    start: tuple[str, str] = TRAIN,
    pause: Callable[[int], float] = lambda _count: 0.0,
) -> None:
    """Draw a training with its buttons and its progress; `draw` gets the reports so far.

    `about` is what the training depends on: another value begins a new one. `total` is how many
    reports there are at most, and `first` how many are made before the page is first seen (None:
    all, for what takes a moment only). `before` is how many of them come before the first step.
    `start` names the button that begins, and helps with it. `pause` is how many seconds to wait
    after so many reports, for a training that the eye could not follow.
    """
    name = f"live-{key}"
    made: Live[R] | None = st.session_state.get(name)
    if made is None or made.about != about:
        made = st.session_state[name] = Live(about, begin())
        made.advance(first)
        _stop(name)
    timed = _playing(name)
    st.fragment(_run, run_every=PAUSE if timed else None)(
        name, total, before, draw, timed, start, pause
    )


def leave(page: str) -> None:
    """Stop what plays or trains where another page is opened than the one that was."""
    if st.session_state.get("page") != page:
        st.session_state["page"] = page
        st.session_state[PLAYING] = None
        player.stop()


def reports(key: str) -> Sequence[Any]:
    """Return the reports so far of a training that is on the page."""
    made: Live[Any] = st.session_state[f"live-{key}"]
    return made.reports


def _run(
    name: str,
    total: int,
    before: int,
    draw: Callable[[Sequence[R]], None],
    timed: bool,
    start: tuple[str, str],
    pause: Callable[[int], float],
) -> None:
    made: Live[R] = st.session_state[name]
    if _playing(name):
        made.advance(seconds=SLICE, pause=pause)
        if made.over:
            _stop(name)
    if _playing(name) != timed:
        st.rerun()  # the whole page: only then does the timer start or stop
    with st.container(key=f"{name}-frame"):
        _buttons(name, made, *map(_, start))
        _progress(made, len(made.reports) - before, total - before)
        draw(made.reports)


def _buttons(name: str, made: Live[R], start: str, start_help: str) -> None:
    playing = _playing(name)
    with st.container(horizontal=True):
        if playing:
            st.button(
                _("Stop"), icon=":material/stop:", key=f"{name}-stop", on_click=_stop, args=(name,),
                help=_("Stop here; what was learned stays, and training can go on later."),
            )  # fmt: skip
        else:
            st.button(
                start, icon=":material/play_arrow:", key=f"{name}-train", type="primary",
                disabled=made.over, on_click=_play, args=(name,),
                help=start_help,
            )  # fmt: skip
        if st.button(
            _("One step"), icon=":material/skip_next:", key=f"{name}-step",
            disabled=made.over or playing, help=_("Make one step of the training only."),
        ):  # fmt: skip
            made.advance(1)
            st.rerun()  # the whole page: its badge and its task are of the step that was made
        if st.button(
            _("Start again"), icon=":material/replay:", key=f"{name}-again",
            help=_("Forget what was learned, and begin again."),
        ):  # fmt: skip
            _stop(name)
            del st.session_state[name]
            st.rerun()  # the whole page: it is what begins a training


def _progress(made: Live[R], done: int, total: int) -> None:
    if made.over:
        said = _("Done after {n} steps, {seconds} s of training.")
    else:
        said = _("Step {n} of at most {total}, {seconds} s of training.")
    seconds = f"{made.seconds:.{1 if made.seconds >= 0.1 else 4}f}"
    text = said.format(n=done, total=total, seconds=seconds)
    if not made.over and done > 1 and made.seconds > 1:
        left = made.seconds / done * (total - done)
        text += " " + _("About {seconds} s more.").format(seconds=f"{left:.0f}")
    st.progress(1.0 if made.over else min(done / total, 1.0), text=text)


def _playing(name: str) -> bool:
    return bool(st.session_state.get(PLAYING) == name)


def _play(name: str) -> None:
    st.session_state[PLAYING] = name


def _stop(name: str) -> None:
    if _playing(name):
        st.session_state[PLAYING] = None
