"""The page on residual learning: block, gradients and normalisation are PyTorch's own numbers."""

from pathlib import Path

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest
from torch import nn

from app.views.history.residual import data as services
from app.views.history.residual.gradients import power
from app.views.history.residual.recomputed import block_again, gradients_again
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


@pytest.mark.parametrize("norm", [False, True])
@pytest.mark.parametrize("shortcut", [False, True])
def test_the_chain_rule_by_hand_gives_the_same(norm: bool, shortcut: bool) -> None:
    ours = gradient_norms(Plan(20, shortcut, norm, "he", 1))
    np.testing.assert_allclose(gradients_again(20, 1, "he", norm, shortcut), ours, rtol=1e-6)


@pytest.mark.parametrize("shortcut", [False, True])
def test_the_block_on_the_page(shortcut: bool) -> None:
    made = services.block(2, 0.5, shortcut)
    f, out = block_again(made)
    np.testing.assert_allclose(made.f, f, atol=1e-5)
    np.testing.assert_allclose(made.out, out, atol=1e-5)
    assert (made.sum is not None) == shortcut
    if made.sum is not None:
        np.testing.assert_allclose(made.sum, made.x + made.f, atol=1e-6)


def test_batch_norm_on_the_page_is_pytorchs() -> None:
    made = services.normed(4, 30, 1.5, -0.5)
    theirs = nn.BatchNorm1d(services.FEATURES)
    nn.init.constant_(theirs.weight, 1.5)
    nn.init.constant_(theirs.bias, -0.5)
    for batch in made.before:
        theirs(torch.tensor(batch))
    x = torch.tensor(made.x)
    np.testing.assert_allclose(made.used, theirs.eval()(x).detach().numpy(), atol=1e-5)
    np.testing.assert_allclose(made.out, theirs.train()(x).detach().numpy(), atol=1e-5)


def test_in_use_the_company_does_not_count() -> None:
    one, other = services.normed(0, 50, 1.0, 0.0), services.normed(7, 50, 1.0, 0.0)
    np.testing.assert_array_equal(one.x[0], other.x[0])
    np.testing.assert_array_equal(one.used[0], other.used[0])
    assert not np.allclose(one.out[0], other.out[0])


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
