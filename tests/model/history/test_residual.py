"""Batch normalisation and the Bottleneck against PyTorch's own layers; stacks and their race."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.history.batch_norm import FEATURES, BatchNorm, normalise_digits
from model.history.deep import StackPlan, race
from model.history.residual import Bottleneck, send_digits
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
    made = normalise_digits(4, 1.5, -0.5)
    theirs = nn.BatchNorm1d(FEATURES)
    nn.init.constant_(theirs.weight, 1.5)
    nn.init.constant_(theirs.bias, -0.5)
    np.testing.assert_allclose(made.out, theirs(torch.tensor(made.x)).detach().numpy(), atol=1e-5)
    np.testing.assert_allclose(made.mean, made.x.mean(0), atol=1e-6)
    np.testing.assert_allclose(made.variance, made.x.var(0), rtol=1e-5)


@pytest.mark.parametrize(("gamma", "shortcut"), [(1.0, True), (0.7, False)])
def test_the_block_that_the_page_shows_is_numpys(gamma: float, shortcut: bool) -> None:
    """Its convolutions as sums over the channels, its normalisations by mean and variance."""
    made = send_digits(gamma, shortcut)
    w = made.weights

    def normed(x: np.ndarray, name: str) -> np.ndarray:
        mean, variance = x.mean((0, 2, 3), keepdims=True), x.var((0, 2, 3), keepdims=True)
        scale, shift = (w[f"{name}.{part}"][:, None, None] for part in ("gamma", "beta"))
        return scale * (x - mean) / np.sqrt(variance + 1e-5) + shift

    f = np.einsum("oc,bchw->bohw", w["reduce.weight"][:, :, 0, 0], made.x)
    padded = np.pad(normed(f, "norm1").clip(min=0), ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))
    f = normed(np.einsum("ocij,bchwij->bohw", w["look.weight"], windows), "norm2").clip(min=0)
    f = normed(np.einsum("oc,bchw->bohw", w["expand.weight"][:, :, 0, 0], f), "norm3")
    np.testing.assert_allclose(made.f, f, atol=1e-4)
    out = (f + made.x if shortcut else f).clip(min=0)
    np.testing.assert_allclose(made.out, out, atol=1e-4)
