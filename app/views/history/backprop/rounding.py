"""Where it came from: the error that rounding makes at each step, and what becomes of it."""

from functools import partial
from typing import Final

import streamlit as st

from app.components.graph import Shown, Vertex, graph
from app.format import short, signed
from app.i18n import _
from app.state import Param, one_of
from app.ui.kept import table_menu
from app.ui.pickers import pick
from app.ui.table import written_table
from app.views.history.backprop import texts
from app.views.history.backprop.data import ExpressionError, Rounded, rounded
from app.views.history.backprop.expression import Computed, error_text
from app.views.history.backprop.steps import title, vertex

KEPT: Final = ("1", "2", "3", "4")
DECIMALS: Final = Param[str]("bdig", "1", one_of(*KEPT))


def draw_rounding(expression: Computed) -> None:
    """Draw the graph with every result rounded, and the error foretold beside the real one."""
    pick(DECIMALS, _("Decimals kept"), KEPT, help=_(texts.DECIMALS_HELP))
    try:
        found = rounded(expression.graph, int(DECIMALS.get()))
    except ExpressionError as error:
        st.info(error_text(error), icon=":material/edit_off:")
        return
    nodes = expression.graph.nodes
    left, right = st.columns([0.68, 0.32], gap="medium", vertical_alignment="center")
    every = [True] * len(nodes)
    with left:
        graph(
            [_vertex(expression, found, i) for i in range(len(nodes))],
            Shown(every, every, [False] * len(nodes)),
            key="graph-rounded",
            label=_("The computation, rounded at every step"),
        )
    with right:
        names = _("exact result"), _("rounded result"), _("real error"), _("foretold error")
        results = short(nodes[-1].value), short(found.values[-1])
        errors = signed(found.real, 5), signed(found.foretold, 5)
        written_table({_("result"): names, _("value"): [*results, *errors]})
    table_menu("rounding", partial(_columns, expression, found), "rounding")


def _vertex(expression: Computed, found: Rounded, place: int) -> Vertex:
    """Return a node with its rounded value and the error made at it."""
    node = vertex(expression, place)
    error = f"δ {signed(found.errors[place], 5)}" if node.inputs else ""
    return Vertex(
        node.title, short(found.values[place]), error, node.inputs, node.slopes, node.role
    )


def _columns(expression: Computed, found: Rounded) -> dict[str, list[str | float]]:
    nodes = expression.graph.nodes
    return {
        _("node"): [f"{i + 1} {title(node)}" for i, node in enumerate(nodes)],
        _("rounded"): found.values.tolist(),
        _("error δ"): found.errors.tolist(),
        _("derivative"): [*expression.derivatives],
        _("error × derivative"): found.shares.tolist(),
    }
