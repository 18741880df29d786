"""The curves of a run: loss, shares of right answers, learning rate, gradient norm."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.data.moments import Curves, Film, curves_of, samples_of, schedule
from app.data.runs import RunSummary
from app.format import number, share
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.kept import table_menu
from app.ui.table import Columns
from app.views.training import texts
from app.views.training.data.run import floors_of
from app.views.training.film import FilmScene

POINTS = 200  # of the planned learning rate's curve


def draw_learning(run: RunSummary, scene: FilmScene) -> None:
    """Draw the loss, and what the model gets right so far."""
    log, film, here = curves_of(run.name), scene.film, scene.step
    _draw_loss(run, log, film, here)
    samples = samples_of(run.name)
    layer, head = scene.aligning if film.attends else (0, 0)
    shares = None if film.shares is None else film.shares[:, layer, head]  # (N,)
    right = _right(run, log, samples, film.steps, shares)
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


def _right(
    run: RunSummary,
    log: Curves,
    samples: Sequence[dict[str, Any]],
    filmed: Sequence[int],
    shares: np.ndarray | None,
) -> list[Curve]:
    steps, exact = (np.array([row[name] for row in samples], float) for name in ("step", "exact"))
    drawn = [Curve(_("sentences exactly right"), steps, exact, "output", "points")]
    if run.plan.source:
        steps, bleu = log.validation("bleu")
        drawn.append(Curve("BLEU / 100", steps, bleu / 100, "value", "dash"))
    if shares is not None:
        drawn.append(Curve(_("this head"), np.array(filmed), shares, "query"))
    return drawn


def _draw_curves(
    run: RunSummary,
    here: int,
    key: str,
    title: str,
    drawn: Sequence[Curve],
    value_title: str = "",
    span: tuple[float, float] | None = None,
) -> None:
    look: dict[str, Any] = {"title": title, "steps": _last_step(run), "span": span, "here": here}
    show_chart(curves(drawn, _("training step"), value_title, **look), key, alt=title)


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
