"""The page on filters: its numbers are the convolution's and the network's own."""

import io
from pathlib import Path

import numpy as np
import pytest
import scipy.ndimage
from PIL import Image
from streamlit.testing.v1 import AppTest

from app.data.house import house
from app.views.history.filters.data import convolution
from app.views.history.filters.learning import cosines_of
from app.views.history.filters.picture import MEGABYTES, OWN_SIDE, greys_of, letter
from tests.app.pages import opened


def texts(app: AppTest) -> str:
    return " ".join(element.value for element in (*app.markdown, *app.caption, *app.latex))


def png(image: Image.Image, form: str = "PNG") -> bytes:
    data = io.BytesIO()
    image.save(data, form)
    return data.getvalue()


@pytest.mark.parametrize("way", ["plain", "turned"])
@pytest.mark.parametrize(("kernel", "axis"), [("horizontal", 0), ("vertical", 1)])
def test_the_window_on_the_page_is_scipys_sobel(
    models: Path, kernel: str, axis: int, way: str
) -> None:
    app = opened("filters", fker=kernel, step="87", fway=way)
    assert not app.exception
    row, column = divmod(86, 14)
    sobel = scipy.ndimage.sobel(house(), axis)[row + 1, column + 1]
    assert abs(sobel) > 0.4
    sign = -1 if way == "turned" else 1
    assert f"= \\; & \\mathbf{{{sign * sobel:.3f}}}" in texts(app)


def test_the_own_kernel_stride_and_padding_come_from_the_fields(models: Path) -> None:
    app = opened("filters", fker="own", fpic="letter", fstride="2", fpad="1")
    assert not app.exception
    app.number_input(key="fk4-en").set_value(2.5).run()
    assert app.query_params["fk4"] == "2.5"
    assert r"\frac{16 + 2 \cdot 1 - 3}{2} \right\rfloor + 1 = \mathbf{8}" in texts(app)
    assert letter("A").max() == 1


def test_the_badge_confirms_and_the_task_is_right(models: Path) -> None:
    app = opened("filters", fstride="1", fpad="0")
    assert any("SciPy and NumPy" in text.value for text in app.markdown)
    assert "Checked" in " ".join(one.value for one in app.markdown)
    task = app.radio[-1]
    wide = (16 + 2 * 2 - 3) // 2 + 1
    task.set_value(task.options.index(str(wide))).run()
    assert app.success
    task = app.radio[-1]
    task.set_value(task.options.index(str(wide + 1))).run()
    assert not app.success


def test_a_kernel_is_alike_to_itself_and_opposite_to_its_negative() -> None:
    sobel = np.stack([convolution.KERNELS["horizontal"], convolution.KERNELS["vertical"]])
    np.testing.assert_allclose(cosines_of(-3 * sobel, sobel), -np.eye(2), atol=1e-12)


@pytest.mark.parametrize("form", ["PNG", "JPEG"])
def test_an_own_picture_becomes_small_and_grey(form: str) -> None:
    wide = Image.new("RGB", (200, 100), "white")
    wide.paste("black", (0, 0, 100, 100))
    greys = greys_of(png(wide, form))
    assert greys.shape == (OWN_SIDE, OWN_SIDE)
    assert greys[:, :10].max() < 0.1
    assert greys[:, -10:].min() > 0.9


def test_what_is_transparent_is_white() -> None:
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
        (png(Image.new("1", (4001, 4000))), "more than 16 million"),
        (bomb(), "cannot be read|more than 16 million"),
    ],
    ids=["empty", "svg", "cut", "gif", "heavy", "large", "bomb"],
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


def test_an_address_full_of_nonsense(models: Path) -> None:
    app = opened(
        "filters", fker="x", fk0="nan", fstride="9", fpad="-1", fpic="?", fdigit="1e9", fseed="x",
        fway="", step="99999",
    )  # fmt: skip
    assert not app.exception
    assert not app.error
