"""1986: a network that learns XOR by backpropagation."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.charts.plane import Dots, Surface, plane
from app.components.board import Grid, Op, array_grid
from app.format import localized, number, short, tex
from app.i18n import N_, _
from app.inspector.arrays import draw_board
from app.page.kit import Code, Screens, pick, say, show_chart
from app.page.live_training import draw_live
from app.ui.table import Columns, written_table
from app.views.history.backprop import data
from app.views.history.backprop.data import BackpropChoice, xor

SQUASH_NAMES: Final[Mapping[xor.Squash, str]] = {
    "tanh": "tanh",
    "sigmoid": "sigmoid",
    "none": N_("none"),
}
# The first updates, and the seconds to wait after each: the eye could not follow them otherwise.
SLOW, PAUSE_SECONDS = 200, 0.004
PLACES: Final = np.linspace(-0.5, 1.5, 41)
SPAN: Final = (-0.5, 1.5)
HEIGHT: Final = 320  # of a picture
LOW: Final = 150  # of a picture with its table below it
CELLS: Final = 140.0  # of the weights
POINTS: Final = 400  # a curve with more is thinned out
REACHES: Final = (100, 200, 500, 1000)  # possible ends of the updates' axis


def pick_plan(_choice: BackpropChoice) -> None:
    """Draw the choices of the network and its training."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        tip = _("How many hidden units the network has.")
        pick(data.HIDDEN, _("Hidden units"), ("2", "3"), help=tip)
        tip = _(
            "What a hidden unit makes of its sum: from −1 to 1 (tanh), from 0 to 1 (sigmoid), "
            "or just the sum (none)."
        )
        pick(data.SQUASH, _("Hidden function"), SQUASH_NAMES, help=tip)
        tip = _("How far each step goes against the derivative.")
        pick(data.RATE, _("Step size η"), data.RATES, format_func=localized, help=tip)
        key = data.SEED.widget()
        tip = _("Draws the starting weights: another number, another start.")
        st.number_input(_("Seed"), 0, 9999, step=1, key=key, help=tip, width=130)


screens = Screens[BackpropChoice]()


@screens(
    "xor",
    N_("1986: a hidden layer learns"),
    Code(
        N_("The network learns"),
        r"w \leftarrow w - \eta\,\frac{\partial E}{\partial w}",
        "model.history.xor:learn",
    ),
    pick=pick_plan,
    was=("winter", "starts", "linear"),
)
def draw_learning(choice: BackpropChoice) -> None:
    """Draw the training: the network's outputs, its error, and which rows are right."""
    say()
    total, draw = choice.plan.updates + 1, partial(_draw, choice.plan)

    def pause(count: int) -> float:
        return PAUSE_SECONDS if count <= SLOW else 0.0

    draw_live(choice.training, total, draw, before=1, pause=pause)
    text = _(
        "After 1969 money became scarce, an “AI winter”. In 1986 Rumelhart, Hinton and Williams "
        "let hidden layers learn. The colour is the network's output ({hidden} hidden units, {n} "
        "weights): high at the filled corners, low at the open ones. Not every seed gets there; "
        "without a nonlinear function in the hidden units, none."
    )
    say(text.format(hidden=choice.plan.hidden, n=choice.plan.n_weights))


def _draw(plan: xor.NetworkPlan, reports: Sequence[xor.NetworkReport]) -> None:
    left, right = st.columns([0.58, 0.42], gap="small")
    with left:
        _draw_surface(plan, reports[-1])
    with right:
        _draw_curve(plan, reports)
        _draw_rows(plan, reports)


def _draw_rows(plan: xor.NetworkPlan, reports: Sequence[xor.NetworkReport]) -> None:
    """Draw the output in each row, and say whether it has learned."""
    last, updates = reports[-1], len(reports) - 1
    rows = {
        "x₁": [str(row[0]) for row in xor.INPUTS],
        "x₂": [str(row[1]) for row in xor.INPUTS],
        _("output"): [number(y, 4) for y in last.outputs],
        "XOR": [str(goal) for goal in xor.TARGETS],
        _("right?"): ["✓" if right else "✗" for right in last.are_right],
    }
    written_table(rows)
    values = {"right": last.right, "loss": number(last.loss, 4), "n": updates}
    if last.loss < xor.ENOUGH:
        learned = _("All 4 rows are right, and the error is {loss}: it has learned XOR.")
        st.markdown(f":material/check: {learned.format(**values)}")
    elif updates == plan.updates:
        stuck = _(
            "Rows that are right after {n} updates: {right} of 4; the error stays at {loss}. This "
            "start got stuck: try another seed."
        )
        st.markdown(f":material/landscape: {stuck.format(**values)}")
    else:
        st.markdown(_("Rows that are right: {right} of 4; the error is {loss}.").format(**values))


def _draw_surface(plan: xor.NetworkPlan, report: xor.NetworkReport) -> None:
    dots = []
    for wanted, symbol in ((1, "circle"), (0, "circle-open")):
        at, name = np.array(xor.INPUTS)[np.array(xor.TARGETS) == wanted], _("XOR = {wanted}")
        texts = [str(wanted)] * len(at)
        dots.append(Dots(name.format(wanted=wanted), at, "output", symbol, texts, 16))
    answers = Surface(PLACES, data.surface(report, plan, PLACES), _("output"))
    figure = plane(
        dots, [], across=SPAN, x_title="x₁", y_title="x₂", surface=answers, height=HEIGHT
    )
    alt = _("What the network says for every point of the plane")
    show_chart(figure, "xor", alt)


def _draw_curve(plan: xor.NetworkPlan, reports: Sequence[xor.NetworkReport]) -> None:
    updates = len(reports) - 1
    at = np.unique(np.linspace(0, updates, min(len(reports), POINTS)).round().astype(int))
    error = Curve(_("error"), at, np.array([reports[i].loss for i in at]), "output")
    # One of a few fixed ends, so that the axis stays the same for many updates.
    steps = next((reach for reach in REACHES if updates <= reach), plan.updates)
    title = _("The error, update by update")
    axes = _("update"), _("error E")
    figure = curves([error], *axes, title=title, steps=steps, height=LOW)
    columns: Columns = {
        _("update"): [str(i) for i in range(len(reports))],
        _("error"): [report.loss for report in reports],
        _("rows right"): [str(report.right) for report in reports],
    }
    show_chart(figure, "xor-error", title, lambda: columns)


@screens.drawer("weights", N_("Every weight against its derivative"))
def draw_weights(choice: BackpropChoice) -> None:
    """Draw the weights as cells: values, derivatives, and values after the update."""
    text = _(
        "At each update, one walk backwards finds the derivative of the error E with respect "
        "to every weight. Then gradient descent moves all weights a little against their "
        "derivatives. Press “One step”."
    )
    say(text)
    plan, report = choice.plan, choice.training.reports[-1]
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
        st.markdown(
            _("The error E is half the sum of the squared differences; η is the step size.")
        )


def weight_names(plan: xor.NetworkPlan) -> list[str]:
    """Name the weights in the order of a report."""
    units = [f"h{'₁₂₃'[unit]}" for unit in range(plan.hidden)]
    names = [f"{x} → {unit}" for unit in units for x in ("x₁", "x₂", _("bias"))]
    output = _("output")
    return [*names, *(f"{unit} → {output}" for unit in (*units, _("bias")))]
