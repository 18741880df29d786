"""Many runs: a table of their differences and results, and their curves in one chart."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, Look, curves
from app.charts.theme import Role
from app.data.moments import curves_of, samples_of
from app.data.runs import RunSummary, job_of, runs, stop
from app.format import escape, short
from app.i18n import _
from app.state import Param
from app.ui.buttons import button
from app.ui.chart import show_chart
from app.ui.run_bar import duration, state_of
from app.ui.table import table
from app.views.training.data.plan import differing, setting_label
from app.views.training.form import task_name
from app.views.training.runs import name_of, title_of

LAID_OVER: Final = Param[str]("curves-of", "", str)
MOST: Final = 9
MOST_NAMED: Final = 2  # settings: as many as a sweep has
ROLES: Final[Sequence[Role]] = ("query", "key", "value", "output", "input", "residual")
LOOKS: Final[Sequence[Look]] = ("line", "dash")


def draw_job(run: RunSummary) -> None:
    """Draw the runs that were started together: their progress, and their curves."""
    job = job_of(run)
    if len(job) < 2:
        return
    st.subheader(_("Several values, one after the other"))
    draw_table(job, "job")
    draw_curves(job, "job")
    alive = [one.name for one in job if one.alive]
    if alive and button(_("Stop all"), "stop-job", "stop"):
        for name in alive:
            stop(name)
        st.rerun()


def draw_many(run: RunSummary) -> None:
    """Draw all runs as a table, and the curves of the chosen ones."""
    everything = runs()
    draw_table(everything, "runs")
    titles = {one.name: title_of(one) for one in everything}
    chosen = [name for name in LAID_OVER.get().split(",") if name in titles] or [run.name]
    key = LAID_OVER.key
    st.session_state.setdefault(key, chosen)
    st.multiselect(
        _("Curves of"),
        list(titles),
        key=key,
        format_func=titles.__getitem__,
        max_selections=MOST,
        on_change=lambda: LAID_OVER.keep(",".join(st.session_state[key])),
        help=_("At most nine runs: one curve for each, named by what differs."),
    )
    draw_curves([one for one in everything if one.name in st.session_state[key]], "many")


def draw_table(some: Sequence[RunSummary], name: str) -> None:
    """Draw a row for each run: how it differs from the others, and its result."""
    names, settings = differing([run.plan for run in some])
    last = [_outcome(run) for run in some]
    columns: dict[str, Any] = {
        _("run"): [name_of(run) for run in some],
        _("task"): [task_name(run.plan.task) for run in some],
        _("state"): [state_of(run) for run in some],
        _("validation loss"): [loss for loss, _exact in last],
        _("exactly right"): [exact for _loss, exact in last],
        _("time"): [duration(run.status.seconds) for run in some],
    }
    columns |= {
        setting_label(setting): [_text(row[i]) for row in settings]
        for i, setting in enumerate(names)
    }
    table(columns, name)


def draw_curves(some: Sequence[RunSummary], key: str) -> None:
    """Draw the losses of several runs in one chart, and what the runs get right."""
    if not some:
        return
    losses, exact = [], []
    told, names = labels(some)
    for i, (run, name) in enumerate(zip(some, names, strict=True)):
        role, look = ROLES[i % len(ROLES)], LOOKS[i // len(ROLES) % len(LOOKS)]
        losses.append(_loss(run, name, role, look))
        rows = samples_of(run.name)
        at, share = (np.array([row[part] for row in rows], float) for part in ("step", "exact"))
        exact.append(Curve(name, at, share, role, look))
    last = max(run.status.steps for run in some)
    parts = (
        (_("Training loss"), "loss", losses, _("nats per token"), None),
        (_("Sentences exactly right"), "exact", exact, "", (0.0, 1.05)),
    )
    for column, (title, part, drawn, unit, span) in zip(st.columns(2), parts, strict=True):
        with column:
            st.caption(" · ".join([f"**{title}**", *([escape(told)] if told else [])]))
            figure = curves(drawn, _("training step"), unit, steps=last, span=span, height=280)
            show_chart(figure, f"{key}-{part}", alt=title)


def labels(some: Sequence[RunSummary]) -> tuple[str, list[str]]:
    """Return the one or two settings in which runs differ with each run's values, or run names."""
    names, settings = differing([run.plan for run in some])
    values = [", ".join(map(_text, row)) for row in settings]
    if not 1 <= len(names) <= MOST_NAMED or len(set(values)) < len(some):
        return "", [name_of(run) for run in some]
    return ", ".join(map(setting_label, names)), values


def _loss(run: RunSummary, name: str, role: Role, look: Look) -> Curve:
    """Return a run's cross-entropy, or the smoothed loss, so named, if only that was logged."""
    log = curves_of(run.name)
    if all("cross_entropy" in row for row in log.rows):
        return Curve(name, *log.of("cross_entropy"), role, look)
    if run.plan.train.label_smoothing:
        name = _("{name}, smoothed").format(name=name)
    return Curve(name, *log.of("loss"), role, look)


def _outcome(run: RunSummary) -> tuple[float, float]:
    """Return the last validation loss, and the share of exact matches; NaN before there is one."""
    losses = curves_of(run.name).validation("loss")[1]
    rows = samples_of(run.name)
    return (
        float(losses[-1]) if losses.size else np.nan,
        float(rows[-1]["exact"]) if rows else np.nan,
    )


def _text(value: Any) -> str:
    return short(value, 3) if isinstance(value, float) else str(value)
