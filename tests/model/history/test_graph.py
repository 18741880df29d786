"""The reverse-mode engine against torch.autograd, and what it foretells of rounding errors."""

import math
import re
from collections.abc import Callable

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from torch import Tensor

from model.history.expression import parse
from model.history.graph import Graph
from model.history.operations import FUNCTIONS, ExpressionError

NAMES = ("x", "y", "w1")
NEURON = parse("sigmoid(w1*x1 + w2*x2 + b)")
VALUES = {"w1": 0.512, "x1": 2.1, "w2": -1.013, "x2": 1.57, "b": 0.25}
LARGEST = 1e4  # above this, the last digit of one number may move another one by more than 1e-9


def of_torch(name: str) -> Callable[[Tensor | float], Tensor]:
    function: Callable[[Tensor], Tensor] = getattr(torch, name)
    return lambda x: function(torch.as_tensor(x, dtype=torch.float64))


TORCH = {name: of_torch(name) for name in FUNCTIONS}

leaves = st.sampled_from(NAMES) | st.floats(0.1, 3).map(lambda v: f"{v:.3f}")
texts = st.recursive(
    leaves,
    lambda inner: (
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})")
        | st.tuples(st.sampled_from(FUNCTIONS), inner).map(lambda t: f"{t[0]}({t[1]})")
        | st.tuples(inner, st.sampled_from(["2", "3", "-1", "0.5", *NAMES])).map(
            lambda t: f"({t[0]}) ** {t[1]}"
        )
        | inner.map(lambda t: f"-{t}")
    ),
    max_leaves=8,
)
numbers = st.floats(-3, 3).map(lambda v: round(v, 3))


@given(texts, st.tuples(numbers, numbers, numbers))
@settings(max_examples=100)
def test_derivatives_equal_those_of_autograd(text: str, given_values: tuple[float, ...]) -> None:
    values = dict(zip(NAMES, given_values, strict=True))
    assume(re.search(r"\b(x|y|w1)\b", text))
    expression = parse(text)
    try:
        graph = expression.run(values)
        found = graph.derivatives()
    except ExpressionError:
        return  # said in words on the page
    assume(max(abs(x) for x in (*found, *(node.value for node in graph.nodes))) < LARGEST)
    tensors = {
        name: torch.tensor(values[name], dtype=torch.float64, requires_grad=True)
        for name in expression.names
    }
    # Python itself reads the text here: our parser is checked as well.
    result = eval(text, {"__builtins__": {}}, {**TORCH, **tensors})
    result.backward()
    assert graph.nodes[-1].value == pytest.approx(result.item(), rel=1e-9, abs=1e-9)
    for place, name in enumerate(expression.names):
        slope = tensors[name].grad
        assert slope is not None
        assert found[place] == pytest.approx(slope.item(), rel=1e-9, abs=1e-9), name


def test_a_number_used_twice_gets_both_shares() -> None:
    graph = parse("x * x + x").run({"x": 3})
    *_, first = graph.backward()
    assert first.derivative == 7
    shares = [share for back in graph.backward() for share in back.shares if share.to == 0]
    assert [share.amount for share in shares] == [1, 3, 3]
    assert [share.total for share in shares] == [1, 4, 7]


def test_backwards_is_the_reverse_of_forwards_and_skips_what_never_changes() -> None:
    graph = parse("tanh(w*x + (2 + 3)*b)").run({"w": 0.5, "x": 1, "b": 0.1})
    places = [back.node for back in graph.backward()]
    assert places == sorted(places, reverse=True)
    skipped = set(range(len(graph.nodes))) - set(places)
    assert [graph.nodes[i].name for i in sorted(skipped)] == ["2", "3", "+"]


UNREADABLE = {
    "empty": ("",), "long": ("x" * 161,), "unfinished": ("x +",),
    "unreadable": ("2x", "(x", "x y", "x\0y"), "unknown": ("max(x)", "__import__('os')"),
    "alone": ("tanh",), "inputs": ("tanh(x, y)", "tanh()", "tanh(*x)", "tanh(a=x)"),
    "operator": ("x // 2", "x if y else 2", "x.real", "[x]", "(lambda: x)()", "x < 2", "~x"),
    "number": ("x + 'a'", "x + 2j", "x + True"), "overflow": ("x + 1e999",),
    "nothing": ("2 + 3",), "names": ("a+b+c+d+f+g+h",),
}  # fmt: skip


def test_what_cannot_be_read_is_told_apart() -> None:
    for trouble, texts in UNREADABLE.items():
        for text in texts:
            with pytest.raises(ExpressionError) as caught:
                parse(text)
            assert caught.value.trouble == trouble, text


def test_what_has_no_value_is_told_apart() -> None:
    for text, x, trouble, at in (
        ("1/x", 0, "zero", "1 / 0"),
        ("x**-1", 0, "zero", "0 ** (-1)"),
        ("log(x)", 0, "log", "log(0)"),
        ("log(x)", -2, "log", "log(-2)"),
        ("sqrt(x)", -1, "sqrt", "sqrt(-1)"),
        ("x**0.5", -1, "power", "(-1) ** 0.5"),
        ("exp(x)", 1000, "overflow", "exp(1000)"),
        ("x*x", 1e200, "overflow", "1e+200 * 1e+200"),
        ("sqrt(x)", 0, "slope", "sqrt(0)"),
        ("2**x + x**x", -2, "slope", "(-2) ** (-2)"),
    ):
        with pytest.raises(ExpressionError) as caught:
            parse(text).run({"x": x})
        assert (caught.value.trouble, caught.value.at) == (trouble, at)


def test_a_derivative_that_grows_too_large_is_told() -> None:
    graph = Graph()
    x = graph.variable("x", 1e-200)
    graph.apply("*", graph.number(1e200), graph.apply("*", graph.number(1e200), x))
    with pytest.raises(ExpressionError, match="slope"):
        graph.derivatives()


@given(st.text(max_size=40) | st.text("xy+-*/()^ .0123456789tanhexp", max_size=60))
@settings(max_examples=40)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        expression = parse(text)
        values = expression.run(dict.fromkeys(expression.names, 1.5)).derivatives()
    except ExpressionError:
        return
    assert all(math.isfinite(value) for value in values)


def test_signs_as_people_write_them_are_read() -> None:
    graph = parse("x^2 − 3×y ÷ 2").run({"x": 4, "y": 2})
    assert graph.nodes[-1].value == 13
