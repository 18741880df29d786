"""What perceptrons read, what a single one never learns, and how two layers compute it."""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.plane import Dots, Line, plane
from app.components.board import Grid, Op, array_grid, board
from app.format import quoted, short
from app.i18n import N_, _
from app.page.kit import Code, QuizTask, Screens, guess, pick, say, show_chart
from app.state import Param, decimal, one_of
from app.ui.kept import table_menu
from app.ui.table import written_table
from app.views.history.perceptron import data

SOLUTION: Final = tuple(
    number
    for neuron in (*data.xor.BY_HAND.hidden, data.xor.BY_HAND.out)
    for number in (*neuron.weights, neuron.threshold)
)
UNITS: Final = ("h₁", "h₂", "y")
CODE_XOR: Final = N_("Two layers for XOR")
W1: Final = Param[float]("x1", 1.0, decimal(-3, 3))
W2: Final = Param[float]("x2", 1.0, decimal(-3, 3))
THETA: Final = Param[float]("xt", 0.5, decimal(-3, 3))
FORMULAS: Final = ("0 < θ", "w₂ ≥ θ", "w₁ ≥ θ", "w₁ + w₂ < θ")
LETTER: Final = Param[str]("mletter", "T", one_of(*data.mark_one.LETTERS))
LINE: Final = 32  # association units side by side


def pick_demands(_choice: data.PerceptronChoice) -> None:
    for column, param, name in zip(st.columns(3), (W1, W2, THETA), ("w₁", "w₂", "θ"), strict=True):
        key, tip = param.widget(), _("Move it, and watch which demands hold.")
        column.slider(name, -3.0, 3.0, step=0.1, key=key, help=tip)


def pick_letter(_choice: data.PerceptronChoice) -> None:
    pick(LETTER, _("Before the camera"), list(data.mark_one.LETTERS))


def pick_layers(_choice: data.PerceptronChoice) -> None:
    """Draw the weights and the thresholds of the three neurons."""
    inputs = (("x₁", "x₂"), ("x₁", "x₂"), ("h₁", "h₂"))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        for unit, sign in enumerate(UNITS):
            params = data.NUMBERS[3 * unit : 3 * unit + 3]
            names = *(f"{sign}: {x}" for x in inputs[unit]), f"{sign}: θ"
            counts = _("How much this input counts, for or against.")
            fires = _("The neuron fires when its sum is at least this large.")
            for name, param, tip in zip(names, params, (counts, counts, fires), strict=True):
                st.number_input(name, -3, 3, step=1, key=param.widget(), help=tip, width=104)
        label, icon = _("Set it for me"), ":material/auto_fix_high:"
        tip = _("Sets the three neurons so that all four rows are right.")
        st.button(label, "layers-solve", tip, icon=icon, on_click=_solve)


screens = Screens[data.PerceptronChoice]()


@screens(
    "mark",
    N_("1960: a machine that learned to see"),
    Code(
        N_("A small Mark I"),
        r"a = \begin{cases}1 & \text{if } W x > 0 \\ 0 & \text{otherwise}\end{cases}"
        r" \qquad r = V a + b",
        "model.history.mark_one:Machine",
    ),
    pick=pick_letter,
)
def draw_mark(_choice: data.PerceptronChoice) -> None:
    """Draw the photocells, the association units and the responses."""
    made, picture = data.mark_one.machine(), data.mark_one.picture_of(LETTER.get())
    fires = [
        quoted(letter)
        for letter, sum_of in zip(data.mark_one.LETTERS, made.responses(picture), strict=True)
        if sum_of > 0
    ]
    values = {
        "cells": picture.size,
        "units": len(made.wires),
        "responses": len(data.mark_one.LETTERS),
        "updates": made.updates,
        "fires": ", ".join(fires),
    }
    text = _(
        "The perceptron became a machine, the Mark I: {cells} photocells, {units} association "
        "units wired to them at random, {responses} responses. Motors turned the knobs of its "
        "weights, those of the last layer only."
    ).format(**values)
    by_hand = _("Example by hand.")
    mark_ours = _(
        "Ours has as many of each, with random wires of its own. It learned {responses} "
        "letters in {updates} updates. Now above 0: {fires}."
    )
    say(f"{text} **{by_hand}** {mark_ours.format(**values)}")
    units = made.units(picture).reshape(-1, LINE).astype(float)
    items: list[Grid | Op] = [
        array_grid(
            255.0 * picture,
            _("{n} photocells").format(n=picture.size),
            "input",
            scale="greys",
            reach=255.0,
            square=True,
            height=160.0,
        ),
        Op(_("at random →")),
        array_grid(
            units,
            _("{n} association units").format(n=units.size),
            "residual",
            scale="weights",
            square=True,
            height=150.0,
        ),
        Op(_("learned →")),
        array_grid(
            made.responses(picture).astype(float)[:, None],
            _("responses"),
            "output",
            row_labels=list(data.mark_one.LETTERS),
            height=136.0,
        ),
    ]
    board(items, key="mark-one")


@screens(
    "xor", N_("1969: the four corners that no line separates"), pick=pick_demands, was=("why",)
)
def draw_demands(_choice: data.PerceptronChoice) -> None:
    """Draw what the rows of XOR demand of one neuron, for the visitor's numbers."""
    text = _(
        "Marvin Minsky and Seymour Papert asked in 1969 what perceptrons can never learn. Their "
        "best known example is small: XOR, “one or the other, but not both”. Each row of its "
        "table demands something of w₁, w₂ and the threshold θ."
    )
    say(text)
    asked = QuizTask.of(
        N_("XOR makes four demands on w₁, w₂ and θ. How many of them can hold at the same time?"),
        ["2", "3", "4"],
        [1],
        N_("Yes, 3 and never all 4. Try it with the sliders."),
        N_("It is 3. Try it with the sliders."),
    )
    guess(asked)
    left, right = st.columns(2, gap="medium")
    with left:
        w1, w2, theta = W1.get(), W2.get(), THETA.get()
        holds = 0 < theta, w2 >= theta, w1 >= theta, w1 + w2 < theta
        sums = 0.0, w2, w1, w1 + w2
        numbers = [
            f"{short(round(w_x, 2))} {'≥' if wanted else '<'} {short(theta)}"
            for w_x, wanted in zip(sums, data.xor.TARGETS, strict=True)
        ]
        columns = _inputs() | {
            "XOR": [str(wanted) for wanted in data.xor.TARGETS],
            _("demands"): list(FORMULAS),
            _("with your numbers"): numbers,
            _("holds?"): ["✓" if hold else "✗" for hold in holds],
        }
        written_table(columns)
        st.markdown(_("{holding} of the 4 demands hold.").format(holding=sum(holds)))
    with right:
        text = _(
            "Add the two middle demands, then the other two. The same sum w₁ + w₂ would have "
            "to be at least 2θ, and below 2θ."
        )
        say(text)
        st.latex(
            r"\begin{aligned} w_1 \ge \theta,\; w_2 \ge \theta &\;\Rightarrow\; w_1 + w_2 \ge"
            r" 2\theta \\ 0 < \theta,\; w_1 + w_2 < \theta &\;\Rightarrow\; w_1 + w_2 < 2\theta"
            r" \end{aligned}"
        )
        text = (
            _(
                "With your numbers, w₁ + w₂ = {sum} is at least 2θ = {double}: so the first and "
                "the last row cannot both hold."
            )
            if w1 + w2 >= 2 * theta
            else _(
                "With your numbers, w₁ + w₂ = {sum} is below 2θ = {double}: so the two middle "
                "rows cannot both hold."
            )
        )
        st.markdown(text.format(sum=short(round(w1 + w2, 2)), double=short(round(2 * theta, 2))))


@screens(
    "two",
    N_("Two layers can"),
    Code(
        CODE_XOR,
        r"\text{xor}(x_1, x_2) = (x_1 \text{ or } x_2) \text{ and not } (x_1 \text{ and } x_2)",
        "model.history.xor:TwoLayers",
    ),
    pick=pick_layers,
)
def draw_two_layers(choice: data.PerceptronChoice) -> None:
    """Draw the output of each of the three neurons in each row."""
    text = _(
        "One neuron draws one line. So take two of them, and a third that sees only what those "
        "two say. Let h₁ fire for “at least one”, h₂ for “not both”, and the last neuron, y, for "
        "both of them: set the weights until all four rows are right."
    )
    say(text)
    network = choice.network
    count = sum(network.right())
    written_table(_truth(network))
    if count == len(data.xor.TARGETS):
        st.success(_("All 4 rows are right: two layers compute XOR."), icon=":material/check:")
    else:
        st.info(_("Rows that are right: {right} of 4.").format(right=count), icon=":material/tune:")
    table_menu("layers", lambda: _truth(network), "two-layers")


@screens.drawer("hidden", N_("What the last neuron sees"))
def draw_hidden(choice: data.PerceptronChoice) -> None:
    """Draw the plane of the hidden neurons, in which the last one draws its line."""
    network = choice.network
    after = _(
        "Minsky and Papert knew this. But the rule of 1957 changes weights only where the right "
        "answer is known, and nobody tells a hidden neuron its right answer."
    )
    moved = (
        _(
            "The hidden neurons have moved the four corners, two of them to the same place. In the "
            "plane of h₁ and h₂ a single line is enough."
        )
        if all(network.right())
        else _(
            "The hidden neurons have moved the four corners. In the plane of h₁ and h₂, the last "
            "neuron has to separate them with a single line."
        )
    )
    say(f"{moved} {after}")
    w1, w2 = network.out.weights
    line = Line(_("output's line"), (w1, w2, -network.out.threshold), "output", filled=True)
    spots = [_spots(network, wanted) for wanted in (1, 0)]
    figure = plane(spots, [line], x_title="h₁", y_title="h₂", height=230)
    alt = _("The four rows in the plane of the hidden neurons, and the output's line")
    show_chart(figure, "hidden", alt)


@screens.drawer("linear", N_("Why a network needs something nonlinear"))
def draw_linear(choice: data.PerceptronChoice) -> None:
    """Draw the product of both layers, and the four rows through the one neuron it amounts to."""
    text = _(
        "Keep all weights, but let h₁ and h₂ pass on their sums, without a threshold. Now both "
        "layers only multiply and add: they are linear."
    )
    say(text)
    network = choice.network
    one = network.product()
    hidden = np.array([neuron.weights for neuron in network.hidden], float).T  # (2, H)
    sums = np.array([one.potential(row) for row in data.xor.INPUTS], float)
    rows, names = ["{} {}".format(*row) for row in data.xor.INPUTS], ["x₁", "x₂"]
    items: list[Grid | Op] = [
        array_grid(hidden, _("hidden weights"), "query", row_labels=names, col_labels=["h₁", "h₂"]),
        Op("×"),
        array_grid(np.array([network.out.weights], float).T, _("output weights"), "key"),
        Op("="),
        array_grid(np.array([one.weights], float).T, _("one neuron"), "value", row_labels=names),
        Op("→"),
        array_grid(sums[:, None], "w·x", "output", row_labels=rows),
    ]
    board(items, key="linear-product")
    w1, w2 = map(short, one.weights)
    text = _(
        "The product of the two layers' weights is one neuron with the weights ({w1}, {w2}). So "
        "linear layers, however many, draw one line."
    ).format(w1=w1, w2=w2)
    linear_same = _("This one even says the same in every row.")
    st.markdown(f"{text} {linear_same}" if (w1, w2) == ("0", "0") else text)


def _solve() -> None:
    for param, number in zip(data.NUMBERS, SOLUTION, strict=True):
        param.set(number)


def _inputs() -> dict[str, list[str]]:
    return {name: [str(row[i]) for row in data.xor.INPUTS] for i, name in enumerate(("x₁", "x₂"))}


def _truth(network: data.TwoLayers) -> dict[str, list[str]]:
    hidden = [network.hidden_answers(row) for row in data.xor.INPUTS]
    first, second = network.hidden
    return _inputs() | {
        "h₁": [_sum(first, row) for row in data.xor.INPUTS],
        "h₂": [_sum(second, row) for row in data.xor.INPUTS],
        _("output"): [_sum(network.out, row) for row in hidden],
        "XOR": [str(goal) for goal in data.xor.TARGETS],
        _("right?"): ["✓" if right else "✗" for right in network.right()],
    }


def _sum(neuron: data.Neuron, row: tuple[int, ...]) -> str:
    """Write w·x against the threshold, and the neuron's output."""
    fires = neuron.fires(row)
    sign = "≥" if fires else "<"
    return f"{short(neuron.potential(row))} {sign} {short(neuron.threshold)}: {fires}"


def _spots(network: data.TwoLayers, wanted: int) -> Dots:
    """Return where the rows of one kind lie in the plane; several may share a spot."""
    spots: dict[tuple[int, ...], list[str]] = {}
    for row, goal in zip(data.xor.INPUTS, data.xor.TARGETS, strict=True):
        if goal == wanted:
            spots.setdefault(network.hidden_answers(row), []).append("{}{}".format(*row))
    return Dots(
        _("XOR = {wanted}").format(wanted=wanted),
        np.array(list(spots), float).reshape(-1, 2),
        "input" if wanted else "residual",
        "circle" if wanted else "circle-open",
        [" · ".join(names) for names in spots.values()],
        15,
    )
