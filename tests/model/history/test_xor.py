"""XOR by two layers: set by hand, and learned with the reverse-mode engine."""

import numpy as np
import pytest
import torch

from model.history.neuron import GATES
from model.history.xor import (
    BY_HAND,
    ENOUGH,
    INPUTS,
    TARGETS,
    NetworkPlan,
    Squash,
    learn,
    look,
    outputs,
)

SQUASHES: tuple[Squash, ...] = ("tanh", "sigmoid", "none")


def test_two_layers_by_hand_are_xor() -> None:
    assert tuple(BY_HAND.fires(row) for row in INPUTS) == GATES["xor"]
    assert [BY_HAND.hidden_answers(row) for row in INPUTS] == [(0, 1), (1, 1), (1, 1), (1, 0)]


def by_torch(weights: torch.Tensor, plan: NetworkPlan) -> tuple[torch.Tensor, torch.Tensor]:
    own, out = weights[: 3 * plan.hidden].view(plan.hidden, 3), weights[3 * plan.hidden :]
    x = torch.tensor(INPUTS, dtype=torch.float64)
    hidden = x @ own[:, :2].T + own[:, 2]
    if plan.squash != "none":
        hidden = getattr(torch, plan.squash)(hidden)
    said = torch.sigmoid(hidden @ out[:-1] + out[-1])
    return said, 0.5 * (said - torch.tensor(TARGETS)).square().sum()


@pytest.mark.parametrize("squash", SQUASHES)
def test_the_derivatives_equal_those_of_autograd(squash: Squash) -> None:
    for hidden in (2, 3):
        plan = NetworkPlan(hidden, squash, seed=hidden)
        weights = torch.tensor(next(learn(plan)).weights, dtype=torch.float64, requires_grad=True)
        said, loss = by_torch(weights, plan)
        loss.backward()
        report = look(tuple(weights.tolist()), plan)
        assert weights.grad is not None
        np.testing.assert_allclose(report.slopes, weights.grad.numpy(), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(report.outputs, said.detach().numpy(), rtol=1e-12)
        assert report.loss == pytest.approx(loss.item(), rel=1e-12)


def test_the_first_start_learns_xor() -> None:
    plan = NetworkPlan()
    reports = list(learn(plan))
    assert reports[-1].loss < ENOUGH
    assert reports[-1].right == 4
    assert reports[0].right < 4
    assert list(learn(NetworkPlan(squash="none", updates=300)))[-1].right < 4


def test_what_it_says_anywhere_is_what_it_says_on_the_rows() -> None:
    plan = NetworkPlan()
    first = next(learn(plan))
    again = outputs(first, np.array(INPUTS, float), plan)
    np.testing.assert_allclose(again, first.outputs, rtol=1e-12)
