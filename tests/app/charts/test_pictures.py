"""Pictures to keep of what the page draws itself: true numbers, whole, harmless."""

from xml.etree import ElementTree

import numpy as np
import plotly.graph_objects as go
import pytest

from app.charts.boxes import Box, boxes_svg
from app.charts.grids import FOLD, Panel, grids
from app.charts.theme import Mode, coloured
from app.views.walk.heads.charts import head_wall

MODES: tuple[Mode, ...] = ("light", "dark")


@pytest.mark.parametrize("mode", MODES)
def test_arrays_one_below_the_other(mode: Mode) -> None:
    matrix = np.array([[1.0, -2.0], [0.5, -np.inf]])
    panels = [
        Panel("X <b>", matrix, "input", "signed", 2.0, ["a", "$x$"], ["c", "d"]),
        Panel("w", np.array([0.25, 0.75]), "key", "weights", 1.0, before="softmax"),
    ]
    figure = coloured(grids(panels), mode)
    assert len(go.Figure(figure).data) == 2
    first, second = figure["data"]
    assert first["z"] == [[1.0, -2.0], [0.5, None]]
    assert (first["zmin"], first["zmax"]) == (-2, 2)
    assert second["z"] == [[0.25, 0.75]]
    assert (second["zmin"], second["zmax"]) == (0, 1)
    layout = figure["layout"]
    assert layout["yaxis"]["ticktext"] == ["a", "&#36;x&#36;"]
    assert layout["yaxis2"]["domain"][1] < layout["yaxis"]["domain"][0]
    titles = [note["text"] for note in layout["annotations"]]
    assert "X &lt;b&gt;" in titles[0]
    assert titles[1].startswith("<b>softmax</b>")


def test_a_long_vector_is_whole() -> None:
    values = np.arange(FOLD * 2 + 3, dtype=float)
    figure = grids([Panel("x", values, "residual", "signed", 200.0)])
    drawn = [value for row in figure["data"][0]["z"] for value in row if value is not None]
    assert drawn == values.tolist()
    assert figure["layout"]["yaxis"]["ticktext"] == ["1", str(FOLD + 1), str(2 * FOLD + 1)]


@pytest.mark.parametrize("mode", MODES)
def test_every_head_has_its_place(mode: Mode) -> None:
    heads = np.random.default_rng(0).random((2, 3, 4, 5))  # (L, H, T, S)
    figure = head_wall(heads, layer_names=["1", "2"], head_names=["a", "b", "c"], hover="w")
    assert go.Figure(coloured(figure, mode)).data
    z = np.array(figure["data"][0]["z"], dtype=float)
    np.testing.assert_allclose(z[5:9, 12:17], heads[1, 2], atol=1e-4)
    assert np.isnan(z[4]).all()
    assert np.isnan(z[:, 5]).all()


@pytest.mark.parametrize("aligned", [True, False])
def test_boxes_are_a_drawing_with_all_their_texts(aligned: bool) -> None:
    rows = [
        ("<merge> 1", [Box("s", "73"), Box("<b>", "€")]),
        ("2", [Box("x", look="new"), Box("\t", "0", "shut"), Box("z")]),
    ]
    root = ElementTree.fromstring(coloured(boxes_svg(rows, aligned=aligned), "light"))
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["<merge> 1", "s", "73", "<b>", "€", "2", "x", "⇥", "0", "z"]
    shut = [e for e in root.iter() if e.get("fill") == "url(#shut)"]
    assert len(shut) == 1
