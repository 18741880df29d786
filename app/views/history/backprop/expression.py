"""1970: an expression as a graph, values forwards and derivatives backwards."""

from functools import partial
from typing import Any, Final

import numpy as np
import streamlit as st

from app import state
from app.components.graph import Shown, Vertex, graph
from app.format import escape, localized, short, signed, tex
from app.i18n import N_, _
from app.page.kit import Code, QuizTask, Screens, guess, say
from app.ui import player
from app.ui.kept import table_menu
from app.ui.table import written_table
from app.views.history.backprop import data
from app.views.history.backprop.data import DEFAULT, TEXT, BackpropChoice

EXAMPLES: Final = (
    (N_("a neuron"), DEFAULT),
    (N_("a name used twice"), "x*x + x"),
    (N_("an error"), "(tanh(w*x + b) - y)**2"),
    (N_("a softmax"), "exp(a) / (exp(a) + exp(c))"),
)
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

# What each operation computes, and its local derivative by each input, in LaTeX: a and b are its
# inputs, y its value.
FORMULAS: Final = {
    "+": (r"{a} + {b}", ("1", "1")),
    "-": (r"{a} - {b}", ("1", "-1")),
    "*": (r"{a} \cdot {b}", ("{b}", "{a}")),
    "/": (r"\frac{{{a}}}{{{b}}}", (r"\frac{{1}}{{{b}}}", r"-\frac{{{a}}}{{{b}^2}}")),
    "**": (r"{a}^{{{b}}}", (r"{b} \cdot {a}^{{{b} - 1}}", r"{a}^{{{b}}} \cdot \ln {a}")),
    "neg": (r"-{a}", ("-1",)),
    "exp": (r"e^{{{a}}}", (r"e^{{{a}}}",)),
    "log": (r"\ln {a}", (r"\frac{{1}}{{{a}}}",)),
    "sqrt": (r"\sqrt{{{a}}}", (r"\frac{{1}}{{2 \sqrt{{{a}}}}}",)),
    "tanh": (r"\tanh {a}", (r"1 - {y}^2",)),
    "sigmoid": (r"\frac{{1}}{{1 + e^{{-{a}}}}}", (r"{y} \cdot (1 - {y})",)),
    "relu": (r"\max({a}, 0)", (r"\left[{a} > 0\right]",)),
    "sin": (r"\sin {a}", (r"\cos {a}",)),
    "cos": (r"\cos {a}", (r"-\sin {a}",)),
}
STEP = 0.01  # how far a number is moved to test what its derivative predicts
HEIGHT = 200  # of the step in words


def pick_example(_choice: BackpropChoice) -> None:
    """Draw the examples; a click on one copies it into the field."""
    with st.container(horizontal=True, gap="small"):
        for i, (name, text) in enumerate(EXAMPLES):
            tip = _("Takes this expression over: {text}").format(text=escape(text))
            st.button(_(name), key=f"example-{i}", on_click=TEXT.set, args=(text,), help=tip)


screens = Screens[BackpropChoice]()


@screens(
    "expression",
    N_("1970: derivatives, backwards"),
    Code(
        N_("Forwards: a value, and the local derivatives beside it"),
        r"y = f(a, b) \qquad \frac{\partial y}{\partial a} \qquad \frac{\partial y}{\partial b}",
        "model.history.graph:Graph.apply",
    ),
    Code(
        N_("Backwards: each node hands on its derivative"),
        r"\frac{\partial L}{\partial a} = \sum_{y \text{ from } a}"
        r" \frac{\partial L}{\partial y} \cdot \frac{\partial y}{\partial a}",
        "model.history.graph:Graph.backward",
    ),
    pick=pick_example,
    was=("steps",),
)
def draw_steps(_choice: BackpropChoice) -> None:
    """Draw the field, the player, the graph as filled in so far, and the step in words."""
    say()
    if (expression := _pick_expression()) is None:
        return
    forwards = [i for i, node in enumerate(expression.nodes) if node.inputs]
    backwards = list(expression.backward())
    last = 1 + len(forwards) + len(backwards)
    player.tick(last, ready=last)
    step = player.step_of(last, ready=last)
    done = step - 1  # the first step only shows the initial numbers
    forward, back = forwards[:done], backwards[: max(done - len(forwards), 0)]
    nodes, complete = expression.nodes, {each.node for each in back}
    derivatives = [i in complete for i in range(len(nodes))]
    values = [not node.inputs or i in forward for i, node in enumerate(nodes)]
    latest = back[-1].node if back else forward[-1] if forward else None
    left, right = st.columns([0.64, 0.36], gap="medium")
    with left:
        graph(
            [vertex(expression, i) for i in range(len(nodes))],
            Shown(values, derivatives, derivatives, latest),
            key="graph",
            label=_("The computation as a graph"),
            on_select=partial(_go, forwards, [each.node for each in backwards] if back else []),
        )
    with right:
        player.controls(last, ready=last)
    with right, st.container(key="backprop-step", height=HEIGHT, border=True):
        if back:
            _draw_backward(expression, back[-1])
        elif forward:
            node = nodes[forward[-1]]
            says = _("**Forwards.** “{name}” is computed from what leads to it:")
            st.markdown(says.format(name=escape(title(node))))
            formula = _filled(expression, node, FORMULAS[node.name][0])
            st.latex(f"y = {formula} = {_number(node.value)}")
        else:
            st.markdown(_("The numbers to begin with: your names (green) and the constants."))
    text = _(
        "First the values, from left to right, then the derivatives (∂, in pink) from right to "
        "left. Seppo Linnainmaa asked how the rounding errors of a computer add up, each times the "
        "derivative at its place. Today this is called automatic differentiation."
    )
    say(text)


def _pick_expression() -> data.Graph | None:
    """Draw the field and the numbers; say why and return None if nothing can be computed."""
    expression_help = _(
        "Names stand for numbers, which you set. Write 2*x, not 2x, and x**2 for a square."
    )
    explained = _(
        "Type an expression of your own, or take an example. You can use + − * / **, parentheses, "
        "your own names, and {functions}."
    )
    help_text = f"{explained.format(**data.LIMITS)} {expression_help}"
    label, key, tip = _("Expression"), TEXT.widget(), escape(help_text)
    line = st.container(horizontal=True, gap="xsmall", vertical_alignment="bottom")
    with line:
        look: dict[str, Any] = {"autocomplete": "off", "live": "400ms", "width": 250}
        typed = st.text_input(label, key=key, help=tip, **look)
    try:
        names = data.parse(typed).names
        with line:
            for name in names:
                key, tip = data.value_of(name).widget(), _("The number that stands for this name.")
                look = {"step": 0.25, "format": "%.6g", "width": 122}
                st.number_input(
                    escape(name), -data.LARGEST, data.LARGEST, key=key, help=tip, **look
                )
        return data.computed(typed)
    except data.ExpressionError as error:
        st.error(_error_text(error), icon=":material/edit_off:")
        return None


def _error_text(error: data.ExpressionError) -> str:
    names_number = error.trouble in ("zero", "log", "sqrt", "power", "overflow", "slope")
    at = error.at.replace("-", "−") if names_number else error.at
    return escape(_(ERRORS[error.trouble]).format(at=at, **data.LIMITS))


def _go(forwards: list[int], back: list[int], node: int) -> None:
    """Jump to the step that fills in a node: its backward step once that pass has begun."""
    if node in back:
        state.STEP.set(2 + len(forwards) + back.index(node))
    else:
        state.STEP.set(2 + forwards.index(node) if node in forwards else 1)


def vertex(expression: data.Graph, place: int) -> Vertex:
    """Return a node as it is drawn."""
    nodes = expression.nodes
    node = nodes[place]
    is_last = place == len(nodes) - 1
    return Vertex(
        title(node),
        short(node.value),
        "" if node.constant else f"∂ {short(expression.derivatives()[place])}",
        node.inputs,
        tuple("" if slope is None else f"× {short(slope)}" for slope in node.slopes),
        "output" if is_last else "residual" if node.inputs or node.constant else "input",
    )


def _draw_backward(expression: data.Graph, step: data.Back) -> None:
    """Write out a node's derivative, and what it passes to each of its inputs."""
    nodes = expression.nodes
    node = nodes[step.node]
    values = {"name": escape(title(node)), "derivative": short(step.derivative)}
    is_last = step.node == len(nodes) - 1
    st.markdown(
        (
            _(
                "**Backwards.** Here the way back begins, at the result. When it grows by some "
                "amount, it grows by just that: its derivative with respect to itself is 1."
            )
            if is_last
            else _(
                "**Backwards.** All that “{name}” leads to has been seen, so its derivative is "
                "complete: {derivative}."
            )
        ).format(**values)
    )
    if not node.inputs:
        says = _(
            "“{name}” is computed from nothing: the way back ends here. When it grows by a "
            "little, the result grows by {derivative} times as much."
        )
        st.markdown(says.format(**values))
        return
    text = _(
        "It hands to each of its inputs this derivative times its own local one. An input "
        "that is used more than once adds up what it gets:"
    )
    st.markdown(text)
    places = [place for place, slope in enumerate(node.slopes) if slope is not None]
    for place, share in zip(places, step.shares, strict=True):
        so_far, receiver = _("so far"), _("to “{name}”").format(name=escape(title(nodes[share.to])))
        factors = rf"{_number(step.derivative)} \cdot {_signed(share.slope)}"
        st.markdown(
            rf"{receiver}: $\displaystyle {_local(expression, node, place)}$, &ensp; ${factors} ="
            rf" {_number(share.amount)}$ ({so_far} ${_number(share.total)}$)"
        )


def _local(expression: data.Graph, node: data.Node, place: int) -> str:
    """Write a local derivative: its formula, the formula with numbers, and its value."""
    formula = FORMULAS[node.name][1][place]
    slope = node.slopes[place]
    assert slope is not None
    with_numbers = _filled(expression, node, formula)
    written = formula.format(a="a", b="b", y="y"), with_numbers, _number(slope)
    return rf"\frac{{\partial y}}{{\partial {'ab'[place]}}} = {' = '.join(dict.fromkeys(written))}"


def _filled(expression: data.Graph, node: data.Node, formula: str) -> str:
    a, b = ([*(_signed(expression.nodes[i].value) for i in node.inputs), ""] * 2)[:2]
    return formula.format(a=a, b=b, y=_signed(node.value))


def _number(x: float) -> str:
    return tex(data.latex.number(x))


def _signed(x: float) -> str:
    return tex(data.latex.signed(x))


def title(node: data.Node) -> str:
    """Return what a node is called in the drawing."""
    signs = {"-": "−", "*": "×", "/": "÷", "**": "power", "neg": "−"}
    return signs.get(node.name, localized(node.name))


@screens.drawer("result", N_("All derivatives at once"), was=("rounding",))
def draw_result(choice: BackpropChoice) -> None:
    """Draw every name's derivative, torch's, and what it foretells."""
    text = _(
        "One walk backwards gives all derivatives, the same as those from torch.autograd, the "
        "engine that trains the Transformer here. They predict how the result changes when a "
        "number grows by {step}."
    )
    say(text.format(step=short(STEP)))
    expression = choice.expression
    slopes = np.abs(expression.derivatives()[: len(expression.names)])
    answers = np.flatnonzero(slopes >= slopes.max() * (1 - 1e-9)).tolist()
    name, slope = expression.names[answers[0]], expression.derivatives()[answers[0]]
    values = {"step": short(STEP), "name": name, "slope": short(slope)}
    ask = N_("Each number grows by {step}, one at a time. Which of them changes the result most?")
    yes = N_("Yes: {name} has the largest derivative, {slope}.")
    no = N_("It is {name}: its derivative is the largest, {slope}.")
    guess(QuizTask.of(ask, expression.names, answers, yes, no, **values))
    written_table(_columns(expression))
    value = short(expression.nodes[-1].value)
    st.markdown(_("The result is {value}.").format(value=value))
    table_menu("nodes", lambda: _nodes(expression), "nodes")


def _columns(expression: data.Graph) -> dict[str, list[str]]:
    ours = expression.derivatives()[: len(expression.names)]
    torchs = data.by_autograd(expression)[1][: len(ours)].tolist()
    return {
        _("name"): [escape(name) for name in expression.names],
        _("derivative"): [short(slope, 6) for slope in ours],
        "torch": [short(slope, 6) for slope in torchs],
        _("foretold change"): [signed(slope * STEP, 6) for slope in ours],
        _("real change"): [_real_change(expression, i) for i in range(len(ours))],
    }


def _real_change(expression: data.Graph, place: int) -> str:
    """Compute the expression again with one number changed slightly."""
    name = expression.names[place]
    try:
        moved = data.computed(TEXT.get(), **{name: expression.nodes[place].value + STEP})
    except data.ExpressionError:
        return _("no value")
    return signed(moved.nodes[-1].value - expression.nodes[-1].value, 6)


def _nodes(expression: data.Graph) -> dict[str, list[str | float]]:
    nodes = expression.nodes
    return {
        _("node"): [f"{i + 1} {title(node)}" for i, node in enumerate(nodes)],
        _("from"): [", ".join(str(i + 1) for i in node.inputs) for node in nodes],
        _("value"): [node.value for node in nodes],
        _("derivative"): [*expression.derivatives()],
    }
