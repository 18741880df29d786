"""The curves of a run: loss, what it gets right, learning rate, gradient norm."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.charts.toolbar import plot_config
from app.data.moments import Curves, Film, curves_of, samples_of, schedule
from app.data.runs import RunSummary
from app.i18n import _
from app.ui.chart import theme_mode
from app.ui.table import table, table_fold
from app.views.training import texts

POINTS = 200  # of the planned learning rate


def learned(one: RunSummary, made: Film, here: int) -> None:
    """Draw the loss, and what the model gets right by now."""
    found = curves_of(one.name)
    last = max(one.status.steps, one.status.step, 1)
    _draw(
        "loss", _("Loss"), _("nats a token"), last, here,
        [
            Curve(_("training"), *found.of("loss"), "residual"),
            Curve(_("validation"), *found.validation("loss"), "output", "points"),
        ],
    )  # fmt: skip
    _draw("right", _("What it gets right"), "", last, here, _right(one, found, made), (0, 1.05))
    judged = [row["judged"] for row in samples_of(one.name) if "judged" in row]
    if judged:
        st.caption(_(texts.JUDGED).format(count=judged[-1]))
    if made.scores:
        best = made.scores[made.at(here)]
        st.caption(
            _(texts.SCORE).format(
                head=best.head + 1, layer=best.layer + 1, weight=f"{best.weight:.2f}"
            )
        )


def driven(one: RunSummary, here: int) -> None:
    """Draw what drives the training: the learning rate on its way, and the gradient norm."""
    found = curves_of(one.name)
    last = max(one.status.steps, one.status.step, 1)
    steps = np.unique(np.linspace(1, last, POINTS).astype(int))
    _draw(
        "rate", _("Learning rate"), "", last, here,
        [
            Curve(_("planned"), steps, schedule(one.plan, steps.tolist()), "residual", "dash"),
            Curve(_("so far: you are here"), *found.of("learning_rate"), "query"),
        ],
    )  # fmt: skip
    _draw(
        "norm", _("Gradient norm"), _("before clipping"), last, here,
        [Curve(_("before clipping"), *found.of("gradient_norm"), "key")],
    )  # fmt: skip
    table_fold("curves", lambda: _table(found, one.name))


def _right(one: RunSummary, found: Curves, made: Film) -> list[Curve]:
    rows = samples_of(one.name)
    exact = np.array([row["exact"] for row in rows], float)
    at = np.array([row["step"] for row in rows])
    drawn = [Curve(_("sentences exactly right"), at, exact, "output", "points")]
    steps, bleu = found.validation("bleu")
    if one.plan.source:
        drawn.append(Curve("BLEU / 100", steps, bleu / 100, "value", "dash"))
    if made.scores:
        best = np.array([score.weight for score in made.scores])
        drawn.append(Curve(_("best head"), np.array(made.steps), best, "query"))
    return drawn


def _draw(
    name: str, title: str, value_title: str, last: int, here: int, drawn: Sequence[Curve],
    span: tuple[float, float] | None = None,
) -> None:  # fmt: skip
    figure = curves(
        drawn, step_title=_("step"), value_title=value_title, title=title, steps=last, span=span,
        here=here, mode=theme_mode(),
    )  # fmt: skip
    st.plotly_chart(figure, theme=None, config=plot_config(name), key=f"curve-{name}", alt=title)


def _table(found: Curves, name: str) -> None:
    if not found.rows:
        st.caption(_("Nothing was logged yet."))
        return
    validation = [row.get("validation") or {} for row in found.rows]
    columns: dict[str, Sequence[str | float]] = {
        _("step"): [str(row["step"]) for row in found.rows],
        _("loss"): [float(row["loss"]) for row in found.rows],
        _("learning rate"): [f"{row['learning_rate']:.3g}" for row in found.rows],
        _("gradient norm"): [float(row["gradient_norm"]) for row in found.rows],
        _("validation loss"): [f"{row['loss']:.4f}" if row else "" for row in validation],
    }
    table(columns, f"curves-{name.replace('/', '-')}")
