"""The graph, one step at a time: values forwards, derivatives backwards."""

import streamlit as st

from app import state
from app.components.graph import Shown, Vertex, graph
from app.format import escape, localized, short, tex
from app.i18n import _
from app.ui import player
from app.views.history.backprop import texts
from app.views.history.backprop.choice import Choice
from app.views.history.backprop.data import Back, Node, latex
from app.views.history.backprop.expression import Computed, pick_expression

HEIGHT = 200  # of the step in words


def draw_steps(_choice: Choice) -> None:
    """Draw the field and the player, the graph as far as it is filled in, and the step in words."""
    if (expression := pick_expression()) is None:
        return
    forwards = [i for i, node in enumerate(expression.graph.nodes) if node.inputs]
    last = 1 + len(forwards) + len(expression.back)
    player.tick(last, ready=last)
    step = player.step_of(last, ready=last)
    done = step - 1  # the first step only shows the numbers to begin with
    forward, back = forwards[:done], expression.back[: max(done - len(forwards), 0)]
    nodes, complete = expression.graph.nodes, {each.node for each in back}
    derivatives = [i in complete for i in range(len(nodes))]
    values = [not node.inputs or i in forward for i, node in enumerate(nodes)]
    latest = back[-1].node if back else forward[-1] if forward else None
    left, right = st.columns([0.34, 0.66], gap="medium")
    with right:
        graph(
            [vertex(expression, i) for i in range(len(nodes))],
            Shown(values, derivatives, derivatives, latest),
            key="graph",
            label=_("The computation as a graph"),
            on_select=lambda node: _go(expression, forwards, bool(back), node),
        )
    with left:
        player.controls(last, ready=last)
    with left, st.container(key="backprop-step", height=HEIGHT, border=True):
        if back:
            _draw_backward(expression, back[-1])
        elif forward:
            node = nodes[forward[-1]]
            st.markdown(_(texts.FORWARD).format(name=escape(title(node))))
            formula = _filled(expression, node, texts.FORMULAS[node.name][0])
            st.latex(f"y = {formula} = {_number(node.value)}")
        else:
            st.markdown(_(texts.FIRST_STEP))


def _go(expression: Computed, forwards: list[int], backwards: bool, node: int) -> None:
    """Jump to the step that fills in a node: backwards, once the way back has begun."""
    back = [each.node for each in expression.back]
    if backwards and node in back:
        state.STEP.set(2 + len(forwards) + back.index(node))
    else:
        state.STEP.set(2 + forwards.index(node) if node in forwards else 1)


def vertex(expression: Computed, place: int) -> Vertex:
    """Return a node as it is drawn."""
    nodes = expression.graph.nodes
    node = nodes[place]
    is_last = place == len(nodes) - 1
    return Vertex(
        title(node),
        short(node.value),
        "" if node.constant else f"∂ {short(expression.derivatives[place])}",
        node.inputs,
        tuple("" if slope is None else f"× {short(slope)}" for slope in node.slopes),
        "output" if is_last else "residual" if node.inputs or node.constant else "input",
    )


def _draw_backward(expression: Computed, step: Back) -> None:
    """Write out a node's derivative, and what it hands to each of its inputs."""
    nodes = expression.graph.nodes
    node = nodes[step.node]
    values = {"name": escape(title(node)), "derivative": short(step.derivative)}
    is_last = step.node == len(nodes) - 1
    st.markdown(_(texts.SEED if is_last else texts.BACKWARD).format(**values))
    if not node.inputs:
        st.markdown(_(texts.LEAF).format(**values))
        return
    st.markdown(_(texts.HANDS))
    places = [place for place, slope in enumerate(node.slopes) if slope is not None]
    for place, share in zip(places, step.shares, strict=True):
        so_far, receiver = _("so far"), _("to “{name}”").format(name=escape(title(nodes[share.to])))
        factors = rf"{_number(step.derivative)} \cdot {_signed(share.slope)}"
        st.markdown(
            rf"{receiver}: $\displaystyle {_local(expression, node, place)}$, &ensp;"
            rf" ${factors} = {_number(share.amount)}$"
            rf" ({so_far} ${_number(share.total)}$)"
        )


def _local(expression: Computed, node: Node, place: int) -> str:
    """Write a local derivative: its formula, the same with the numbers, and its value."""
    formula = texts.FORMULAS[node.name][1][place]
    slope = node.slopes[place]
    assert slope is not None
    with_numbers = _filled(expression, node, formula)
    written = formula.format(a="a", b="b", y="y"), with_numbers, _number(slope)
    return rf"\frac{{\partial y}}{{\partial {'ab'[place]}}} = {' = '.join(dict.fromkeys(written))}"


def _filled(expression: Computed, node: Node, formula: str) -> str:
    a, b = ([*(_signed(expression.graph.nodes[i].value) for i in node.inputs), ""] * 2)[:2]
    return formula.format(a=a, b=b, y=_signed(node.value))


def _number(x: float) -> str:
    return tex(latex.number(x))


def _signed(x: float) -> str:
    return tex(latex.signed(x))


def title(node: Node) -> str:
    """Return what a node is called in the drawing."""
    signs = {"-": "−", "*": "×", "/": "÷", "**": "power", "neg": "−"}
    return signs.get(node.name, localized(node.name))
