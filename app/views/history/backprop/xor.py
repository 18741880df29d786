"""A small network that learns XOR with the engine, live; and what becomes of other starts."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.charts.plane import Dots, Surface, plane
from app.components.board import array_grid, board
from app.format import minus
from app.i18n import _
from app.page.live_training import draw_live
from app.ui.chart import show_chart
from app.ui.pickers import pick
from app.ui.table import table, table_fold
from app.views.history.backprop import texts
from app.views.history.backprop.choice import HIDDEN, RATE, RATES, SEED, SQUASH, SQUASHES, Choice
from app.views.history.backprop.data import STARTS, descend, surface, xor

# Seconds after each of the first updates: they are too fast for the eye.
SLOW, PAUSE = 200, 0.004
PLACES: Final = np.linspace(-0.5, 1.5, 41)
SPAN: Final = (-0.5, 1.5)
POINTS: Final = 400  # more than this, and the curve is thinned out
REACHES: Final = (100, 200, 500, 1000)  # where the axis of the updates may end


def xor_text(choice: Choice) -> str:
    """Say how large the network is."""
    return _(texts.XOR).format(hidden=choice.plan.hidden, n=choice.plan.n_weights)


def draw_learning(choice: Choice) -> None:
    """Draw the choices, and the training."""
    output, wanted = _("output"), _("wanted")
    st.latex(
        rf"E = \tfrac{{1}}{{2}} \sum (\text{{{output}}} - \text{{{wanted}}})^2"
        r" \quad w \leftarrow w - \eta\,\frac{\partial E}{\partial w}"
    )
    st.caption(_(texts.XOR_RULE))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pick(HIDDEN, _("Hidden units"), ("2", "3"), help=_(texts.HIDDEN_HELP))
        pick(SQUASH, _("Hidden function"), SQUASHES, help=_(texts.SQUASH_HELP))
        pick(RATE, _("Step size η"), RATES, help=_(texts.RATE_HELP))
        key, tip = SEED.widget(), _(texts.SEED_HELP)
        st.number_input(_("Seed"), 0, 9999, step=1, key=key, help=tip, width=130)
    draw_live(
        choice.training,
        choice.plan.updates + 1,
        partial(_draw, choice.plan),
        before=1,
        pause=lambda count: PAUSE if count <= SLOW else 0.0,
    )


def _draw(plan: xor.Plan, reports: Sequence[xor.Report]) -> None:
    report = reports[-1]
    _draw_verdict(plan, reports)
    left, right = st.columns(2, gap="medium")
    with left:
        _draw_surface(plan, report)
    with right:
        _draw_curve(plan, reports)
        st.table(_rows(report))
    st.markdown(_(texts.WEIGHTS))
    weights = {
        _("weight"): weight_names(plan),
        _("value"): [minus(f"{w:.4f}") for w in report.weights],
        "∂E/∂w": [minus(f"{s:+.5f}") for s in report.slopes],
    }
    st.table(weights)
    table_fold("xor-errors", lambda: table(_errors(reports), "xor"))


def _draw_verdict(plan: xor.Plan, reports: Sequence[xor.Report]) -> None:
    last, updates = reports[-1], len(reports) - 1
    values = {"right": last.right, "loss": f"{last.loss:.4f}", "n": updates}
    if last.loss < xor.ENOUGH:
        st.success(_(texts.LEARNED).format(**values), icon=":material/check:")
    elif updates == plan.updates:
        st.warning(_(texts.STUCK).format(**values), icon=":material/landscape:")
    else:
        st.info(_(texts.LEARNING).format(**values), icon=":material/trending_down:")


def _draw_surface(plan: xor.Plan, report: xor.Report) -> None:
    inputs, targets, name = np.array(xor.INPUTS), np.array(xor.TARGETS), _("XOR = {wanted}")
    dots = [
        Dots(name.format(wanted=wanted), inputs[targets == wanted], "output", symbol, size=16)
        for wanted, symbol in ((1, "circle"), (0, "circle-open"))
    ]
    answers = Surface(PLACES, surface(report, plan, PLACES), _("output"))
    figure = plane(dots, [], across=SPAN, x_title="x₁", y_title="x₂", surface=answers)
    alt = _("What the network says for every point of the plane")
    show_chart(figure, "xor", alt)
    st.caption(_(texts.SURFACE))


def _draw_curve(plan: xor.Plan, reports: Sequence[xor.Report]) -> None:
    updates = len(reports) - 1
    at = np.unique(np.linspace(0, updates, min(len(reports), POINTS)).round().astype(int))
    error = Curve(_("error"), at, np.array([reports[i].loss for i in at]), "output")
    # The axis goes far enough, and stays the same for many updates.
    steps = next((reach for reach in REACHES if updates <= reach), plan.updates)
    title = _("The error, update by update")
    axes = _("update"), _("error E")
    show_chart(curves([error], *axes, title=title, steps=steps, height=220), "xor-error", title)


def _rows(report: xor.Report) -> dict[str, list[str]]:
    return {
        "x₁": [str(row[0]) for row in xor.INPUTS],
        "x₂": [str(row[1]) for row in xor.INPUTS],
        _("output"): [f"{y:.4f}" for y in report.outputs],
        "XOR": [str(goal) for goal in xor.TARGETS],
        _("right?"): [
            "✓" if (y > 0.5) == bool(goal) else "✗"
            for y, goal in zip(report.outputs, xor.TARGETS, strict=True)
        ],
    }


def weight_names(plan: xor.Plan) -> list[str]:
    """Name the weights in the order of a report."""
    units = [f"h{'₁₂₃'[unit]}" for unit in range(plan.hidden)]
    names = [f"{x} → {unit}" for unit in units for x in ("x₁", "x₂", _("bias"))]
    output = _("output")
    return [*names, *(f"{unit} → {output}" for unit in (*units, _("bias")))]


def _errors(reports: Sequence[xor.Report]) -> dict[str, list[str | float]]:
    return {
        _("update"): [str(i) for i in range(len(reports))],
        _("error"): [report.loss for report in reports],
        _("rows right"): [str(report.right) for report in reports],
    }


def starts_text(choice: Choice) -> str:
    """Say how many starts are tried."""
    return _(texts.STARTS).format(starts=STARTS, updates=choice.plan.updates)


def draw_starts(choice: Choice) -> None:
    """Draw the error that each of the first seeds ends with."""
    plan = choice.plan
    ends = descend(replace(plan, seed=0))
    tens = [str(10 * i) for i in range(STARTS // 10)]
    labels = {"row_labels": tens, "col_labels": [str(i) for i in range(10)]}
    title, losses = _("Error at the end"), ends.losses.reshape(len(tens), 10)
    board([array_grid(losses, title, "output", scale="weights", **labels)], key="starts")
    stuck = np.flatnonzero(~ends.learned).tolist()
    text, names = _(texts.STARTS_READ if stuck else texts.STARTS_ALL), ", ".join(map(str, stuck))
    st.markdown(text.format(learned=STARTS - len(stuck), starts=STARTS, stuck=names))
