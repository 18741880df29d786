"""The progress of a training run, in words and as a bar."""

import time
from collections.abc import Mapping
from typing import Final

import streamlit as st

from app.data.runs import RunSummary, place
from app.format import grouped
from app.i18n import N_, _
from app.ui.chosen import capital

STATES: Final[Mapping[str, str]] = {
    "queued": N_("waiting"),
    "running": N_("training"),
    "paused": N_("paused"),
    "stopped": N_("stopped"),
    "finished": N_("completed"),
    "early": N_("completed early, as nothing got better"),
    "loaded": N_("loaded from a file"),
    "failed": N_("failed"),
    "interrupted": N_("interrupted"),
}


def draw_bar(run: RunSummary) -> None:
    """Draw a run's progress, its speed and its remaining time."""
    status = run.status
    parts = [capital(state_of(run))]
    ahead = place(run.name) if status.state == "queued" else 0
    if ahead:
        parts.append(_("{count} ahead of it").format(count=ahead))
    elif status.state in ("queued", "running") and not status.seconds:
        doing = _("starting a process of its own")
        if status.state == "running":
            doing = _("reading the pairs and building the model")
        parts.append(doing)
        since = duration(max(time.time() - run.plan.created, 0.0))
        parts.append(_("{time} since its start").format(time=since))
    if status.steps:
        step, steps = grouped(status.step), grouped(status.steps)
        parts.append(_("step {step} of {steps}").format(step=step, steps=steps))
    if status.seconds:
        time_taken = duration(status.seconds)
        is_over = status.state == "finished"
        parts.append(time_taken if is_over else _("{time} so far").format(time=time_taken))
    if status.state == "running" and status.seconds_left is not None:
        parts.append(_("{time} left").format(time=duration(status.seconds_left)))
    if status.tokens_per_second:
        parts.append(_("{count} tokens/s").format(count=grouped(round(status.tokens_per_second))))
    share = min(status.step / status.steps, 1.0) if status.steps else 0.0
    st.progress(share, text=" · ".join(parts))


def state_of(run: RunSummary) -> str:
    """Return the state of a run in words; a run from a zip file has no time of its own."""
    status = run.status
    state: str = status.state
    if state == "finished" and not status.seconds:
        state = "loaded"
    elif state == "finished" and status.step < status.steps:
        state = "early"
    return _(STATES[state])


def duration(seconds: float) -> str:
    """Write a duration in everyday form: "40 s", "3 min", "2 h 05"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d}"
