"""The expression that is typed, and the numbers for its names."""

from dataclasses import dataclass

import streamlit as st

from app.format import escape
from app.i18n import _
from app.state import Param, decimal
from app.views.history.backprop import texts
from app.views.history.backprop.data import (
    FUNCTIONS,
    LONGEST,
    MOST_NAMES,
    Back,
    ExpressionError,
    Graph,
    parse,
)

DEFAULT = texts.EXAMPLES[0][1]
TEXT = Param[str]("f", DEFAULT, str)
LARGEST = 1e6


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


def shown() -> Computed:
    """Return what was typed; in place of what cannot be computed, the first example."""
    try:
        return computed(TEXT.get())
    except ExpressionError:
        return computed(DEFAULT)


def pick_expression() -> Computed | None:
    """Draw the field and the numbers; None, with one sentence, where nothing can be computed."""
    st.markdown(_(texts.TYPE).format(functions=", ".join(FUNCTIONS)))
    with st.container(horizontal=True, gap="small"):
        for i, (name, text) in enumerate(texts.EXAMPLES):
            st.button(
                _(name), key=f"example-{i}", on_click=TEXT.set, args=(text,),
                help=_(texts.EXAMPLE_HELP).format(text=escape(text)),
            )  # fmt: skip
    typed = st.text_input(
        _("Expression"), key=TEXT.widget(), help=escape(_(texts.EXPRESSION_HELP)),
        autocomplete="off", live="400ms",
    )  # fmt: skip
    try:
        _numbers(parse(typed).names)
        return computed(typed)
    except ExpressionError as error:
        st.error(trouble(error), icon=":material/edit_off:")
        return None


def trouble(error: ExpressionError) -> str:
    """Say in one sentence why an expression cannot be computed."""
    return escape(
        _(texts.TROUBLES[error.trouble]).format(
            at=error.at.replace("-", "−") if error.trouble in VALUES else error.at,
            functions=", ".join(FUNCTIONS), longest=LONGEST, names=MOST_NAMES,
        )
    )  # fmt: skip


VALUES = ("zero", "log", "sqrt", "power", "overflow", "slope")


def _numbers(names: tuple[str, ...]) -> None:
    with st.container(horizontal=True):
        for name in names:
            param = value_of(name)
            st.number_input(
                escape(name), -LARGEST, LARGEST, step=0.25, format="%.6g", key=param.widget(),
                help=_(texts.VALUE_HELP), width=140,
            )  # fmt: skip
