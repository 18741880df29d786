"""The charts of filters and residual learning draw the numbers they get, also strange ones."""

import numpy as np
import pytest

from app.charts.curves import Curve
from app.views.history.filters.tiles_chart import tiles
from app.views.history.residual.depth_chart import SMALLEST, depth_lines


def test_tiles_lay_each_picture_down_whole() -> None:
    pictures = np.random.default_rng(0).normal(size=(5, 3, 4))
    figure = tiles(pictures, list("abcde"), across=2, scale="signed")
    z = np.array(figure["data"][0]["z"], float)  # None becomes NaN
    drawn = z[np.isfinite(z)]
    assert sorted(drawn) == sorted(np.round(pictures, 4).ravel())
    assert figure["data"][0]["zmax"] == -figure["data"][0]["zmin"] == np.abs(pictures).max()
    words = np.array(figure["data"][0]["customdata"], object)[np.isfinite(z)]
    assert f"c, row 3, column 4: {pictures[2, 2, 3]:.4f}" in words


def test_tiles_escape_names_and_want_one_for_each() -> None:
    figure = tiles(np.zeros((1, 2, 2)), ["<b>$x$"], across=1, scale="greys")
    assert figure["layout"]["annotations"][0]["text"] == "&lt;b&gt;&#36;x&#36;"
    with pytest.raises(ValueError, match="2 pictures need as many names, not 1"):
        tiles(np.zeros((2, 2, 2)), ["a"], across=1, scale="greys")


def test_a_gradient_of_zero_still_has_a_place_on_the_logarithmic_axis() -> None:
    layers = np.arange(1, 4)
    curves = [Curve("a", layers, np.array([0.0, 1e-21, 1.0]), "key")]
    figure = depth_lines(curves, layer_title="layer", value_title="length")
    assert figure["data"][0]["y"] == [SMALLEST, 1e-21, 1.0]
    assert figure["layout"]["yaxis"]["type"] == "log"
