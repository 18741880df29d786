"""Batch normalisation and the Bottleneck against PyTorch's own layers; stacks and their race."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.history import deep
from model.history.batch_norm import FEATURES, BatchNorm, normalise_digits
from model.history.deep import Stack, StackPlan, gradient_norms, race
from model.history.digits import digits
from model.history.residual import Bottleneck
from model.nn.hooks import Recorder


def norms(channels: int, theirs: nn.BatchNorm1d | nn.BatchNorm2d) -> BatchNorm:
    """Ours with their γ and β, which are not 1 and 0."""
    ours = BatchNorm(channels)
    with torch.no_grad():
        theirs.weight.uniform_(-2, 2)
        theirs.bias.uniform_(-2, 2)
        ours.gamma.copy_(theirs.weight)
        ours.beta.copy_(theirs.bias)
    return ours


@pytest.mark.parametrize("shape", [(4, 3, 5, 6), (2, 3, 1, 1), (7, 5)])
def test_batch_norm_equals_pytorchs(shape: tuple[int, ...]) -> None:
    torch.manual_seed(0)
    theirs = (nn.BatchNorm2d if len(shape) > 2 else nn.BatchNorm1d)(shape[1])
    ours = norms(shape[1], theirs)
    for _ in range(5):
        x = 3 * torch.randn(shape) + 1
        a, b = x.clone().requires_grad_(), x.clone().requires_grad_()
        torch.testing.assert_close(ours(a), theirs(b), atol=2e-5, rtol=1e-5)
        weight = torch.randn(shape)
        (ours(a) * weight).sum().backward()
        (theirs(b) * weight).sum().backward()
        assert a.grad is not None
        torch.testing.assert_close(a.grad, b.grad, atol=2e-4, rtol=1e-3)
    torch.testing.assert_close(ours.running_mean, theirs.running_mean)
    torch.testing.assert_close(ours.running_variance, theirs.running_var)
    ours.eval()
    theirs.eval()
    x = torch.randn(shape)
    torch.testing.assert_close(ours(x), theirs(x), atol=1e-5, rtol=1e-5)


class Reference(nn.Module):
    """torchvision's Bottleneck, from PyTorch's layers."""

    def __init__(self, c_in: int, width: int, stride: int) -> None:
        super().__init__()
        c_out = 4 * width
        self.conv1 = nn.Conv2d(c_in, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, c_out, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(c_out)
        self.downsample = nn.Sequential()
        if stride != 1 or c_in != c_out:
            self.downsample = nn.Sequential(
                nn.Conv2d(c_in, c_out, 1, stride, bias=False), nn.BatchNorm2d(c_out)
            )

    def branch(self, x: Tensor) -> Tensor:
        x = F.relu(self.bn1(self.conv1(x)))
        x = F.relu(self.bn2(self.conv2(x)))
        out: Tensor = self.bn3(self.conv3(x))
        return out

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(self.branch(x) + self.downsample(x))


@pytest.mark.parametrize(("c_in", "width", "stride"), [(8, 2, 1), (8, 4, 1), (16, 4, 2)])
def test_bottleneck_equals_the_reference_with_its_weights(
    c_in: int, width: int, stride: int
) -> None:
    torch.manual_seed(0)
    ours, theirs = Bottleneck(c_in, width, stride), Reference(c_in, width, stride)
    with torch.no_grad():
        for mine, other in zip(ours.parameters(), theirs.parameters(), strict=True):
            assert mine.shape == other.shape
            other.add_(0.3 * torch.randn_like(other))
            mine.copy_(other)
    x = torch.randn(6, c_in, 8, 8)
    for _ in range(3):
        torch.testing.assert_close(ours(x), theirs(x), atol=1e-4, rtol=1e-4)
    ours.eval()
    theirs.eval()
    recorder = Recorder()
    torch.testing.assert_close(ours(x, recorder), theirs(x), atol=1e-4, rtol=1e-4)
    f = theirs.branch(x).detach().numpy()
    np.testing.assert_allclose(recorder.arrays["f"], f, atol=1e-4)
    shortcut = theirs.downsample(x).detach().numpy()
    np.testing.assert_allclose(recorder.arrays["sum"], f + shortcut, atol=1e-4)


def test_without_shortcut_only_the_branch_is_left() -> None:
    torch.manual_seed(0)
    block, recorder = Bottleneck(8, 2, shortcut=False), Recorder()
    out = block(torch.randn(3, 8, 4, 4), recorder)
    assert "sum" not in recorder.arrays
    np.testing.assert_array_equal(out.detach().numpy(), recorder.arrays["f"].clip(min=0))


def test_a_branch_that_says_nothing_makes_the_block_the_identity() -> None:
    block = Bottleneck(8, 2)
    nn.init.zeros_(block.norm3.gamma)
    x = torch.rand(3, 8, 4, 4)
    torch.testing.assert_close(block(x), x, atol=0, rtol=0)


@pytest.mark.parametrize(("shortcut", "norm"), [(False, False), (True, True)])
def test_gradients_equal_finite_differences(
    shortcut: bool, norm: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deep, "WIDTH", 8)
    plan = StackPlan(4, shortcut, norm, "default", seed=3)
    learn, _ = digits()
    stack = Stack(plan).double()
    x, labels = learn.centred()[:64].double(), learn.labels[:64]
    layer, epsilon = stack.linears()[0], 1e-7

    @torch.no_grad()
    def slope(i: int, j: int) -> float:
        losses = []
        for shift in (epsilon, -2 * epsilon):
            layer.weight[i, j] += shift
            losses.append(float(F.cross_entropy(stack(x), labels)))
        layer.weight[i, j] += epsilon
        return (losses[0] - losses[1]) / (2 * epsilon)

    n_out, n_in = layer.weight.shape
    by_hand = np.array([[slope(i, j) for j in range(n_in)] for i in range(n_out)])
    assert gradient_norms(plan)[0] == pytest.approx(np.linalg.norm(by_hand), rel=1e-5)


def test_without_shortcuts_a_deep_gradient_dies_at_pytorchs_own_start() -> None:
    plain, residual = (
        gradient_norms(StackPlan(50, shortcut, False, "default")) for shortcut in (False, True)
    )
    assert len(plain) == 50
    assert plain[0] < 1e-15 * plain[-1]
    assert residual[0] > 0.1 * residual[-1]


@pytest.mark.long
def test_the_deep_plain_stack_learns_worse_than_the_shallow_and_the_residual_one() -> None:
    plans = [StackPlan(6, False), StackPlan(24, False), StackPlan(24, True)]
    report = next(report for report in race(plans, seed=0) if report.update == 50)
    shallow, plain, residual = report.laps
    assert plain.learned_wrong > 5 * shallow.learned_wrong
    assert plain.learned_wrong > 0.25
    assert residual.learned_wrong < 0.2
    assert residual.loss < plain.loss / 2


def test_the_batch_of_digits_is_normalised_as_pytorch_does_it() -> None:
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
