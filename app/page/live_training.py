"""Training a small network on the page: in short slices, so that it can be stopped at once."""

import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Generic, TypeVar

import streamlit as st

from app.data.cache import CACHE
from app.data.child import timed
from app.data.queue import QUEUE
from app.format import number
from app.i18n import N_, _
from app.page.screens import everything
from app.ui import player
from app.ui.buttons import button
from app.ui.live_part import live_part

R = TypeVar("R")
SLICE = 0.25  # seconds of training between two pictures
PAUSE = 0.1  # seconds between two slices
# The button that begins, and its help.
TRAIN = (N_("Train"), N_("Train until it is done, or until you stop it."))
PLAYING = "live"  # whose training goes on


@dataclass
class Live(Generic[R]):
    """One training of one visitor: what it is of, its reports so far, and whether it is over."""

    name: str
    about: Hashable
    steps: Iterator[tuple[float, R]]  # with the seconds that each took to compute
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
                QUEUE.give_way()
                if not self.over and (seconds_of_pause := pause(len(self.reports))):
                    with QUEUE.aside():
                        time.sleep(seconds_of_pause)
        finally:
            self.lock.release()

    def _step(self) -> None:
        step = next(self.steps, None)
        if step is None:
            self.over = True
        else:
            self.seconds += step[0]
            self.reports.append(step[1])


def training(
    key: str,
    about: Hashable,
    begin: Callable[[], Iterator[R]],
    first: int = 1,
    steps: Callable[[Callable[[], Iterator[R]]], Iterator[tuple[float, R]]] = timed,
) -> Live[R]:
    """Return the visitor's training of this key, begun where there is none yet.

    `about` is what it depends on: another value begins a new one. `first` is how many reports are
    made before the page is first seen, once for all visitors. `steps` is where it computes: here,
    or in a process of its own.
    """
    name = f"live-{key}"
    running: Live[R] | None = st.session_state.get(name)
    if running is None or running.about != about:
        made = CACHE.get((name, about, first), lambda: tuple(islice(timed(begin), first)))
        running = Live(name, about, islice(steps(begin), len(made), None))
        running.reports = [report for _seconds, report in made]
        running.seconds = sum(seconds for seconds, _report in made)
        st.session_state[name] = running
        _stop(name)
    return running


def draw_live(
    running: Live[R],
    total: int,
    draw: Callable[[Sequence[R]], None],
    *,
    before: int = 0,
    start: tuple[str, str] = TRAIN,
    pause: Callable[[int], float] = lambda _count: 0.0,
    again: bool = False,
) -> None:
    """Draw a training with its buttons and its progress; `draw` gets the reports so far.

    `total` is how many reports there are at most, and `before` how many of them come before the
    first step. `start` names the button that begins, and helps with it. `pause` gives the
    seconds to wait after some reports, for a training that the eye could not follow. `again`:
    another screen of the page has it too, and where all screens are drawn, its buttons do for both.
    """
    if again and everything():
        draw(running.reports)
        return

    def draw_again() -> None:
        if _playing(running.name):
            running.advance(seconds=SLICE, pause=pause)
            if running.over:
                _stop(running.name)
                st.rerun()  # the whole page: only then does the timer stop
        with st.container(key=f"{running.name}-frame"):
            with st.container(horizontal=True, vertical_alignment="center"):
                _draw_buttons(running, *map(_, start))
                _draw_progress(running, len(running.reports) - before, total - before)
            draw(running.reports)

    live_part(
        draw_again,
        run_every=PAUSE if _playing(running.name) else None,
        shared=lambda: _playing(running.name),
    )


def goes_on() -> bool:
    """Tell whether a training redraws its figures all the time, and them alone."""
    return st.session_state.get(PLAYING) is not None


def leave(page: str) -> None:
    """Stop what plays or trains where another page is opened than the one that was."""
    if st.session_state.get("page") != page:
        st.session_state["page"] = page
        st.session_state[PLAYING] = None
        player.stop()


def _draw_buttons(running: Live[R], start: str, start_help: str) -> None:
    name, playing = running.name, _playing(running.name)
    if playing:
        tip = _("Stop here. What was learned is kept, and you can continue later.")
        button(_("Stop"), f"{name}-stop", "stop", _stop, name, help=tip)
    else:
        look: dict[str, Any] = {"help": start_help, "type": "primary", "disabled": running.over}
        button(start, f"{name}-train", "play_arrow", _play, name, **look)
    still, tip = running.over or playing, _("Take a single training step.")
    if button(_("One step"), f"{name}-step", "skip_next", help=tip, disabled=still):
        running.advance(1)
        st.rerun()  # the whole page: its badge and its task are of the step that was made
    tip = _("Forget what was learned, and start again.")
    if button(_("Start again"), f"{name}-again", "replay", help=tip):
        _stop(name)
        del st.session_state[name]
        st.rerun()  # the whole page: it is what begins a training


def _draw_progress(running: Live[R], done: int, total: int) -> None:
    if running.over:
        text = _("Done after {n} steps, {seconds} s of training.")
    else:
        text = _("Step {n} of at most {total}, {seconds} s of training.")
    digits = 1 if running.seconds >= 0.1 else 6
    text = text.format(n=done, total=total, seconds=number(running.seconds, digits))
    if not running.over and done > 1 and running.seconds > 1:
        left = running.seconds / done * (total - done)
        text += " " + _("About {seconds} s left.").format(seconds=f"{left:.0f}")
    st.progress(1.0 if running.over else min(done / total, 1.0), text=text)


def _playing(name: str) -> bool:
    return bool(st.session_state.get(PLAYING) == name)


def _play(name: str) -> None:
    st.session_state[PLAYING] = name


def _stop(name: str) -> None:
    if _playing(name):
        st.session_state[PLAYING] = None
