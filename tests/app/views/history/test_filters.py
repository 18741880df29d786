"""The page on filters: its numbers are the convolution's and the network's own."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.ndimage
import torch
from PIL import Image
from streamlit.testing.v1 import AppTest

from app.data.images import alexnet, house
from app.format import number
from app.views.history.filters.data import block, cnn, convolution, drawn_greys
from app.views.history.filters.kernels import coloured_house
from app.views.history.filters.page import multiplications
from model.history.large_networks import AlexNet
from tests.app.pages import charts, grids, judged, numbers, opened, option, said, sound, step


def texts(app: AppTest) -> str:
    return " ".join(element.value for element in (*app.markdown, *app.caption, *app.latex))


@pytest.mark.parametrize(("kernel", "axis"), [("horizontal", 0), ("vertical", 1)])
def test_the_window_on_the_page_is_scipys_sobel(models: Path, kernel: str, axis: int) -> None:
    app = sound(opened("filters", fker=kernel, step="87"))
    row, column = divmod(86, 14)
    sobel = scipy.ndimage.sobel(house(), axis)[row + 1, column + 1]
    assert abs(sobel) > 0.4
    # The lectures' kernels are SciPy's, turned.
    assert f"= \\; & \\mathbf{{{number(float(-sobel), 3)}}}" in texts(app)


def test_the_size_of_the_output_is_written_out(models: Path) -> None:
    app = step("filters", "step", fstride="2", fpad="1")
    assert not app.exception
    assert "⌊(16 + 2 · 1 − 3) ÷ 2⌋ + 1 = 8 numbers" in texts(app)


def test_the_task_is_right(models: Path) -> None:
    app = step("filters", "task", fstride="1", fpad="0")
    judged(app, option(app, str((16 + 2 * 2 - 3) // 2 + 1)))


def test_the_grey_house_is_the_mix_of_the_coloured_ones_channels() -> None:
    channels = coloured_house()
    assert channels.min() >= 0
    assert channels.max() <= 1
    pixels = (255 * np.moveaxis(channels, 0, -1)).astype(np.uint8)
    by_pil = np.asarray(Image.fromarray(pixels).convert("L"), float) / 255
    np.testing.assert_allclose(by_pil, house(), atol=0.01)
    assert len({tuple(pixel) for row in pixels.tolist() for pixel in row}) > 5


@pytest.mark.parametrize("kernel", ["horizontal", "vertical"])
def test_the_kernel_begins_where_it_answers_most(models: Path, kernel: str) -> None:
    """It began in the top left corner, on a patch of even sky, where every product is the same."""
    app = step("filters", "step", fker=kernel)
    values = np.abs(scipy.ndimage.correlate(house(), convolution.KERNELS[kernel])[1:-1, 1:-1])
    at = app.slider[0].value
    assert isinstance(at, int)
    row, column = divmod(at - 1, values.shape[1])
    assert values[row, column] == pytest.approx(values.max())


def test_the_multiplications_of_alexnet_are_those_that_run() -> None:
    with torch.device("meta"):
        layers = dict(AlexNet().named_children())
    found = [layer for layer in alexnet() if layer.parameters]
    assert len(found) == len(layers)
    for row in found:
        each = layers[row.name].get_parameter("weight")[0].numel()  # for each number that comes out
        assert multiplications(row.shape, row.parameters) == each * math.prod(row.shape)


def test_a_drawn_digit_is_read_as_the_network_reads_it(models: Path) -> None:
    """A drawing of a stroke down the middle: the same greys, and the same network's own answer."""
    bitmap = np.zeros((32, 32), dtype=np.uint8)
    bitmap[4:28, 14:18] = 1
    drawn = np.packbits(bitmap).tobytes().hex()
    greys = drawn_greys(drawn)
    np.testing.assert_array_equal(greys[1:7, 3:5], 0.5)
    assert greys.sum() == bitmap.sum() / 16
    app = step("filters", "read", fdrawn=drawn)
    assert not app.exception
    shares = charts(app)["filters-said"]["data"][0]
    *_, network = itertools.islice(cnn.train(0), 8)
    p = cnn.read(network.weights, greys).probabilities
    assert sorted(np.asarray(shares["x"], float).tolist()) == pytest.approx(sorted(p), abs=1e-4)
    assert f"reads a **{int(p.argmax())}**" in texts(app)
    empty = step("filters", "read", fdrawn="zz")
    assert not empty.exception
    assert "The network reads" not in texts(empty)


def test_the_block_without_its_shortcut_lets_only_f_through(models: Path) -> None:
    drawn = grids(step("filters", "block", rchannel="2", rshort="0", rgamma="0.7"))
    made = block(0.7, False)
    np.testing.assert_allclose(numbers(drawn["F(x)"]), made.f[0, 1], atol=1e-6)
    np.testing.assert_allclose(numbers(drawn["out"]), made.f[0, 1].clip(min=0), atol=1e-6)
    assert "F(x) + x" not in drawn


def test_the_race_says_what_each_depth_reads_wrongly(models: Path) -> None:
    app = step("filters", "race", rdepth="20", rseed="2")
    laps = app.session_state["live-residual"].reports[-1].laps
    assert f"**{100 * laps[2].learned_wrong:.1f} %** with 20 plain layers" in said(app)
