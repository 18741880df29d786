"""What one chooses on the page: the expression that is typed, and the network that learns XOR."""

from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from app.format import escape
from app.i18n import N_, _
from app.page.live_training import Live, training
from app.state import LONGEST_SENTENCE, Param, decimal, one_of, up_to, whole
from app.views.history.backprop.data import LIMITS, Back, ExpressionError, Graph, parse, xor

EXAMPLES: Final = (
    (N_("a neuron"), "sigmoid(w1*x1 + w2*x2 + b)"),
    (N_("a name used twice"), "x*x + x"),
    (N_("an error"), "(tanh(w*x + b) - y)**2"),
    (N_("a softmax"), "exp(a) / (exp(a) + exp(c))"),
)
# The initial numbers by name; any other name starts at 1.
START = {"w1": 0.5, "x1": 2.0, "w2": -1.0, "x2": 1.5, "b": 0.25, "w": 0.5, "x": 3.0, "a": 2.0}
ERRORS: Final = {
    "empty": N_("There is no expression yet: type one, such as x*x + x."),
    "long": N_("This expression has {at} characters; please use {longest} at most."),
    "unreadable": N_(
        "This cannot be read at “{at}”. Look for a missing sign or parenthesis there: 2*x, not 2x."
    ),
    "unfinished": N_("“{at}” stops too early: something is missing at its end."),
    "unknown": N_("There is no function “{at}” here. There are {functions}."),
    "alone": N_("“{at}” is a function: write what it is applied to in parentheses, {at}(x)."),
    "inputs": N_("“{at}” takes exactly one number in its parentheses."),
    "operator": N_("“{at}” cannot be computed here: use only + − * / ** and the functions."),
    "number": N_("“{at}” is not a number that can be used here; write it as 2 or 0.5."),
    "names": N_("These are {at} different names; please use {names} at most."),
    "nothing": N_(
        "There is no name in it, so nothing to differentiate with respect to: write a letter, "
        "such as x."
    ),
    "zero": N_("This divides by zero: {at}. Change a number or the expression."),
    "log": N_("{at}: a logarithm exists only for numbers above 0. Change the number."),
    "sqrt": N_("{at}: a square root exists only for 0 and above. Change the number."),
    "power": N_(
        "{at}: a negative number has no such power. Use a whole exponent, or another number."
    ),
    "overflow": N_(
        "{at} is larger than any 64-bit number (float64); they end near 1.8·10³⁰⁸. Use smaller "
        "numbers."
    ),
    "slope": N_(
        "{at} has a value here, but its derivative is missing or infinite. Change a number a "
        "little."
    ),
}


@dataclass(frozen=True)
class Computed:
    """An expression with its numbers: the whole graph, and all steps of the backward pass."""

    names: tuple[str, ...]
    graph: Graph
    back: tuple[Back, ...]

    @property
    def derivatives(self) -> list[float]:
        return self.graph.derivatives()


DEFAULT = EXAMPLES[0][1]
TEXT = Param[str]("f", DEFAULT, up_to(LONGEST_SENTENCE))
LARGEST = 1e6
VALUES = ("zero", "log", "sqrt", "power", "overflow", "slope")  # errors that name a number


def value_of(name: str) -> Param[float]:
    """Return the parameter that holds a name's number."""
    return Param[float](f"v.{name}", START.get(name, 1.0), decimal(-LARGEST, LARGEST))


def computed(text: str, **changed: float) -> Computed:
    """Compute an expression with the chosen numbers; raises ExpressionError if it cannot."""
    expression = parse(text)
    values = {name: value_of(name).get() for name in expression.names} | changed
    graph = expression.run(values)
    return Computed(expression.names, graph, tuple(graph.backward()))


def pick_expression() -> Computed | None:
    """Draw the field and the numbers; say why and return None if nothing can be computed."""
    expression_help = _(
        "Names stand for numbers, which you set. Write 2*x, not 2x, and x**2 for a square."
    )
    explained = _(
        "Type an expression of your own, or take an example. You can use + − * / **, parentheses, "
        "your own names, and {functions}."
    )
    help_text = f"{explained.format(**LIMITS)} {expression_help}"
    label, key, tip = _("Expression"), TEXT.widget(), escape(help_text)
    line = st.container(horizontal=True, gap="xsmall", vertical_alignment="bottom")
    with line:
        look: dict[str, Any] = {"autocomplete": "off", "live": "400ms", "width": 250}
        typed = st.text_input(label, key=key, help=tip, **look)
    try:
        names = parse(typed).names
        with line:
            for name in names:
                key, tip = value_of(name).widget(), _("The number that stands for this name.")
                look = {"step": 0.25, "format": "%.6g", "width": 122}
                st.number_input(escape(name), -LARGEST, LARGEST, key=key, help=tip, **look)
        return computed(typed)
    except ExpressionError as error:
        st.error(error_text(error), icon=":material/edit_off:")
        return None


def error_text(error: ExpressionError) -> str:
    """Say in one sentence why an expression cannot be computed."""
    at = error.at.replace("-", "−") if error.trouble in VALUES else error.at
    return escape(_(ERRORS[error.trouble]).format(at=at, **LIMITS))


def expression_of() -> Computed:
    """Return the expression that was typed, or the first example if it cannot be computed."""
    try:
        return computed(TEXT.get())
    except ExpressionError:
        return computed(DEFAULT)


SQUASHES: Final[tuple[xor.Squash, ...]] = ("tanh", "sigmoid", "none")
RATES: Final = ("0.5", "1", "2", "4")
HIDDEN: Final = Param[str]("bh", "2", one_of("2", "3"))
SQUASH: Final = Param[xor.Squash]("bs", "tanh", one_of(*SQUASHES))
RATE: Final = Param[str]("br", "1", one_of(*RATES))
SEED: Final = Param[int]("bseed", 0, whole(0, 9999))


@dataclass(frozen=True, eq=False)
class BackpropChoice:
    """The expression (the first example if it is invalid) and the network's training."""

    expression: Computed
    plan: xor.NetworkPlan
    training: Live[xor.NetworkReport]


def choice() -> BackpropChoice:
    """Return the choice; start its training if there is none yet."""
    plan = xor.NetworkPlan(int(HIDDEN.get()), SQUASH.get(), float(RATE.get()), SEED.get())
    return BackpropChoice(expression_of(), plan, training("xor", plan, lambda: xor.learn(plan)))
