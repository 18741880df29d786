"""The page on residual learning: block, gradients and normalisation are PyTorch's own numbers."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.views.history.residual import data as services
from app.views.history.residual.gradients import power
from model.history.deep import Plan, gradient_norms
from tests.app.pages import opened


def texts(app: AppTest) -> str:
    return " ".join(element.value for element in (*app.markdown, *app.caption, *app.latex))


def test_first_layers_gradients_are_written_out(models: Path) -> None:
    app = opened("residual", rlayers="40", rgseed="3", rstart="he", rnorm="1")
    assert not app.exception
    for shortcut in (False, True):
        norms = gradient_norms(Plan(40, shortcut, True, "he", 3))
        assert f"**{power(norms[0])}**" in texts(app)
    assert "explodes" in texts(app)


def test_they_vanish_at_pytorchs_own_start(models: Path) -> None:
    assert "vanishes" in texts(opened("residual", rlayers="50"))
    assert "vanishes" not in texts(opened("residual", rlayers="2"))


@pytest.mark.parametrize(("gamma", "short"), [("1", "1"), ("0", "1"), ("0", "0"), ("0.7", "0")])
def test_the_badge_confirms_and_the_task_is_right(models: Path, gamma: str, short: str) -> None:
    app = opened("residual", rgamma=gamma, rshort=short, rchannel="2")
    assert not app.exception
    assert not app.error
    assert "Checked" in texts(app)
    made = services.block(0, float(gamma), short == "1")
    x, f = made.x[0, 1], made.f[0, 1]
    at = np.unravel_index(int(x.argmax()), x.shape)
    out = max(float(f[at]) + (float(x[at]) if short == "1" else 0.0), 0.0)
    task = app.radio[-1]
    right = f"{out:.3f}" if out else "0"
    options = [option.replace("\\", "") for option in task.options]
    assert len(set(options)) == len(options) > 1
    task.set_value(options.index(right)).run()
    assert right.replace(".", "\\.") in app.success[-1].value


def test_an_address_full_of_nonsense(models: Path) -> None:
    app = opened(
        "residual", rdepth="7", rseed="-1", rdigit="99", rchannel="x", rgamma="nan", rshort="?",
        rlayers="7", rstart="x", rnorm="2", rwith="0", rfeature="9", rscale="9", rseen="-4",
    )  # fmt: skip
    assert not app.exception
    assert not app.error
