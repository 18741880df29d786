"""Choosing a run, and its controls: pause, resume, one step, stop, rewind."""

import random
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

import streamlit as st

from app.data import runs
from app.data.errors import worded
from app.data.moments import odd_files
from app.data.runs import RECORDED, RunSummary, place
from app.data.visitors import mode
from app.format import escape, grouped
from app.i18n import N_, _
from app.state import Param
from app.ui.chosen import capital
from app.ui.pickers import pick_from_list
from app.views.training import texts
from app.views.training.data.plan import SETTINGS
from app.views.training.fields import draw_number, start_number, with_range

RUN: Final = Param[str]("run", "", str)
ASKED: Final = "asked to end"  # in the session: the run, and how it ends if that is confirmed
FAILED: Final = "not done"  # in the session: why the last click did nothing
RATE: Final = SETTINGS["learning_rate"]


class End(NamedTuple):
    """A way to end a run that is alive: the question, its yes, and what that does."""

    question: str
    yes: str
    act: Callable[[str], object]


def pick_run() -> RunSummary | None:
    """Draw the runs and return the chosen one; the living one, or the newest, by default."""
    by_name = {run.name: run for run in runs.runs()}
    if lost := runs.unreadable(by_name):
        st.warning(escape(_(texts.UNREADABLE).format(names=", ".join(lost))))
    if not by_name:
        return None
    chosen = RUN.get()
    if chosen not in by_name:
        alive = (name for name, run in by_name.items() if run.alive)
        chosen = next(alive, next(iter(by_name)))
    titles = {name: title_of(run) for name, run in by_name.items()}
    help_ = _("Your runs, those of others, and recorded ones.")
    if mode() not in ("own", "exhibit"):
        help_ = _("Your runs, and recorded ones.")
    pick_from_list(RUN, _("Run"), titles, value=chosen, help=help_)
    return by_name[chosen]


def title_of(run: RunSummary) -> str:
    """Name a run by what never changes: a choice comes back from the browser as its title."""
    if run.name.startswith(RECORDED):
        return name_of(run)
    return f"{run.name} · {datetime.fromtimestamp(run.plan.created):%Y-%m-%d %H:%M}"


def name_of(run: RunSummary) -> str:
    """Return a run's name, and that it is a recorded one if it is."""
    if run.name.startswith(RECORDED):
        return _("{name} · recorded").format(name=run.name.removeprefix(RECORDED))
    return run.name


def draw_progress(run: RunSummary) -> None:
    """Draw how far a run is, how fast it goes and how long it will take."""
    status = run.status
    share = min(status.step / status.steps, 1.0) if status.steps else 0.0
    st.progress(share, text=_progress_text(run))
    if status.state == "interrupted":
        broken = _(texts.INTERRUPTED).format(step=grouped(status.step))
        st.warning(f"{broken} {_resuming(run.name)}")
    elif status.state in ("stopped", "failed"):
        st.caption(_resuming(run.name))
    if odd := odd_files(run.name):
        st.warning(_(texts.ODD_LINES).format(files=", ".join(odd)))
    for error in (status.error, st.session_state.pop(FAILED, None)):
        if error:
            st.error(escape(worded(error)))


def _resuming(name: str) -> str:
    """Say what Resume does with a run that has ended before its time."""
    saved = runs.saved_step(name)
    return _(texts.RESUMES).format(step=grouped(saved)) if saved else _(texts.RESTARTS)


def _progress_text(run: RunSummary) -> str:
    status = run.status
    parts = [capital(state_of(run))]
    ahead = place(run.name) if status.state == "queued" else 0
    if ahead:
        parts.append(_("{count} ahead of it").format(count=ahead))
    elif status.state in ("queued", "running") and not status.seconds:
        doing = texts.BEGINS if status.state == "running" else texts.STARTS
        parts.append(_(doing))
        since = duration(max(time.time() - run.plan.created, 0.0))
        parts.append(_("{time} since its start").format(time=since))
    if status.steps:
        step, steps = grouped(status.step), grouped(status.steps)
        parts.append(_("step {step} of {steps}").format(step=step, steps=steps))
    if status.seconds:
        parts.append(_("{time} so far").format(time=duration(status.seconds)))
    if status.state == "running" and status.seconds_left is not None:
        parts.append(_("{time} left").format(time=duration(status.seconds_left)))
    if status.tokens_per_second:
        parts.append(_("{count} tokens/s").format(count=grouped(round(status.tokens_per_second))))
    return " · ".join(parts)


def state_of(run: RunSummary) -> str:
    """Return where a run stands, in words; one that came in a zip has no time of its own."""
    status = run.status
    state: str = status.state
    if state == "finished" and not status.seconds:
        state = "loaded"
    elif state == "finished" and status.step < status.steps:
        state = "early"
    return _(texts.STATES[state])


def duration(seconds: float) -> str:
    """Write a time as people say it: "40 s", "3 min", "2 h 05"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d}"


def draw_controls(run: RunSummary) -> None:
    """Draw the buttons that apply to a run in its state."""
    name, recorded = run.name, run.name.startswith(RECORDED)
    if recorded:
        st.caption(_(texts.RECORDED))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if run.status.state == "running":
            _button(_("Pause"), "pause", runs.pause, name, _("Others can train in the meantime."))
        if run.status.state == "paused":
            _button(_("Resume"), "play_arrow", runs.go_on, name, _("Continue from here."))
            _button(_("One step"), "skip_next", runs.one_step, name, _("One update, then pause."))
        if run.alive:
            _button(_("Stop"), "stop", _ask("stop"), name, _("You will be asked to confirm."))
        elif not recorded and run.status.state != "finished":
            _button(_("Resume"), "play_arrow", runs.resume, name, _resuming(name))
        if runs.can_repeat(run.plan):
            act = _ask("rewind") if run.alive else _same_seed
            help_ = _("The same plan and seed again, as a new run.")
            _button(_("Rewind to step 0"), "replay", act, name, help_)
            act = _ask("seed") if run.alive else _new_seed
            help_ = _("The same plan with another seed, as a new run.")
            _button(_("New seed"), "casino", act, name, help_)
        if run.alive:
            _draw_learning_rate(run)
    asked_of, end = st.session_state.get(ASKED, ("", ""))
    if asked_of == name and run.alive:
        _draw_question(run, ENDS[end])


def _button(label: str, icon: str, act: Callable[[str], object], name: str, help_: str) -> None:
    key = f"run-{icon}"
    icon = f":material/{icon}:"
    if st.button(label, icon=icon, on_click=_do, args=(act, name), help=help_, key=key):
        st.rerun()  # the whole page: the form's button and the timer depend on it


def _do(act: Callable[[str], object], name: str) -> None:
    try:
        act(name)
    except ValueError as error:
        st.session_state[FAILED] = error


def _ask(end: str) -> Callable[[str], None]:
    return lambda name: st.session_state.update({ASKED: (name, end)})


def _draw_question(run: RunSummary, end: End) -> None:
    def do(name: str) -> None:
        _close_question(name)
        end.act(name)

    with st.container(border=True, key="sure"):
        st.markdown(_(end.question).format(step=grouped(run.status.step)))
        with st.container(horizontal=True):
            _button(_(end.yes), "check", do, run.name, _("It is saved first."))
            _button(_("No, continue"), "close", _close_question, run.name, _("Nothing changes."))


def _close_question(_name: str) -> None:
    st.session_state.pop(ASKED, None)


def _same_seed(name: str) -> None:
    RUN.set(runs.again(name))


def _new_seed(name: str) -> None:
    RUN.set(runs.again(name, random.randrange(2**31)))


ENDS: Final[Mapping[str, End]] = {
    "stop": End(texts.STOP_SURE, N_("Yes, stop"), runs.stop),
    "rewind": End(texts.AGAIN_SURE, N_("Yes, stop and rewind"), _same_seed),
    "seed": End(texts.AGAIN_SURE, N_("Yes, stop and start over"), _new_seed),
}


def _draw_learning_rate(run: RunSummary) -> None:
    key = f"rate-{run.name}"
    start_number(RATE, key, run.plan.learning_rate)
    help_ = _("The highest value of the schedule, from the next step on.")
    options: dict[str, Any] = {"on_change": _change_rate, "args": (run.name, key), "width": 210}
    rate = draw_number(RATE, with_range(RATE, _(RATE.label)), key, help=help_, **options)
    if problem := RATE.problem("learning_rate", rate):
        st.error(escape(worded(problem)))


def _change_rate(name: str, key: str) -> None:
    """Take a rate in range over; one that is not is refused where it stands."""
    rate = st.session_state[key]
    if RATE.problem("learning_rate", rate) is None:
        _do(lambda name: runs.learning_rate(name, rate), name)
