"""The page on residual learning: block, gradients and normalisation are PyTorch's own numbers."""

from pathlib import Path

import numpy as np
import pytest

from app.format import short
from app.views.history.residual import data as services
from model.history.deep import StackPlan, gradient_norms
from tests.app.pages import grids, numbers, opened, option, said, step


def test_first_layers_gradients_are_written_out(models: Path) -> None:
    app = step("residual", "gradient", rlayers="40", rgseed="3", rstart="he", rnorm="1")
    assert not app.exception
    for shortcut in (False, True):
        norms = gradient_norms(StackPlan(40, shortcut, True, "he", 3))
        assert f"**{short(norms[0], 3)}**" in said(app)
    assert "explodes" in said(app)
    assert "vanishes" in said(step("residual", "gradient", rlayers="50"))


@pytest.mark.parametrize(("gamma", "short"), [("1", "1"), ("0.7", "0")])
def test_the_task_is_right(models: Path, gamma: str, short: str) -> None:
    app = step("residual", "task", rgamma=gamma, rshort=short, rchannel="2")
    made = services.block(0, float(gamma), short == "1")
    x, f = made.x[0, 1], made.f[0, 1]
    at = np.unravel_index(int(x.argmax()), x.shape)
    out = max(float(f[at]) + (float(x[at]) if short == "1" else 0.0), 0.0)
    assert len({*app.radio[-1].options}) == len(app.radio[-1].options) > 1
    app.radio[-1].set_value(option(app, f"{out:.3f}" if out else "0")).run()
    assert app.success


def test_the_shortcut_adds_1_to_each_slope(models: Path) -> None:
    shown = grids(step("residual", "slope", rdigit="3", rchannel="4", rgamma="0.7"))
    slopes = numbers(shown["F′(x)"])
    np.testing.assert_allclose(numbers(shown["1 + F′(x)"]), slopes + 1, atol=1e-6)
    block = services.block(0, 0.7, True)
    for at in ((0, 0), (1, 2), (3, 3)):
        by_hand = services.recomputed.slope_again(block, 2, 3, *at)
        assert slopes[at] == pytest.approx(by_hand, abs=1e-4)


def test_the_length_of_the_gradient_is_guessed(models: Path) -> None:
    for layers, answer in ((50, 2), (2, 0)):
        app = opened("residual", all="0", part="gradient", rlayers=str(layers))
        app.radio[0].set_value(answer).run()
        norms = gradient_norms(StackPlan(layers, False, False, "default", 0))
        assert f"Yes: {short(norms[0] / norms[-1], 3)}" in said(app).replace("\\", "")


def test_the_mistake_is_refuted_by_the_race_and_its_gradients(models: Path) -> None:
    app = opened("residual", all="0", part="task", rdepth="20", rseed="2")
    norms = gradient_norms(StackPlan(20, False, True, "he", 2))
    lap = app.session_state["live-residual"].reports[-1].laps[2]
    assert f"gradient is {short(norms[0], 3)} long, {short(norms[0] / norms[-1], 3)} times" in said(
        app
    )
    assert f"still reads {100 * lap.learned_wrong:.1f} %" in said(app)
    assert norms[0] > norms[-1] / 10
