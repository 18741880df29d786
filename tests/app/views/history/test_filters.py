"""The page on filters: its numbers are the convolution's and the network's own."""

import io
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
from app.views.history.filters.data import cnn, convolution, digits, drawn_greys
from app.views.history.filters.page import multiplications
from app.views.history.filters.picture import MEGABYTES, OWN_SIDE, coloured_house, greys_of
from model.history.large_networks import AlexNet
from tests.app.pages import charts, grids, judged, numbers, opened, option, sound, step


def texts(app: AppTest) -> str:
    return " ".join(element.value for element in (*app.markdown, *app.caption, *app.latex))


def png(image: Image.Image, form: str = "PNG") -> bytes:
    data = io.BytesIO()
    image.save(data, form)
    return data.getvalue()


@pytest.mark.parametrize(
    ("kernel", "axis", "way"), [("horizontal", 0, "plain"), ("vertical", 1, "turned")]
)
def test_the_window_on_the_page_is_scipys_sobel(
    models: Path, kernel: str, axis: int, way: str
) -> None:
    app = sound(opened("filters", fker=kernel, step="87", fway=way))
    row, column = divmod(86, 14)
    sobel = scipy.ndimage.sobel(house(), axis)[row + 1, column + 1]
    assert abs(sobel) > 0.4
    sign = 1 if way == "turned" else -1  # the lectures' kernels are SciPy's, turned
    assert f"= \\; & \\mathbf{{{number(float(sign * sobel), 3)}}}" in texts(app)


def test_the_own_kernel_stride_and_padding_come_from_the_fields(models: Path) -> None:
    app = step("filters", "size", fker="own", fpic="letter", fstride="2", fpad="1")
    assert not app.exception
    app.number_input(key="fk4-en").set_value(2.5).run()
    assert app.query_params["fk4"] == "2.5"
    assert r"\frac{16 + 2 \cdot 1 - 3}{2} \right\rfloor + 1 = \mathbf{8}" in texts(app)


def test_the_task_is_right(models: Path) -> None:
    app = step("filters", "task", fstride="1", fpad="0")
    judged(app, option(app, str((16 + 2 * 2 - 3) // 2 + 1)))


def test_an_own_picture_becomes_small_and_grey() -> None:
    wide = Image.new("RGB", (200, 100), "white")
    wide.paste("black", (0, 0, 100, 100))
    for form in ("PNG", "JPEG"):
        greys = greys_of(png(wide, form))
        assert greys.shape == (OWN_SIDE, OWN_SIDE)
        assert greys[:, :10].max() < 0.1
        assert greys[:, -10:].min() > 0.9
    # What is transparent is white.
    assert greys_of(png(Image.new("RGBA", (9, 9), (0, 0, 0, 0)))).min() == 1


def bomb() -> bytes:
    """A small file that says of itself to have a hundred million pixels."""
    data = bytearray(png(Image.new("L", (8, 8))))
    data[16:24] = (10_000).to_bytes(4, "big") * 2
    return bytes(data[:29]) + (0).to_bytes(4, "big") + bytes(data[33:])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "cannot be read"),
        (b"<svg onload=alert(1)>", "cannot be read"),
        (png(Image.new("L", (30, 30)))[:45], "cannot be read"),
        (png(Image.new("L", (30, 30)), "GIF"), "cannot be read"),
        (b"\x00" * (MEGABYTES * 2**20 + 1), "more than 2 MB"),
        (bomb(), "cannot be read|more than 16 million"),
    ],
    ids=["empty", "svg", "cut", "gif", "heavy", "bomb"],
)
def test_a_bad_file_is_one_sentence(data: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        greys_of(data)


def test_large_pictures_are_refused_before_any_pixel_is_decoded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = png(Image.new("1", (4001, 4000)))
    monkeypatch.setattr(Image.Image, "load", lambda *_: pytest.fail("decoded"))
    with pytest.raises(ValueError, match="4001 × 4000"):
        greys_of(data)


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


def test_max_pooling_keeps_the_largest_of_the_square_that_is_clicked(models: Path) -> None:
    app = step("filters", "pool", fdigit="3", fmap="5", fpool="6")
    network = app.session_state["live-filters"].reports[-1]
    maps = cnn.read(network.weights, digits.digits()[1].pictures[2, 0].numpy()).maps2
    by_torch = torch.nn.functional.max_pool2d(torch.tensor(maps), 2).numpy()[4]
    np.testing.assert_allclose(numbers(grids(app)["pooled"]), by_torch, atol=1e-6)
    assert f"= **{number(float(by_torch[1, 1]))}**" in texts(app)


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
    app = step("filters", "said", fdrawn=drawn)
    assert not app.exception
    shares = charts(app)["filters-said"]["data"][0]
    *_, network = itertools.islice(cnn.train(0), 8)
    p = cnn.read(network.weights, greys).probabilities
    assert sorted(np.asarray(shares["x"], float).tolist()) == pytest.approx(sorted(p), abs=1e-4)
    assert f"reads a **{int(p.argmax())}**" in texts(app)
    empty = step("filters", "said", fdrawn="zz")
    assert not empty.exception
    assert "The network reads" not in texts(empty)
