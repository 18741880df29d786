"""The expression that is typed, and the numbers for its names."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from app.format import escape
from app.i18n import _
from app.state import LONGEST_SENTENCE, Param, decimal, up_to
from app.views.history.backprop import texts
from app.views.history.backprop.data import LIMITS, Back, ExpressionError, Graph, parse

DEFAULT = texts.EXAMPLES[0][1]
TEXT = Param[str]("f", DEFAULT, up_to(LONGEST_SENTENCE))
LARGEST = 1e6
VALUES = ("zero", "log", "sqrt", "power", "overflow", "slope")  # errors at a number


@dataclass(frozen=True)
class Computed:
    """An expression with its numbers: the whole graph, and all steps backwards."""

    names: tuple[str, ...]
    graph: Graph
    back: tuple[Back, ...]

    @property
    def derivatives(self) -> list[float]:
        return self.graph.derivatives()


def value_of(name: str) -> Param[float]:
    """Return the choice of a name's number."""
    return Param[float](f"v.{name}", texts.START.get(name, 1.0), decimal(-LARGEST, LARGEST))


def computed(text: str, **changed: float) -> Computed:
    """Compute an expression with the numbers that are chosen; ExpressionError says why not."""
    expression = parse(text)
    values = {name: value_of(name).get() for name in expression.names} | changed
    graph = expression.run(values)
    return Computed(expression.names, graph, tuple(graph.backward()))


def expression_of() -> Computed:
    """Return what was typed; in place of what cannot be computed, the first example."""
    try:
        return computed(TEXT.get())
    except ExpressionError:
        return computed(DEFAULT)


def pick_example() -> None:
    """Draw the examples: a click takes one over."""
    with st.container(horizontal=True, gap="small"):
        for i, (name, text) in enumerate(texts.EXAMPLES):
            tip = _(texts.EXAMPLE_HELP).format(text=escape(text))
            st.button(_(name), key=f"example-{i}", on_click=TEXT.set, args=(text,), help=tip)


def pick_expression() -> Computed | None:
    """Draw the field and the numbers; None, with one sentence, where nothing can be computed."""
    help_text = f"{_(texts.TYPE).format(**LIMITS)} {_(texts.EXPRESSION_HELP)}"
    label, key, tip = _("Expression"), TEXT.widget(), escape(help_text)
    line = st.container(horizontal=True, gap="xsmall", vertical_alignment="bottom")
    with line:
        look: dict[str, Any] = {"autocomplete": "off", "live": "400ms", "width": 250}
        typed = st.text_input(label, key=key, help=tip, **look)
    try:
        names = parse(typed).names
        with line:
            for name in names:
                key, tip = value_of(name).widget(), _(texts.VALUE_HELP)
                look = {"step": 0.25, "format": "%.6g", "width": 122}
                st.number_input(escape(name), -LARGEST, LARGEST, key=key, help=tip, **look)
        return computed(typed)
    except ExpressionError as error:
        st.error(error_text(error), icon=":material/edit_off:")
        return None


def error_text(error: ExpressionError) -> str:
    """Say in one sentence why an expression cannot be computed."""
    at = error.at.replace("-", "−") if error.trouble in VALUES else error.at
    return escape(_(texts.ERRORS[error.trouble]).format(at=at, **LIMITS))
