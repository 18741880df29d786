"""The curves of a run and of many: loss, shares of right answers, learning rate, gradient norm."""

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, Look, curves
from app.charts.theme import Role
from app.data.moments import Curves, Film, curves_of, schedule
from app.data.runs import RunSummary, job_of, runs, stop
from app.format import escape, number, share, short
from app.i18n import _
from app.state import Param
from app.ui.buttons import button
from app.ui.chart import show_chart
from app.ui.kept import table_menu
from app.ui.run_bar import duration, state_of
from app.ui.table import Columns, table
from app.views.training import texts
from app.views.training.data import differing, floors_of, setting_label
from app.views.training.film import FilmScene
from app.views.training.runs import name_of, task_name, title_of

POINTS = 200  # of the planned learning rate's curve
LAID_OVER: Final = Param[str]("curves-of", "", str)
MOST: Final = 9
MOST_NAMED: Final = 2  # settings: as many as a sweep has
ROLES: Final[Sequence[Role]] = ("query", "key", "value", "output", "input", "residual")
LOOKS: Final[Sequence[Look]] = ("line", "dash")


def draw_learning(run: RunSummary, scene: FilmScene) -> None:
    """Draw the loss, and what the model gets right so far."""
    log, film, here = curves_of(run.name), scene.film, scene.step
    _draw_loss(run, log, film, here)
    samples = run.folder.samples()
    layer, head = scene.aligning if film.attends else (0, 0)
    shares = None if film.shares is None else film.shares[:, layer, head]  # (N,)
    steps, exact = (np.array([row[name] for row in samples], float) for name in ("step", "exact"))
    right = [Curve(_("sentences exactly right"), steps, exact, "output", "points")]
    if run.plan.source:
        steps, bleu = log.validation("bleu")
        right.append(Curve("BLEU / 100", steps, bleu / 100, "value", "dash"))
    if shares is not None:
        right.append(Curve(_("this head"), np.array(film.steps), shares, "query"))
    _draw_curves(run, here, "right", _("What it gets right"), right, span=(0, 1.05))
    judged = [row["judged"] for row in samples if "judged" in row]
    if judged:
        text = _(
            "“Sentences exactly right” is the share of {count} held-out sentences that "
            "come out word for word."
        )
        st.caption(text.format(count=judged[-1]))
    if shares is not None:
        weight = share(shares[scene.at])
        st.caption(_(texts.SCORE).format(head=head + 1, layer=layer + 1, weight=weight))


def draw_optimisation(run: RunSummary, here: int) -> None:
    """Draw the learning rate on its schedule, and the gradient norm."""
    log = curves_of(run.name)
    steps = np.unique(np.linspace(1, _last_step(run), POINTS).astype(int))
    rates = [
        Curve(_("planned"), steps, schedule(run.plan, steps.tolist()), "residual", "dash"),
        Curve(_("so far: you are here"), *log.of("learning_rate"), "query"),
    ]
    _draw_curves(run, here, "rate", _("Learning rate"), rates)
    norm = Curve(_("before clipping"), *log.of("gradient_norm"), "key")
    _draw_curves(run, here, "norm", _("Gradient norm"), [norm], _("before clipping"))
    if log.rows:
        table_menu("curves", lambda: _columns(log), "curves")


def _draw_loss(run: RunSummary, log: Curves, film: Film, here: int) -> None:
    """Draw training and validation cross-entropy, or the smoothed loss if only that was logged.

    With label smoothing, a line marks the loss of a model that predicts exactly its target.
    """
    validation = Curve(_("validation"), *log.validation("loss"), "output", "points")
    if run.plan.train.label_smoothing == 0:
        training = Curve(_("training"), *log.of("loss"), "residual")
        _draw_curves(run, here, "loss", _("Loss"), [training, validation], _("nats per token"))
        return
    older = Curves([row for row in log.rows if "cross_entropy" not in row])
    floor, ends = floors_of(film)[0 if older.rows else 1], np.array([0, _last_step(run)])
    drawn = [
        Curve(_("training"), *log.of("cross_entropy"), "residual"),
        Curve(_("training, smoothed"), *older.of("loss"), "key"),
        validation,
        Curve(_("minimum with smoothing"), ends, np.full(2, floor), "input", "dash"),
    ]
    drawn = [curve for curve in drawn if curve.x.size]
    _draw_curves(run, here, "loss", _("Loss"), drawn, _("nats per token"))
    text = texts.SMOOTHED if older.rows else texts.UNSMOOTHED
    st.caption(_(text).format(floor=number(floor, 3)))


def _draw_curves(
    run: RunSummary,
    here: int,
    key: str,
    title: str,
    drawn: Sequence[Curve],
    unit: str = "",
    **look: Any,
) -> None:
    look |= {"title": title, "steps": _last_step(run), "here": here}
    show_chart(curves(drawn, _("training step"), unit, **look), key, alt=title)


def _last_step(run: RunSummary) -> int:
    return max(run.status.steps, run.status.step, 1)


def _columns(log: Curves) -> Columns:
    validation = [row.get("validation") or {} for row in log.rows]
    unsmoothed = [row.get("cross_entropy") for row in log.rows]
    return {
        _("training step"): [str(row["step"]) for row in log.rows],
        _("loss"): [float(row["loss"]) for row in log.rows],
        _("cross-entropy"): [math.nan if x is None else float(x) for x in unsmoothed],
        _("learning rate"): [float(row["learning_rate"]) for row in log.rows],
        _("gradient norm"): [float(row["gradient_norm"]) for row in log.rows],
        _("validation loss"): [float(row.get("loss", math.nan)) for row in validation],
    }


def draw_job(run: RunSummary) -> None:
    """Draw the runs that were started together: their progress, and their curves."""
    job = job_of(run)
    if len(job) < 2:
        return
    st.header(_("Several values, one after the other"))
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
    losses = [curves_of(run.name).validation("loss")[1] for run in some]
    samples = [run.folder.samples() for run in some]
    columns: dict[str, Any] = {
        _("run"): [name_of(run) for run in some],
        _("task"): [task_name(run.plan.task) for run in some],
        _("state"): [state_of(run) for run in some],
        _("validation loss"): [float(one[-1]) if one.size else np.nan for one in losses],
        _("exactly right"): [float(rows[-1]["exact"]) if rows else np.nan for rows in samples],
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
        rows = run.folder.samples()
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


def _text(value: Any) -> str:
    return short(value, 3) if isinstance(value, float) else str(value)
