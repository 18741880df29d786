"""The page on backpropagation: any expression, step by step, and XOR learned with it."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.views.history.backprop import texts
from app.views.history.backprop.data import (
    by_autograd,
    descend,
    descend_again,
    first_updates,
    surface,
)
from app.views.history.backprop.expression import computed
from app.views.history.backprop.xor import PLACES, weight_names
from model.history.operations import FUNCTIONS, OPERATIONS, Trouble
from model.history.xor import ENOUGH, Plan, learn
from tests.app.pages import opened

PAGE = "backprop"


def said(app: AppTest) -> str:
    return " ".join(each.value for each in app.markdown)


def test_every_operation_and_every_trouble_has_its_words() -> None:
    assert set(texts.FORMULAS) == set(OPERATIONS)
    for name, (value, slopes) in texts.FORMULAS.items():
        assert value.format(a="a", b="b", y="y")
        assert len(slopes) == len(OPERATIONS[name].slopes)
    assert set(texts.ERRORS) == set(Trouble.__args__)  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", [text for _name, text in texts.EXAMPLES])
def test_the_examples_equal_autograd(models: Path, text: str) -> None:
    app = opened(PAGE, f=text)
    assert not app.exception
    assert not app.error
    table = app.table[0].value
    assert list(table["derivative"]) == list(table["torch"])


def test_every_function_is_shown_forwards_and_backwards(models: Path) -> None:
    for name in FUNCTIONS:
        for step in ("2", "3"):
            app = opened(PAGE, f=f"{name}(x)", step=step)
            assert not app.exception
            assert not app.error


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2x", "cannot be read at “2x”"),
        ("x +", "stops too early"),
        ("foo(x)", "no function “foo”"),
        ("1 / (x - 3)", "divides by zero: 1 / 0"),
        ("log(x - 5)", "log(−2)"),
        ("exp(x * 1000)", "exp(3000) is larger"),
        ("x.real + <b>$a$", "cannot be read"),
        ("", "There is no expression yet"),
    ],
)
def test_what_cannot_be_computed_is_told_at_the_field(models: Path, text: str, told: str) -> None:
    app = opened(PAGE)
    app.text_input[0].set_value(text).run()
    assert not app.exception
    assert len(app.error) == 1
    assert told in app.error[0].value.replace("\\", "")
    assert app.text_input[0].value == text


def test_the_steps_fill_the_graph_in(models: Path) -> None:
    first = opened(PAGE, f="x*x + x", step="1")
    assert texts.FIRST_STEP in said(first)
    forward = opened(PAGE, f="x*x + x", step="2")
    assert "“×” is computed" in said(forward)
    last = opened(PAGE, f="x*x + x", step="6")
    assert "its derivative is complete: 7" in said(last)
    beyond = opened(PAGE, f="x*x + x", step="99")
    assert said(beyond) == said(last)


def test_the_badge_sees_a_wrong_derivative() -> None:
    now = computed("tanh(w*x + b)")
    values, derivatives = by_autograd(now.graph)
    np.testing.assert_allclose([node.value for node in now.graph.nodes], values, rtol=1e-12)
    np.testing.assert_allclose(now.derivatives, derivatives, rtol=1e-12)
    moved = computed("tanh(w*x + b)", b=0.26)
    assert np.abs(np.array(moved.derivatives) - derivatives).max() > 1e-4


def test_the_first_updates_are_the_same_by_formulas() -> None:
    for plan in (Plan(), Plan(3, "sigmoid", 4.0, 7)):
        np.testing.assert_allclose(first_updates(plan), descend_again(plan), rtol=1e-9)
        assert len(weight_names(plan)) == plan.n_weights


def test_the_starts_on_the_page_are_those_of_the_engine() -> None:
    found = descend(Plan())
    *_, last = learn(Plan(seed=1))
    assert (last.loss < ENOUGH) == found.learned[1]
    assert last.loss == pytest.approx(found.losses[1], rel=1e-6)
    assert not found.learned.all()


def test_the_surface_goes_through_the_four_rows() -> None:
    plan = Plan()
    report = next(learn(plan))
    said = surface(report, plan, np.array([0.0, 1.0]))  # rows are x₂, columns x₁
    np.testing.assert_allclose(said.T.ravel(), report.outputs, rtol=1e-12)
    assert surface(report, plan, PLACES).shape == (len(PLACES), len(PLACES))


def test_one_step_moves_the_weights(models: Path) -> None:
    app = opened(PAGE)
    before = list(app.table[2].value["value"])
    app.button("live-xor-step").click().run()
    assert list(app.table[2].value["value"]) != before
    assert not app.exception


def test_the_task_is_a_step_against_the_derivative(models: Path) -> None:
    app = opened(PAGE, f="x*x + x")
    options = [option.replace("\\", "") for option in app.radio[0].options]
    app.radio[0].set_value(options.index("2.3")).run()  # 3 − 0.1 · 7
    assert "Yes" in app.success[-1].value


@pytest.mark.parametrize(
    "query",
    [
        {"f": "x", "v.x": "nan", "step": "-4"},
        {"f": "é*ñ", "bh": "9", "bseed": "-1", "lang": "es"},
        {"f": "relu(x)", "v.x": "0", "bs": "sigmoid", "br": "4", "bh": "3", "lang": "fr"},
    ],
)
def test_the_page_opens_at_any_address(models: Path, query: dict[str, str]) -> None:
    app = opened(PAGE, **query)
    assert not app.exception
    assert not app.error
