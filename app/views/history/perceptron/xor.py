"""XOR: the four demands that contradict each other, and two layers that satisfy them."""

from collections import Counter

import numpy as np
import streamlit as st

from app.charts.plane import CORNERS, Dots, Line, plane
from app.charts.toolbar import plot_config
from app.format import short
from app.i18n import _
from app.state import Param, decimal, whole
from app.ui.chart import theme_mode
from app.ui.table import table, table_fold
from app.views.history.perceptron import texts
from app.views.history.perceptron.data import BY_HAND, INPUTS, TARGETS, Neuron, Row, TwoLayers

W1, W2 = Param[float]("x1", 1.0, decimal(-3, 3)), Param[float]("x2", 1.0, decimal(-3, 3))
THETA = Param[float]("xt", 0.5, decimal(-3, 3))
NUMBERS = tuple(
    number
    for neuron in (*BY_HAND.hidden, BY_HAND.out)
    for number in (*neuron.weights, neuron.threshold)
)
SET = tuple(
    Param[int](f"x{unit}{name}", NUMBERS[3 * unit + place], whole(-3, 3))
    for unit in range(3)
    for place, name in enumerate("abt")
)


def draw_demands() -> None:
    """Draw what the rows of XOR demand of one neuron, with the visitor's numbers."""
    st.markdown(_(texts.XOR))
    columns = st.columns(3)
    for column, param, name in zip(columns, (W1, W2, THETA), ("w₁", "w₂", "θ"), strict=True):
        with column:
            st.slider(
                name, -3.0, 3.0, step=0.1, key=param.widget(), help=_(texts.DEMAND_HELP)
            )  # fmt: skip
    w1, w2, theta = W1.get(), W2.get(), THETA.get()
    sums = (0.0, w2, w1, w1 + w2)
    signs = ("≥" if wanted else "<" for wanted in TARGETS)
    holds = demands(w1, w2, theta)
    st.table(
        {
            "x₁": [str(row[0]) for row in INPUTS],
            "x₂": [str(row[1]) for row in INPUTS],
            "XOR": [str(wanted) for wanted in TARGETS],
            _("demands"): ["0 < θ", "w₂ ≥ θ", "w₁ ≥ θ", "w₁ + w₂ < θ"],
            _("with your numbers"): [
                f"{short(round(s, 2))} {sign} {short(theta)}"
                for s, sign in zip(sums, signs, strict=True)
            ],
            _("holds?"): ["✓" if hold else "✗" for hold in holds],
        }
    )
    st.markdown(_(texts.HOLD).format(holding=sum(holds)))
    st.markdown(_(texts.WHY))
    st.latex(
        r"\begin{aligned} w_1 \ge \theta,\; w_2 \ge \theta &\;\Rightarrow\; w_1 + w_2 \ge 2\theta"
        r" \\ 0 < \theta,\; w_1 + w_2 < \theta &\;\Rightarrow\; w_1 + w_2 < 2\theta \end{aligned}"
    )
    st.markdown(
        _(texts.WHY_ABOVE if w1 + w2 >= 2 * theta else texts.WHY_BELOW).format(
            sum=short(round(w1 + w2, 2)), double=short(round(2 * theta, 2))
        )
    )


def demands(w1: float, w2: float, theta: float) -> tuple[bool, bool, bool, bool]:
    """Return which of the four rows of XOR one neuron gets right."""
    return 0 < theta, w2 >= theta, w1 >= theta, w1 + w2 < theta


def network() -> TwoLayers:
    """Return the two layers as they are set."""
    numbers = [param.get() for param in SET]
    first, second, out = (
        Neuron((numbers[i], numbers[i + 1]), numbers[i + 2]) for i in (0, 3, 6)
    )  # fmt: skip
    return TwoLayers((first, second), out)


def draw_two_layers() -> None:
    """Draw the steppers of three neurons, what each says in each row, and the hidden plane."""
    st.markdown(_(texts.TWO))
    _steppers()
    now = network()
    right = sum(now.fires(row) == goal for row, goal in zip(INPUTS, TARGETS, strict=True))
    left, right_side = st.columns([0.56, 0.44], gap="medium")
    with left:
        st.table(_truth(now))
        if right == len(TARGETS):
            st.success(_(texts.TWO_RIGHT), icon=":material/check:")
        else:
            st.info(_(texts.TWO_WRONG).format(right=right), icon=":material/tune:")
        st.markdown(_(texts.HIDDEN if right == len(TARGETS) else texts.HIDDEN_WRONG))
    with right_side:
        _hidden_plane(now)
    table_fold("layers", lambda: table(_truth(now), "two-layers"))
    st.markdown(_(texts.AFTER))


def _steppers() -> None:
    inputs = (("x₁", "x₂"), ("x₁", "x₂"), ("h₁", "h₂"))
    for unit, (column, title) in enumerate(zip(st.columns(3), texts.UNIT_NAMES, strict=True)):
        names = [_("{unit}: weight of {x}").format(unit=_(title), x=x) for x in inputs[unit]]
        names.append(_("{unit}: threshold").format(unit=_(title)))
        with column:
            for name, param in zip(names, SET[3 * unit : 3 * unit + 3], strict=True):
                is_weight = name != names[-1]
                st.number_input(
                    name, -3, 3, step=1, key=param.widget(),
                    help=_(texts.WEIGHT_HELP if is_weight else texts.THRESHOLD_HELP),
                )  # fmt: skip


def _truth(now: TwoLayers) -> dict[str, list[str]]:
    hidden = [now.hidden_answers(row) for row in INPUTS]
    columns = {"x₁": [str(row[0]) for row in INPUTS], "x₂": [str(row[1]) for row in INPUTS]}
    for name, neuron, unit in zip(("h₁", "h₂"), now.hidden, range(2), strict=True):
        columns[name] = [
            _said(neuron, row, said[unit]) for row, said in zip(INPUTS, hidden, strict=True)
        ]
    columns[_("output")] = [_said(now.out, row, now.out.fires(row)) for row in hidden]
    columns["XOR"] = [str(goal) for goal in TARGETS]
    columns[_("right?")] = [
        "✓" if now.fires(row) == goal else "✗" for row, goal in zip(INPUTS, TARGETS, strict=True)
    ]
    return columns


def _said(neuron: Neuron, row: Row, said: int) -> str:
    sign = "≥" if said else "<"
    return f"{short(neuron.potential(row))} {sign} {short(neuron.threshold)}: {said}"


def _hidden_plane(now: TwoLayers) -> None:
    w1, w2 = now.out.weights
    figure = plane(
        [_spots(now, wanted) for wanted in (1, 0)],
        [Line(_("output's line"), (w1, w2, -now.out.threshold), "output", filled=True)],
        across=CORNERS, up=CORNERS, x_title="h₁", y_title="h₂", mode=theme_mode(),
    )  # fmt: skip
    alt = _("The four rows in the plane of the hidden neurons, and the output's line")
    st.plotly_chart(figure, theme=None, config=plot_config("hidden"), key="hidden-plane", alt=alt)


def _spots(now: TwoLayers, wanted: int) -> Dots:
    rows = [row for row, goal in zip(INPUTS, TARGETS, strict=True) if goal == wanted]
    at = Counter(now.hidden_answers(row) for row in rows)
    names: dict[Row, str] = {
        spot: " · ".join(f"{a}{b}" for a, b in rows if now.hidden_answers((a, b)) == spot)
        for spot in at
    }
    return Dots(
        _("XOR = {wanted}").format(wanted=wanted), np.array(list(names), float).reshape(-1, 2),
        "input" if wanted else "residual", "circle" if wanted else "circle-open",
        list(names.values()), 15,
    )  # fmt: skip
