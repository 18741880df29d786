"""A neuron to set by hand: steppers, its truth table, and the line it draws."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from app.charts.plane import CORNERS, Dots, Line, plane
from app.charts.toolbar import plot_config
from app.components.graph import Shown, Vertex, graph
from app.format import short
from app.i18n import _
from app.state import Param, one_of, whole
from app.ui.chart import theme_mode
from app.ui.table import table, table_fold
from app.views.history.neuron import texts as lesson
from app.views.history.neuron.data import GATES, Neuron, Row, right, rows, search

GATE = Param[str]("gate", "and", one_of(*GATES))
FIRST, SECOND = Param[int]("n1", 1, whole(-1, 1)), Param[int]("n2", 1, whole(-1, 1))
THRESHOLD = Param[int]("nt", 2, whole(-2, 3))
ROW = Param[int]("nrow", 3, whole(0, 3))
SUBSCRIPTS = "₁₂"


@dataclass(frozen=True)
class Gate:
    """What the visitor chose: the gate, and the neuron as it is set."""

    name: str
    neuron: Neuron

    @property
    def title(self) -> str:
        return self.name.upper()

    @property
    def goal(self) -> Row:
        return GATES[self.name]

    @property
    def inputs(self) -> tuple[Row, ...]:
        return rows(len(self.neuron.weights))

    @property
    def right(self) -> int:
        return right(self.goal, self.neuron.answers())


def gate_of() -> Gate:
    """Return the gate and the neuron that are chosen; NOT has one input only."""
    name = GATE.get()
    weights = (FIRST.get(), SECOND.get())
    return Gate(name, Neuron(weights[: len(GATES[name]) // 2], THRESHOLD.get()))


def draw_neuron(now: Gate) -> None:
    """Draw the neuron with one row of inputs, as they run through it."""
    texts = [" ".join(map(str, row)) for row in now.inputs]
    chosen = min(ROW.get(), len(texts) - 1)
    st.segmented_control(
        _("Inputs"), range(len(texts)), format_func=lambda i: texts[i], required=True,
        key=ROW.widget(chosen), help=_(lesson.ROW_HELP),
    )  # fmt: skip
    row, neuron = now.inputs[chosen], now.neuron
    count, fires = len(row), neuron.fires(row)
    vertices = [
        *(Vertex(f"x{SUBSCRIPTS[i]}", str(x), role="input") for i, x in enumerate(row)),
        Vertex(
            "w·x", short(neuron.potential(row)), inputs=tuple(range(count)),
            slopes=tuple(f"× {short(w)}" for w in neuron.weights),
        ),
        Vertex(
            _("fires") if fires else _("is silent"), str(fires), inputs=(count,),
            slopes=(f"≥ {short(neuron.threshold)}?",), role="output" if fires else "residual",
        ),
    ]  # fmt: skip
    all_of_it = [True] * len(vertices)
    graph(
        vertices, Shown(all_of_it, all_of_it, all_of_it), key="neuron-drawing",
        label=_("The neuron, with these inputs"),
    )  # fmt: skip


def draw_gate() -> None:
    """Draw the steppers, the truth table with what is right, and the plane."""
    st.markdown(_(lesson.SET))
    st.segmented_control(
        _("Gate"), list(GATES), format_func=str.upper, required=True, key=GATE.widget(),
        help=_(lesson.GATE_HELP),
    )  # fmt: skip
    now = gate_of()
    _steppers(now)
    draw_neuron(now)
    left, right_side = st.columns(2, gap="medium")
    with left:
        st.table(_truth(now))
        _verdict(now)
    with right_side:
        _plane(now)
    table_fold("truth", lambda: table(_truth(now), now.name))


def _steppers(now: Gate) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for param, sign in zip((FIRST, SECOND), SUBSCRIPTS[: len(now.inputs[0])], strict=False):
            st.number_input(
                _("Weight w{sign}").format(sign=sign), -1, 1, step=1, key=param.widget(),
                help=_(lesson.WEIGHT_HELP), width=130,
            )  # fmt: skip
        st.number_input(
            _("Threshold θ"), -2, 3, step=1, key=THRESHOLD.widget(),
            help=_(lesson.THRESHOLD_HELP), width=130,
        )  # fmt: skip
        st.button(
            _("Set it for me"), icon=":material/auto_fix_high:", key="neuron-solve",
            on_click=_solve, args=(now.name,), help=_(lesson.SOLVE_HELP),
        )  # fmt: skip


def _solve(name: str) -> None:
    """Take the first of the settings that get the most rows right."""
    best = search(name).first
    THRESHOLD.set(best.threshold)
    for param, weight in zip((FIRST, SECOND), best.weights, strict=False):
        param.set(weight)


def _truth(now: Gate) -> dict[str, list[str]]:
    neuron = now.neuron
    columns = {
        f"x{SUBSCRIPTS[i]}": [str(row[i]) for row in now.inputs] for i in range(len(now.inputs[0]))
    }
    columns["w·x"] = [_sum(neuron, row) for row in now.inputs]
    columns[_("fires?")] = [
        f"{short(neuron.potential(row))} {'≥' if neuron.fires(row) else '<'} "
        f"{short(neuron.threshold)}: {neuron.fires(row)}"
        for row in now.inputs
    ]
    columns[now.title] = [str(wanted) for wanted in now.goal]
    columns[_("right?")] = [
        "✓" if said == wanted else "✗"
        for said, wanted in zip(neuron.answers(), now.goal, strict=True)
    ]
    return columns


def _sum(neuron: Neuron, row: Row) -> str:
    terms = [
        f"{f'({short(w)})' if w < 0 else w}·{x}" for w, x in zip(neuron.weights, row, strict=True)
    ]
    return f"{' + '.join(terms)} = {short(neuron.potential(row))}"


def _verdict(now: Gate) -> None:
    count = len(now.goal)
    if now.right == count:
        said = _(lesson.ALL_RIGHT).format(n=count, gate=now.title)
        st.success(said, icon=":material/check:")
        return
    st.info(_(lesson.SOME_RIGHT).format(right=now.right, n=count), icon=":material/tune:")


def _plane(now: Gate) -> None:
    neuron, one = now.neuron, len(now.inputs[0]) == 1
    weights = (*neuron.weights, 0)[:2]
    line = Line(
        "w·x = θ", (weights[0], weights[1], -neuron.threshold), "output", filled=True
    )  # fmt: skip
    figure = plane(
        [_corners(now, wanted) for wanted in (1, 0)],
        [line],
        across=CORNERS, up=(-0.55, 0.55) if one else CORNERS,
        x_title="x₁", y_title="" if one else "x₂", mode=theme_mode(), height=260 if one else 400,
    )  # fmt: skip
    alt = _("The corners, the line w·x = θ, and the side on which the neuron fires")
    st.plotly_chart(figure, theme=None, config=plot_config("neuron"), key="neuron-plane", alt=alt)
    said = _(lesson.LINE).format(gate=now.title) if any(weights) else _(lesson.NO_LINE)
    st.caption(said)


def _corners(now: Gate, wanted: int) -> Dots:
    places = [
        (row, said)
        for row, said, goal in zip(now.inputs, now.neuron.answers(), now.goal, strict=True)
        if goal == wanted
    ]
    return Dots(
        _("{gate} wants {said}").format(gate=now.title, said=wanted),
        np.array([(*row, 0)[:2] for row, _said in places], float),
        "input" if wanted else "residual",
        "circle" if wanted else "circle-open",
        [_mark(said == wanted) for _row, said in places],
    )


def _mark(is_right: bool) -> str:
    return "✓" if is_right else "✗"


def draw_veto() -> None:
    """Say what an inhibitory input was in 1943, and where that makes a difference."""
    now = gate_of()
    st.markdown(_(lesson.VETO))
    veto = [now.neuron.fires_unless_vetoed(row) for row in now.inputs]
    weighted = now.neuron.answers()
    differ = sum(a != b for a, b in zip(veto, weighted, strict=True))
    form = lesson.VETO_DIFFERS if differ else lesson.VETO_SAME
    st.markdown(
        _(form).format(n=len(veto), differ=differ, veto=listed(veto), weighted=listed(weighted))
    )


def draw_search() -> None:
    """Show how many of all settings get how many rows right."""
    now = gate_of()
    found, count, inputs = search(now.name), len(now.goal), len(now.inputs[0])
    st.markdown(
        _(lesson.SEARCH).format(
            weights=3, thresholds=found.tried // 3**inputs, tried=found.tried, gate=now.title
        )
    )
    st.table(
        {_("rows right"): [_("settings")]}
        | {f"{n} / {count}": [str(found.counts[n])] for n in range(count + 1)}
    )
    form = lesson.FOUND if found.found else lesson.NONE_FOUND
    st.markdown(_(form).format(found=len(found.found), tried=found.tried, n=count, best=found.best))


def listed(numbers: Sequence[float]) -> str:
    return ", ".join(map(short, numbers))
