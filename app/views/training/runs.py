"""Choosing a run, and telling it what to do: pause, go on, one step, stop, again."""

import random
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final, NamedTuple

import streamlit as st

from app import state
from app.data.runs import (
    RECORDED,
    RunSummary,
    again,
    can_repeat,
    go_on,
    learning_rate,
    one_step,
    pause,
    place,
    resume,
    run,
    runs,
    stop,
)
from app.format import escape, grouped
from app.i18n import N_, _
from app.state import Param
from app.views.training import texts
from app.views.training.data.errors import worded

RUN: Final = Param[str]("run", "", str)
ASKED: Final = "asked to end"  # in the session: the run, and how it shall end if that is confirmed
FAILED: Final = "not done"  # in the session: why a wish could not be fulfilled


class End(NamedTuple):
    """A way to end a run that is alive: what is asked, the answer, and what is then done."""

    sure: str
    yes: str
    act: Callable[[str], object]


def pick_run() -> RunSummary | None:
    """Draw the runs and return the chosen one; the living one, or the newest, by default."""
    found = runs()
    if not found:
        return None
    chosen = RUN.get()
    names = [one.name for one in found]
    if chosen not in names:
        chosen = next((one.name for one in found if one.alive), names[0])
    titles = {one.name: _title(one) for one in found}
    st.selectbox(
        _("Run"), names, key=RUN.widget(chosen), format_func=titles.__getitem__,
        help=_("Yours, those of others, and those that were recorded."),
    )  # fmt: skip
    return found[names.index(chosen)]


def _title(one: RunSummary) -> str:
    """Name a run by what never changes: a choice comes back from the browser as its title."""
    if one.name.startswith(RECORDED):
        return _("{name} · recorded").format(name=one.name.removeprefix(RECORDED))
    return f"{one.name} · {datetime.fromtimestamp(one.plan.created):%Y-%m-%d %H:%M}"


def progress(one: RunSummary) -> None:
    """Draw how far a run is, how fast it goes and how long it will take."""
    now = one.status
    share = min(now.step / now.steps, 1.0) if now.steps else 0.0
    st.progress(share, text=_facts(one))
    if now.state == "interrupted":
        st.warning(_(texts.INTERRUPTED).format(step=grouped(now.step)))
    if now.error:
        st.error(escape(worded(now.error)))
    if problem := st.session_state.pop(FAILED, None):
        st.error(escape(worded(problem)))


def _facts(one: RunSummary) -> str:
    now = one.status
    words = [_(texts.STATES[now.state]).capitalize()]
    if now.state == "queued" and (ahead := place(one.name)):
        words.append(_("{count} before it").format(count=ahead))
    if now.steps:
        words.append(
            _("step {step} of {steps}").format(step=grouped(now.step), steps=grouped(now.steps))
        )
    if now.seconds:
        words.append(_("{time} so far").format(time=duration(now.seconds)))
    if now.state == "running" and now.seconds_left is not None:
        words.append(_("{time} left").format(time=duration(now.seconds_left)))
    if now.tokens_per_second:
        words.append(_("{count} tokens/s").format(count=grouped(round(now.tokens_per_second))))
    return " · ".join(words)


def duration(seconds: float) -> str:
    """Write a time as people say it: "40 s", "3 min", "2 h 05"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d}"


def controls(one: RunSummary) -> None:
    """Draw the buttons that this run answers to at this moment."""
    now, mine = one.status.state, not one.name.startswith(RECORDED)
    if not mine:
        st.caption(_(texts.RECORDED))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if now == "running":
            _button(_("Pause"), "pause", pause, one.name, _("Others may train meanwhile."))
        if now == "paused":
            _button(_("Resume"), "play_arrow", go_on, one.name, _("Go on from here."))
            _button(_("One step"), "skip_next", one_step, one.name, _("One update, then wait."))
        if one.alive:
            _button(_("Stop"), "stop", _asking("stop"), one.name, _("Asks once more."))
        elif mine and now != "finished":
            _button(_("Resume"), "play_arrow", resume, one.name, _("From what it saved last."))
        if can_repeat(one.plan):
            _button(
                _("Rewind to step 0"), "replay", _asking("rewind") if one.alive else _same_seed,
                one.name, _("The same plan and the same seed once more, as a new run."),
            )  # fmt: skip
            _button(
                _("New seed"), "casino", _asking("seed") if one.alive else _new_seed, one.name,
                _("The same plan with other random numbers, as a new run."),
            )  # fmt: skip
        if one.alive:
            _rate(one)
    name, end = st.session_state.get(ASKED, ("", ""))
    if name == one.name and one.alive:
        _confirm(one, ENDS[end])


def _button(text: str, icon: str, act: Callable[[str], object], name: str, help_: str) -> None:
    if st.button(
        text, icon=f":material/{icon}:", on_click=_do, args=(act, name), help=help_,
        key=f"run-{icon}",
    ):  # fmt: skip
        st.rerun()  # the whole page: the form's button and the timer depend on it


def _do(act: Callable[[str], object], name: str) -> None:
    try:
        act(name)
    except ValueError as error:
        st.session_state[FAILED] = error


def _asking(end: str) -> Callable[[str], None]:
    """Return what asks whether a run shall really end so."""

    def ask(name: str) -> None:
        st.session_state[ASKED] = (name, end)

    return ask


def _confirm(one: RunSummary, end: End) -> None:
    def do(name: str) -> None:
        _ask_no_more(name)
        end.act(name)

    with st.container(border=True, key="sure"):
        st.markdown(_(end.sure).format(step=grouped(one.status.step)))
        with st.container(horizontal=True):
            _button(_(end.yes), "check", do, one.name, _("It saves first."))
            _button(_("No, go on"), "close", _ask_no_more, one.name, _("Nothing changes."))


def _ask_no_more(_name: str) -> None:
    st.session_state.pop(ASKED, None)


def _same_seed(name: str) -> None:
    RUN.set(again(name))


def _new_seed(name: str) -> None:
    RUN.set(again(name, random.randrange(2**31)))


ENDS: Final[Mapping[str, End]] = {
    "stop": End(texts.STOP_SURE, N_("Yes, stop"), stop),
    "rewind": End(texts.AGAIN_SURE, N_("Yes, stop and rewind"), _same_seed),
    "seed": End(texts.AGAIN_SURE, N_("Yes, stop and begin anew"), _new_seed),
}


def _rate(one: RunSummary) -> None:
    """Draw the learning rate of a living run, which its next steps follow."""
    rates = one.plan.train.rates
    now = rates[-1][1] if rates else one.plan.train.learning_rate
    key = f"rate-{one.name}"
    st.session_state.setdefault(key, now)
    st.number_input(
        _("Learning rate"), 0.00001, 9.0, step=0.0005, format="%g", key=key, width=190,
        on_change=_change_rate, args=(one.name, key),
        help=_("The highest value of its schedule, from the next step on."),
    )  # fmt: skip


def _change_rate(name: str, key: str) -> None:
    _do(lambda run_name: learning_rate(run_name, st.session_state[key]), name)


def follow(shown: RunSummary, chosen: str) -> RunSummary | None:
    """Return a run as it is now, of which the page shows what it was; None if it was deleted.

    The whole page comes anew where its timer has to start or stop, or another run was chosen.
    """
    state.sync()
    now = run(shown.name)
    alive = now is not None and now.alive
    if alive != shown.alive or RUN.get() != chosen:
        st.rerun()
    return now
