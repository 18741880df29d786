"""The artificial neuron, screen by screen."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import streamlit as st

from app.charts.plane import Dots, Line, plane
from app.charts.theme import Role
from app.components.graph import Shown, Vertex, graph
from app.format import short
from app.i18n import N_, _
from app.inspector.arrays import array_grid, draw_board
from app.page.kit import Code, QuizTask, Screens, guess, pick, say, show_chart
from app.state import Param, one_of, whole
from app.ui.kept import table_menu
from app.ui.table import written_table
from app.views.history.neuron import data

CODE_FIRES: Final = N_("The neuron fires")
CODE_SEARCH: Final = N_("Every setting, tried")
GATE: Final = Param[str]("gate", "and", one_of(*data.GATES))
WEIGHTS: Final = Param[int]("n1", 1, whole(-1, 1)), Param[int]("n2", 1, whole(-1, 1))
THRESHOLD: Final = Param[int]("nt", 1, whole(-2, 3))  # no AND yet
ROW: Final = Param[int]("nrow", 3, whole(0, 3))


@dataclass(frozen=True)
class Gate:
    """The gate to compute, and the neuron as it is set."""

    name: str
    neuron: data.Neuron

    @property
    def title(self) -> str:
        return self.name.upper()

    @property
    def goal(self) -> data.Row:
        """The gate's output for each row of inputs."""
        return data.GATES[self.name]

    @cached_property
    def inputs(self) -> tuple[data.Row, ...]:
        return data.rows(len(self.neuron.weights))

    @property
    def row(self) -> int:
        """The index of the row of inputs that runs through the neuron."""
        return min(ROW.get(), len(self.inputs) - 1)

    @property
    def potentials(self) -> list[int]:
        return [self.neuron.potential(row) for row in self.inputs]

    @property
    def correct(self) -> list[bool]:
        """Whether the neuron's output is the gate's, row by row."""
        return [a == b for a, b in zip(self.neuron.answers(), self.goal, strict=True)]

    @property
    def line(self) -> tuple[float, float, float]:
        """The line w·x = θ in the plane; NOT lacks the second input, which gets the weight 0."""
        first, second = (*self.neuron.weights, 0)[:2]
        return first, second, -self.neuron.threshold


SUBSCRIPTS: Final = "₁₂"


def gate_of() -> Gate:
    """Return the chosen gate and neuron; NOT has only one input."""
    name = GATE.get()
    weights = tuple(param.get() for param in WEIGHTS)
    return Gate(name, data.Neuron(weights[: len(data.GATES[name]) // 2], THRESHOLD.get()))


def pick_gate(_gate: Gate) -> None:
    tip = _("The logical function that the neuron is to compute.")
    pick(GATE, _("Gate"), list(data.GATES), format_func=str.upper, help=tip)


def pick_setting(gate: Gate) -> None:
    """Draw the gate, the steppers, and the button that sets them."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pick_gate(gate)
        _draw_steppers(gate)
        label, icon = _("Set it for me"), ":material/auto_fix_high:"
        tip = _("Sets the weights and the threshold that get the most rows right.")
        best = data.search(gate.name).first
        st.button(label, "neuron-solve", tip, icon=icon, on_click=_set, args=(best,))


def pick_neuron(gate: Gate) -> None:
    """Draw the row of inputs and the steppers."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pick_row(gate)
        _draw_steppers(gate)


def pick_veto(gate: Gate) -> None:
    """Draw the steppers, and a button that sets a neuron on which the two rules differ."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _draw_steppers(gate)
        label, icon = _("Show a difference"), ":material/difference:"
        tip = _("Sets a neuron whose second input inhibits, and is outvoted by the first.")
        outvoted = data.Neuron((1, -1), 0)
        st.button(label, "neuron-differ", tip, icon=icon, on_click=_set, args=(outvoted,))


screens = Screens[Gate]()


@screens(
    "sum",
    "",
    Code(
        CODE_FIRES,
        r"y = \begin{cases}1 & \text{if } w \cdot x \ge \theta \\ 0 & \text{otherwise}\end{cases}",
        "model.history.neuron:Neuron",
    ),
    pick=pick_neuron,
)
def draw_sum(gate: Gate) -> None:
    """Draw the neuron with one row of inputs."""
    row, neuron = gate.inputs[gate.row], gate.neuron
    potential, threshold = short(neuron.potential(row)), short(neuron.threshold)
    fires = neuron.fires(row)
    text = (
        _("Here the sum w·x is {potential}, at least θ = {threshold}: it fires.")
        if fires
        else _("Here the sum w·x is {potential}, below θ = {threshold}: it stays silent.")
    )
    sum_then = _(
        "In 1943 an input had no weight of its own: it was drawn with one contact or several, "
        "each of which counted once, or it forbade firing. Weights came later; here you set 1, 0 "
        "or −1."
    )
    say(f"{text.format(potential=potential, threshold=threshold)} {sum_then}")
    inputs = [Vertex(f"x{SUBSCRIPTS[i]}", str(x), role="input") for i, x in enumerate(row)]
    products = tuple(f"× {short(w)}" for w in neuron.weights)
    total = Vertex("w·x", potential, inputs=tuple(range(len(row))), slopes=products)
    title, slopes = _("fires") if fires else _("is silent"), (f"≥ {threshold}?",)
    role: Role = "output" if fires else "residual"
    answer = Vertex(title, str(fires), inputs=(len(row),), slopes=slopes, role=role)
    vertices = [*inputs, total, answer]
    every = [True] * len(vertices)
    label = _("The neuron, with these inputs")
    graph(vertices, Shown(every, every, every), key="neuron-drawing", label=label)


def pick_row(gate: Gate) -> None:
    names = {i: " ".join(map(str, row)) for i, row in enumerate(gate.inputs)}
    tip = _("Which inputs run through the neuron in the drawing.")
    pick(ROW, _("Inputs"), names, value=gate.row, help=tip)


def _draw_steppers(gate: Gate) -> None:
    look: dict[str, Any] = {"step": 1, "width": 130}
    for param, sign in zip(WEIGHTS, SUBSCRIPTS[: len(gate.neuron.weights)], strict=False):
        label = _("Weight w{sign}").format(sign=sign)
        tip = _("1: this input counts for firing. −1: it counts against it. 0: it does not count.")
        st.number_input(label, -1, 1, key=param.widget(), help=tip, **look)
    key, tip = THRESHOLD.widget(), _("The neuron fires when the sum is at least this large.")
    st.number_input(_("Threshold θ"), -2, 3, key=key, help=tip, **look)


@screens("gate", N_("Set it by hand"), pick=pick_setting, was=("line",))
def draw_truth(gate: Gate) -> None:
    """Draw the truth table, and mark which rows are right."""
    text = _(
        "A logic gate says what it wants for every row of inputs. Change the weights and the "
        "threshold until your neuron agrees with {gate} in all {n} rows."
    )
    say(text.format(gate=gate.title, n=len(gate.goal)))
    left, right = st.columns(2, gap="medium")
    with left:
        written_table(_truth(gate))
        count, n = sum(gate.correct), len(gate.goal)
        if count == n:
            says = _("Every row is right, {n} of {n}: this neuron is {gate}.")
            st.success(says.format(n=n, gate=gate.title), icon=":material/check:")
        else:
            told = _("Rows that are right: {right} of {n}.")
            st.info(told.format(right=count, n=n), icon=":material/tune:")
        table_menu("truth", lambda: _truth(gate), gate.name)
    with right:
        first, second, _threshold = gate.line
        say(
            (
                _(
                    "Each row of inputs is a corner. Where w·x = θ there is a line, and the "
                    "neuron fires on its shaded side and on the line itself. To compute {gate}, "
                    "all corners that want 1 must lie there, and no other."
                )
                if first or second
                else _(
                    "With every weight 0 the inputs do not count: there is no line, and the "
                    "neuron says the same everywhere."
                )
            ).format(gate=gate.title)
        )
        one_input = len(gate.neuron.weights) == 1
        figure = plane(
            [_corners(gate, wanted) for wanted in (1, 0)],
            [Line("w·x = θ", gate.line, "output", filled=True)],
            up=(-0.55, 0.55) if one_input else None,
            x_title="x₁",
            y_title="" if one_input else "x₂",
            height=200 if one_input else 310,
        )
        alt = _("The corners, the line w·x = θ, and the side on which the neuron fires")
        with st.container(width=520):
            show_chart(figure, "neuron", alt)


def _corners(gate: Gate, wanted: int) -> Dots:
    """Return the rows of inputs for which the gate's output is `wanted`."""
    rows = [i for i, goal in enumerate(gate.goal) if goal == wanted]
    return Dots(
        _("{gate} wants {said}").format(gate=gate.title, said=wanted),
        np.array([(*gate.inputs[i], 0)[:2] for i in rows], float),
        "input" if wanted else "residual",
        "circle" if wanted else "circle-open",
        ["✓" if gate.correct[i] else "✗" for i in rows],
    )


def _set(neuron: data.Neuron) -> None:
    """Set the steppers, and another gate where the chosen one has fewer inputs."""
    if len(neuron.weights) > 1 and GATE.get() == "not":
        GATE.set("and")
    THRESHOLD.set(neuron.threshold)
    for param, weight in zip(WEIGHTS, neuron.weights, strict=False):
        param.set(weight)


def _inputs(gate: Gate) -> dict[str, list[str]]:
    columns = enumerate(zip(*gate.inputs, strict=True))
    return {f"x{SUBSCRIPTS[i]}": [str(x) for x in column] for i, column in columns}


def _truth(gate: Gate) -> dict[str, list[str]]:
    threshold = gate.neuron.threshold
    return _inputs(gate) | {
        "w·x": [_sum(gate.neuron, row) for row in gate.inputs],
        _("fires?"): [
            f"{short(w_x)} {'≥' if fires else '<'} {short(threshold)}: {fires}"
            for w_x, fires in zip(gate.potentials, gate.neuron.answers(), strict=True)
        ],
        gate.title: [str(wanted) for wanted in gate.goal],
        _("right?"): ["✓" if correct else "✗" for correct in gate.correct],
    }


def _sum(neuron: data.Neuron, row: data.Row) -> str:
    factors = [f"({short(w)})" if w < 0 else str(w) for w in neuron.weights]
    terms = " + ".join(f"{w}·{x}" for w, x in zip(factors, row, strict=True))
    return f"{terms} = {short(neuron.potential(row))}"


@screens(
    "search",
    N_("Can a setting always be found?"),
    Code(
        CODE_SEARCH,
        r"w_i \in \{-1, 0, 1\} \qquad \theta \in \{-2, \dots, 3\}",
        "model.history.neuron:search",
    ),
    pick=pick_gate,
)
def draw_search(gate: Gate) -> None:
    """Draw how many rows each setting gets right, and say how many get all of them."""
    result, n = data.search(gate.name), len(gate.goal)
    tried, found, thresholds = len(result.tried), result.found, len(data.THRESHOLDS)
    sizes = {"weights": 3, "thresholds": thresholds, "tried": tried}
    text = _(
        "There are {weights} positions for each weight and {thresholds} for the threshold: "
        "{tried} settings. Each cell is one of them, with its weights on top and its θ at the "
        "left. Its number says how many rows of {gate} it gets right."
    )
    say(text.format(gate=gate.title, **sizes))
    counts = sorted({0, 1, 3, found, tried // 2})
    values = {"gate": gate.title, "tried": tried, "found": found}
    ask = N_("How many of the {tried} settings compute {gate}, with every row right?")
    yes, no = N_("Yes: {found} of {tried}."), N_("It is {found} of {tried}.")
    guess(QuizTask.of(ask, list(map(str, counts)), [counts.index(found)], yes, no, **values))
    grid = array_grid(
        np.array(result.right, float).reshape(-1, thresholds).T,
        _("rows right"),
        "output",
        reach=float(n),
        height=120.0,
        row_labels=[f"θ = {short(threshold)}" for threshold in data.THRESHOLDS],
        col_labels=[listed(neuron.weights) for neuron in result.tried[::thresholds]],
    )
    draw_board([grid], "neuron-search")
    text = (
        _("Settings that get every row right: {found} of {tried}.")
        if found
        else _(
            "None of the {tried} settings gets all {n} rows right; the best get {best}. Finer "
            "steps would not help: no straight line has two opposite corners of a square on "
            "one side and the other two on the other side. This small fact will matter a lot "
            "in 1969."
        )
    )
    st.markdown(text.format(found=found, tried=tried, n=n, best=result.best))


def listed(numbers: Sequence[float]) -> str:
    return ", ".join(map(short, numbers))


@screens("veto", N_("Inhibition, as it was in 1943"), pick=pick_veto)
def draw_veto(gate: Gate) -> None:
    """Draw both rules' output for each row, and say in how many rows they differ."""
    text = _(
        "In the paper of 1943 an input that inhibits is not a weight of −1 but a veto: as long as "
        "it is active, the neuron cannot fire, whatever the others say. A weight of −1 can be "
        "outvoted."
    )
    say(text)
    veto = [gate.neuron.fires_unless_vetoed(row) for row in gate.inputs]
    weighted = gate.neuron.answers()
    columns = _inputs(gate) | {
        _("with the weight −1"): [str(said) for said in weighted],
        _("with the veto"): [str(said) for said in veto],
        _("same?"): ["=" if a == b else "≠" for a, b in zip(veto, weighted, strict=True)],
    }
    written_table(columns)
    differ = sum(a != b for a, b in zip(veto, weighted, strict=True))
    text = (
        _(
            "With your setting they differ in {differ} of {n} rows: with the veto, the neuron "
            "would say {veto} down the table, not {weighted}."
        )
        if differ
        else _("With your setting, both rules say the same in all {n} rows.")
    )
    st.markdown(
        text.format(n=len(veto), differ=differ, veto=listed(veto), weighted=listed(weighted))
    )
