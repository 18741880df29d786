"""1969: XOR, which one neuron never computes and two layers do."""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.plane import Dots, Line, plane
from app.charts.theme import Role
from app.i18n import N_, _
from app.page.kit import Code, Screens, say, show_chart
from app.ui.kept import table_menu
from app.ui.table import written_table
from app.views.history.neuron.data import NUMBERS, Neuron, NeuronChoice, TwoLayers, xor
from app.views.history.neuron.gate import weighed

SOLUTION: Final = tuple(
    number
    for neuron in (*xor.BY_HAND.hidden, xor.BY_HAND.out)
    for number in (*neuron.weights, neuron.threshold)
)
screens = Screens[NeuronChoice]()


def pick_layers(_choice: NeuronChoice) -> None:
    """Draw the weights and the thresholds of the three neurons."""
    inputs = {"h₁": ("x₁", "x₂"), "h₂": ("x₁", "x₂"), "y": ("h₁", "h₂")}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        names = [f"{unit}: {x}" for unit, weighs in inputs.items() for x in (*weighs, "θ")]
        for name, param in zip(names, NUMBERS, strict=True):
            tip = (
                _("The neuron fires when its sum is at least this large.")
                if name.endswith("θ")
                else _("How much this input counts, for or against.")
            )
            st.number_input(name, -3, 3, step=1, key=param.widget(), help=tip, width=88)
        label, icon = _("Set it for me"), ":material/auto_fix_high:"
        tip = _("Sets the three neurons so that all four rows are right.")
        st.button(label, "layers-solve", tip, icon=icon, on_click=_solve)


@screens(
    "xor",
    N_("1969: XOR needs two layers"),
    Code(
        N_("Two layers for XOR"),
        r"\text{xor}(x_1, x_2) = (x_1 \text{ or } x_2) \text{ and not } (x_1 \text{ and } x_2)",
        "model.history.xor:TwoLayers",
    ),
    pick=pick_layers,
    was=("why", "two", "hidden", "linear"),
)
def draw_layers(choice: NeuronChoice) -> None:
    """Draw the two hidden neurons' lines, where they move the corners, and the truth table."""
    network = choice.network
    say()
    left, middle, right = st.columns([0.34, 0.34, 0.32], gap="small")
    with left:
        first, second = network.hidden
        lines = [_line("h₁", first, "query"), _line("h₂", second, "key")]
        corners = [_spots(network, wanted, moved=False) for wanted in (1, 0)]
        figure = plane(corners, lines, x_title="x₁", y_title="x₂", height=300)
        show_chart(figure, "xor-lines", _("The four corners, and the lines of h₁ and h₂"))
    with middle:
        spots = [_spots(network, wanted, moved=True) for wanted in (1, 0)]
        lines = [_line("y", network.out, "output")]
        figure = plane(spots, lines, x_title="h₁", y_title="h₂", height=300)
        alt = _("The four rows in the plane of the hidden neurons, and the output's line")
        show_chart(figure, "hidden", alt)
    with right:
        written_table(_truth(network))
        table_menu("layers", lambda: _truth(network), "two-layers")
    count = sum(network.right())
    told = (
        _("All 4 rows are right: two layers compute XOR.")
        if count == len(xor.TARGETS)
        else _("Rows that are right: {right} of 4.").format(right=count)
    )
    text = _(
        "XOR is “one or the other, but not both”. Marvin Minsky and Seymour Papert showed what no "
        "perceptron learns: a line has never two opposite corners alone on one side. Two hidden "
        "neurons draw two lines and so move the corners (middle), where one line does. But nobody "
        "tells a hidden neuron its right answer: how should it learn?"
    )
    say(f"**{told}** {text}")


def _line(name: str, neuron: Neuron, role: Role) -> Line:
    """Return the line that a neuron of two inputs draws; it fires on the shaded side."""
    first, second = neuron.weights
    return Line(name, (first, second, -neuron.threshold), role, filled=True)


def _solve() -> None:
    for param, number in zip(NUMBERS, SOLUTION, strict=True):
        param.set(number)


def _truth(network: TwoLayers) -> dict[str, list[str]]:
    hidden = [network.hidden_answers(row) for row in xor.INPUTS]
    first, second = network.hidden
    return {
        "x₁ x₂": ["{} {}".format(*row) for row in xor.INPUTS],
        "h₁": [weighed(first, row) for row in xor.INPUTS],
        "h₂": [weighed(second, row) for row in xor.INPUTS],
        "y": [weighed(network.out, row) for row in hidden],
        "XOR": [
            f"{goal} {'✓' if right else '✗'}"
            for goal, right in zip(xor.TARGETS, network.right(), strict=True)
        ],
    }


def _spots(network: TwoLayers, wanted: int, *, moved: bool) -> Dots:
    """Return where the rows of one kind lie in a plane; the hidden one may share a spot."""
    spots: dict[tuple[int, ...], list[str]] = {}
    for row, goal in zip(xor.INPUTS, xor.TARGETS, strict=True):
        if goal == wanted:
            at = network.hidden_answers(row) if moved else row
            spots.setdefault(at, []).append("{}{}".format(*row))
    return Dots(
        _("XOR = {wanted}").format(wanted=wanted),
        np.array(list(spots), float).reshape(-1, 2),
        "input" if wanted else "residual",
        "circle" if wanted else "circle-open",
        [" · ".join(names) for names in spots.values()],
        15,
    )
