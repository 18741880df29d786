"""Residual learning by hand: the block, the gradients and the normalisation are PyTorch's."""

import numpy as np
import pytest
import torch
from torch import nn

from model.history.batch_norm import FEATURES, normalise_digits
from model.history.deep import Plan, gradient_norms
from model.history.recomputed.residual import block_again, gradients_again, slope_again
from model.history.residual import own_slopes, send_digits


@pytest.mark.parametrize("norm", [False, True])
@pytest.mark.parametrize("shortcut", [False, True])
def test_the_chain_rule_by_hand_gives_the_same(norm: bool, shortcut: bool) -> None:
    ours = gradient_norms(Plan(20, shortcut, norm, "he", 1))
    np.testing.assert_allclose(gradients_again(20, 1, "he", norm, shortcut), ours, rtol=1e-6)


@pytest.mark.parametrize("shortcut", [False, True])
def test_the_block(shortcut: bool) -> None:
    made = send_digits(2, 0.5, shortcut)
    f, out = block_again(made)
    np.testing.assert_allclose(made.f, f, atol=1e-5)
    np.testing.assert_allclose(made.out, out, atol=1e-5)
    assert (made.sum is not None) == shortcut
    if made.sum is not None:
        np.testing.assert_allclose(made.sum, made.x + made.f, atol=1e-6)


@pytest.mark.parametrize("gamma", [0.0, 0.7])
def test_slopes_are_what_two_runs_a_little_apart_give(gamma: float) -> None:
    block, slopes = send_digits(2, gamma, True), own_slopes(2, gamma, 3, 1)
    assert slopes.shape == block.x.shape[2:]
    assert bool(slopes.any()) == bool(gamma)
    by_hand = [slope_again(block, 3, 1, *at) for at in np.ndindex(slopes.shape)]
    np.testing.assert_allclose(slopes.ravel(), by_hand, atol=1e-4)


def test_batch_norm_is_pytorchs() -> None:
    made = normalise_digits(4, 30, 1.5, -0.5)
    theirs = nn.BatchNorm1d(FEATURES)
    nn.init.constant_(theirs.weight, 1.5)
    nn.init.constant_(theirs.bias, -0.5)
    for batch in made.before:
        theirs(torch.tensor(batch))
    x = torch.tensor(made.x)
    np.testing.assert_allclose(made.used, theirs.eval()(x).detach().numpy(), atol=1e-5)
    np.testing.assert_allclose(made.out, theirs.train()(x).detach().numpy(), atol=1e-5)


def test_in_use_the_company_does_not_count() -> None:
    one, other = normalise_digits(0, 50, 1.0, 0.0), normalise_digits(7, 50, 1.0, 0.0)
    np.testing.assert_array_equal(one.x[0], other.x[0])
    np.testing.assert_array_equal(one.used[0], other.used[0])
    assert not np.allclose(one.out[0], other.out[0])
