"""Our convolution against PyTorch's and SciPy's, on any picture, stride and padding."""

import numpy as np
import pytest
import scipy.ndimage
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from model.history.convolution import KERNELS, Stepping, filtered

SIZES = st.integers(5, 14)
SOBEL = ("horizontal", "vertical", "rising", "falling")


def random_pair(seed: int, H: int, W: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return random.normal(size=(H, W)), random.normal(size=(k, k))


@given(st.integers(0, 999), SIZES, SIZES, st.integers(1, 5), st.integers(1, 3), st.integers(0, 2))
@settings(max_examples=40)
def test_what_networks_do_equals_conv2d(
    seed: int, H: int, W: int, k: int, stride: int, padding: int
) -> None:
    picture, kernel = random_pair(seed, H, W, k)
    stepping = Stepping(picture, kernel, stride, padding)
    expected = F.conv2d(
        torch.tensor(picture)[None, None], torch.tensor(kernel)[None, None],
        stride=stride, padding=padding,
    )  # fmt: skip
    assert stepping.shape == tuple(expected.shape[2:])
    np.testing.assert_allclose(stepping.output(), expected[0, 0].numpy(), atol=1e-12)


@given(st.integers(0, 999), SIZES, SIZES, st.sampled_from([1, 3, 5]))
@settings(max_examples=20)
def test_it_equals_scipys_correlation(seed: int, H: int, W: int, k: int) -> None:
    picture, kernel = random_pair(seed, H, W, k)
    ours = Stepping(picture, kernel, padding=k // 2).output()
    theirs = scipy.ndimage.correlate(picture, kernel, mode="constant")
    np.testing.assert_allclose(ours, theirs, atol=1e-12)


@pytest.mark.parametrize(("name", "axis"), [("horizontal", 0), ("vertical", 1)])
def test_our_sobel_kernels_are_scipys_with_the_sign_of_the_lectures(name: str, axis: int) -> None:
    picture = np.random.default_rng(1).normal(size=(9, 7))
    ours = Stepping(picture, KERNELS[name]).output()
    np.testing.assert_allclose(ours, -scipy.ndimage.sobel(picture, axis)[1:-1, 1:-1], atol=1e-12)


def ring(kernel: np.ndarray) -> np.ndarray:
    """The eight weights around the middle, clockwise from the top left."""
    return np.array([*kernel[0], kernel[1, 2], *kernel[2, ::-1], kernel[1, 0]])


def test_the_sobel_kernels_are_one_turned_by_45_degrees() -> None:
    """A turn by 45° moves each weight of the ring one place on; the middle stays 0."""
    horizontal = ring(KERNELS["horizontal"])
    for name, places in (("falling", 1), ("rising", -1), ("vertical", -2)):
        np.testing.assert_array_equal(ring(KERNELS[name]), np.roll(horizontal, places))
    assert all(KERNELS[name][1, 1] == 0 for name in SOBEL)


def test_each_sobel_kernel_answers_most_to_its_own_edges() -> None:
    side = np.arange(9)
    down, across = np.meshgrid(side, side, indexing="ij")
    edges = {
        "horizontal": down < 4, "vertical": across < 4,
        "rising": down + across < 8, "falling": down < across,
    }  # fmt: skip
    for name, picture in edges.items():
        answers = {other: np.abs(filtered(picture * 1.0, KERNELS[other])).max() for other in SOBEL}
        assert max(answers, key=lambda other: answers[other]) == name


def test_a_window_adds_up_to_its_cell() -> None:
    picture = np.arange(25.0).reshape(5, 5)
    stepping = Stepping(picture, KERNELS["vertical"], stride=2, padding=1)
    window = stepping.window(1, 2)
    assert (window.top, window.left) == (2, 4)
    np.testing.assert_array_equal(window.values, [[8, 9, 0], [13, 14, 0], [18, 19, 0]])
    assert window.sum == 8 + 2 * 13 + 18 == stepping.output()[1, 2]
