"""A small network that learns XOR with the engine, live, and its weights at each update."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.charts.plane import Dots, Surface, plane
from app.components.board import Grid, Op, array_grid
from app.format import localized, number, short, tex
from app.i18n import _
from app.inspector.arrays import draw_board
from app.page.live_training import draw_live
from app.page.screens import ALL
from app.ui.chart import show_chart
from app.ui.pickers import pick
from app.ui.table import Columns, written_table
from app.views.history.backprop import texts
from app.views.history.backprop.choice import HIDDEN, RATE, RATES, SEED, SQUASH, Choice
from app.views.history.backprop.data import surface, xor

# Seconds after each of the first updates: they are too fast for the eye.
SLOW, PAUSE = 200, 0.004
PLACES: Final = np.linspace(-0.5, 1.5, 41)
SPAN: Final = (-0.5, 1.5)
HEIGHT: Final = 250  # of a picture
LOW: Final = 185  # of one with its table below it
CELLS: Final = 140.0  # of the weights
POINTS: Final = 400  # more than this, and the curve is thinned out
REACHES: Final = (100, 200, 500, 1000)  # where the axis of the updates may end


def xor_text(choice: Choice) -> str:
    """Say how large the network is."""
    return _(texts.XOR).format(hidden=choice.plan.hidden, n=choice.plan.n_weights)


def pick_plan(_choice: Choice) -> None:
    """Draw the choices of the network and its training."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pick(HIDDEN, _("Hidden units"), ("2", "3"), help=_(texts.HIDDEN_HELP))
        pick(SQUASH, _("Hidden function"), texts.SQUASH_NAMES, help=_(texts.SQUASH_HELP))
        pick(RATE, _("Step size η"), RATES, format_func=localized, help=_(texts.RATE_HELP))
        key, tip = SEED.widget(), _(texts.SEED_HELP)
        st.number_input(_("Seed"), 0, 9999, step=1, key=key, help=tip, width=130)


def draw_learning(choice: Choice) -> None:
    """Draw the training: what the network says, its error, and which rows are right."""
    _draw_live(choice, partial(_draw, choice.plan))


def draw_weights(choice: Choice) -> None:
    """Draw each weight with its derivative; of all screens, the one before has the buttons."""
    draw = partial(_draw_weights, choice.plan)
    if ALL.get():
        draw(choice.training.reports)
    else:
        _draw_live(choice, draw)


def _draw_live(choice: Choice, draw: Callable[[Sequence[xor.Report]], None]) -> None:
    draw_live(
        choice.training,
        choice.plan.updates + 1,
        draw,
        before=1,
        pause=lambda count: PAUSE if count <= SLOW else 0.0,
    )


def _draw(plan: xor.Plan, reports: Sequence[xor.Report]) -> None:
    report = reports[-1]
    left, middle, right = st.columns([0.37, 0.33, 0.3], gap="small")
    with left:
        _draw_surface(plan, report)
    with middle:
        _draw_curve(plan, reports)
    with right:
        written_table(_rows(report))
        _draw_verdict(plan, reports)


def _draw_weights(plan: xor.Plan, reports: Sequence[xor.Report]) -> None:
    """Draw the weights as cells: their values, the derivatives, and what the update makes."""
    report = reports[-1]
    weights, slopes = np.array(report.weights), np.array(report.slopes)
    items: list[Grid | Op] = [
        array_grid(weights[:, None], "w", "query", row_labels=weight_names(plan), height=CELLS),
        Op(f"− {short(plan.rate)} ×"),
        array_grid(slopes[:, None], "∂E/∂w", "output", height=CELLS),
        Op("="),
        array_grid((weights - plan.rate * slopes)[:, None], _("w after"), "query", height=CELLS),
    ]
    left, right = st.columns([0.6, 0.4], gap="medium", vertical_alignment="center")
    with left:
        draw_board(items, "xor-weights")
    with right:
        output, wanted = _("output"), _("wanted")
        formula = (
            rf"E = \tfrac{{1}}{{2}} \sum (\text{{{output}}} - \text{{{wanted}}})^2"
            rf" = {number(report.loss, 4)}"
        )
        st.latex(tex(formula))
        st.latex(r"w \leftarrow w - \eta\,\frac{\partial E}{\partial w}")
        st.markdown(_(texts.XOR_RULE))


def _draw_verdict(plan: xor.Plan, reports: Sequence[xor.Report]) -> None:
    last, updates = reports[-1], len(reports) - 1
    values = {"right": last.right, "loss": number(last.loss, 4), "n": updates}
    if last.loss < xor.ENOUGH:
        st.markdown(f":material/check: {_(texts.LEARNED).format(**values)}")
    elif updates == plan.updates:
        st.markdown(f":material/landscape: {_(texts.STUCK).format(**values)}")
    else:
        st.markdown(_(texts.LEARNING).format(**values))


def _draw_surface(plan: xor.Plan, report: xor.Report) -> None:
    inputs, targets, name = np.array(xor.INPUTS), np.array(xor.TARGETS), _("XOR = {wanted}")
    dots = [
        Dots(name.format(wanted=wanted), at, "output", symbol, [str(wanted)] * len(at), 16)
        for wanted, symbol in ((1, "circle"), (0, "circle-open"))
        for at in (inputs[targets == wanted],)
    ]
    answers = Surface(PLACES, surface(report, plan, PLACES), _("output"))
    figure = plane(
        dots, [], across=SPAN, x_title="x₁", y_title="x₂", surface=answers, height=HEIGHT
    )
    alt = _("What the network says for every point of the plane")
    show_chart(figure, "xor", alt)


def _draw_curve(plan: xor.Plan, reports: Sequence[xor.Report]) -> None:
    updates = len(reports) - 1
    at = np.unique(np.linspace(0, updates, min(len(reports), POINTS)).round().astype(int))
    error = Curve(_("error"), at, np.array([reports[i].loss for i in at]), "output")
    # The axis goes far enough, and stays the same for many updates.
    steps = next((reach for reach in REACHES if updates <= reach), plan.updates)
    title = _("The error, update by update")
    axes = _("update"), _("error E")
    figure = curves([error], *axes, title=title, steps=steps, height=LOW)
    show_chart(figure, "xor-error", title, lambda: _errors(reports))


def _rows(report: xor.Report) -> dict[str, list[str]]:
    return {
        "x₁": [str(row[0]) for row in xor.INPUTS],
        "x₂": [str(row[1]) for row in xor.INPUTS],
        _("output"): [number(y, 4) for y in report.outputs],
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


def _errors(reports: Sequence[xor.Report]) -> Columns:
    return {
        _("update"): [str(i) for i in range(len(reports))],
        _("error"): [report.loss for report in reports],
        _("rows right"): [str(report.right) for report in reports],
    }
