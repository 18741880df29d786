"""The page on backpropagation: any expression, step by step, and XOR learned with it."""

from pathlib import Path

import numpy as np
import pytest

from app.views.history.backprop.expression import ERRORS, EXAMPLES, FORMULAS
from model.history.operations import FUNCTIONS, OPERATIONS, Trouble
from tests.app.pages import grids, judged, numbers, opened, option, said, sound, step

PAGE = "backprop"


def test_every_operation_and_every_trouble_has_its_words() -> None:
    assert set(FORMULAS) == set(OPERATIONS)
    for name, (value, slopes) in FORMULAS.items():
        assert value.format(a="a", b="b", y="y")
        assert len(slopes) == len(OPERATIONS[name].slopes)
    assert set(ERRORS) == set(Trouble.__args__)  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", [text for _name, text in EXAMPLES])
def test_the_examples_equal_autograd(models: Path, text: str) -> None:
    table = sound(step(PAGE, "result", f=text)).table[0].value
    assert list(table["derivative"]) == list(table["torch"])


def test_every_function_is_shown_forwards_and_backwards(models: Path) -> None:
    for name in FUNCTIONS:
        for at in ("2", "3"):
            sound(opened(PAGE, all="0", part="expression", f=f"{name}(x)", step=at))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("foo(x)", "no function “foo”"),
        ("log(x - 5)", "log(−2)"),
        ("x.real + <b>$a$", "cannot be read"),
        ("", "There is no expression yet"),
    ],
)
def test_what_cannot_be_computed_is_told_at_the_field(models: Path, text: str, told: str) -> None:
    app = step(PAGE, "expression")
    app.text_input[0].set_value(text).run()
    assert not app.exception
    assert len(app.error) == 1
    assert told in app.error[0].value.replace("\\", "")
    assert app.text_input[0].value == text


def test_the_steps_fill_the_graph_in(models: Path) -> None:
    first, forward, last, beyond = (
        said(opened(PAGE, all="0", f="x*x + x", step=at)) for at in ("1", "2", "6", "99")
    )
    assert "The numbers to begin with" in first
    assert "“×” is computed" in forward
    assert "its derivative is complete: 7" in last
    assert beyond == last


def test_one_step_moves_the_weights(models: Path) -> None:
    app = step(PAGE, "weights", br="2")
    drawn = grids(app)
    w, slopes, after = (numbers(drawn[title])[:, 0] for title in ("w", "∂E/∂w", "w after"))
    np.testing.assert_allclose(after, w - 2 * slopes, atol=1e-6)
    app.button("live-xor-step").click().run()
    np.testing.assert_allclose(numbers(grids(app)["w"])[:, 0], after, atol=1e-6)
    assert not app.exception


def test_the_largest_derivative_is_guessed_first(models: Path) -> None:
    app = opened(PAGE, all="0", part="result", f="x*x + y")
    assert not app.table
    app.radio[0].set_value(option(app, "x")).run()
    assert len(app.table) == 1
    assert "Yes" in said(app)


def test_the_task_is_a_step_against_the_derivative(models: Path) -> None:
    app = step(PAGE, "task", f="x*x + x")
    judged(app, option(app, "2.3"))  # 3 − 0.1 · 7
