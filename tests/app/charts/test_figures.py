"""Figures: true numbers, fixed scales, harmless labels. Plotly takes all that a page draws."""

from typing import Any

import numpy as np
import pytest

from app.charts.bars import Column, columns, distribution_bars, stage_bars, target_bars
from app.charts.grids import FOLD, Panel, grids
from app.charts.heatmap import attention_heatmap, vector_strip
from app.charts.theme import COLOURS, GROUND, captioned, coloured, role_colour, scale_colours
from app.views.history.filters.tiles_chart import tiles
from app.views.walk.heads.charts import head_wall
from app.views.walk.learning.loss_chart import moment_bars

WEIGHTS = np.array([[0.9, 0.1, 0.0], [0.2, 0.3, 0.5]])
QUERIES, KEYS = ["the", "the"], ["<b>le</b>", "le", "$x$"]


def heatmap(**settings: Any) -> dict[str, Any]:
    titles = {"query_title": "query (looks) ↓", "key_title": "key (is looked at) →"}
    return attention_heatmap(WEIGHTS, QUERIES, KEYS, **{**titles, **settings})


def test_a_heatmap_has_one_scale_and_the_first_query_on_top() -> None:
    figure = heatmap(pinned=(1, 2))
    cells, layout = figure["data"][0], figure["layout"]
    assert (cells["zmin"], cells["zmax"]) == (0, 1)
    assert cells["colorscale"] == scale_colours("weights")
    assert cells["z"] == WEIGHTS.tolist()
    low, high = layout["yaxis"]["range"]
    assert low > high
    shape = layout["shapes"][0]
    assert (shape["x0"], shape["x1"], shape["y0"], shape["y1"]) == (1.5, 2.5, 0.5, 1.5)
    light, dark = coloured(figure, "light"), coloured(figure, "dark")
    assert light["layout"]["font"]["color"] != dark["layout"]["font"]["color"]
    assert light["data"][0]["colorscale"] != dark["data"][0]["colorscale"]


def test_repeated_words_keep_their_own_rows_and_columns() -> None:
    figure = heatmap()
    assert figure["data"][0]["y"] == figure["layout"]["yaxis"]["tickvals"] == [0, 1]
    assert figure["layout"]["yaxis"]["ticktext"] == ["the", "the"]
    assert figure["data"][0]["x"] == figure["layout"]["xaxis"]["tickvals"] == [0, 1, 2]


def test_heatmap_labels_titles_and_hovers_are_escaped() -> None:
    figure = heatmap(title="<i>", hover="{query} <looks> {key} {weight}")
    assert not [odd for odd in ("<b>le", "$x$", "<i>", "<looks>") if odd in str(figure)]
    assert figure["layout"]["xaxis"]["ticktext"][0] == "&lt;b&gt;le&lt;/b&gt;"
    cells = figure["data"][0]
    assert cells["hovertemplate"] == "%{y} &lt;looks&gt; %{x} %{customdata}<extra></extra>"
    assert cells["customdata"][0][0] == "0.9000"


def test_masked_cells_show_no_number_and_narrow_ones_none() -> None:
    mask = np.array([[True, False, False], [True, True, False]])
    cells = heatmap(mask=mask)["data"][0]
    assert cells["text"] == [["0.90", "×", "×"], ["0.20", "0.30", "×"]]
    assert cells["customdata"][0][1] == "×"
    weights = np.full((2, 40), 1 / 40)
    figure = attention_heatmap(weights, QUERIES, ["w"] * 40, query_title="q", key_title="k")
    assert "text" not in figure["data"][0]
    assert figure["layout"]["xaxis"]["tickangle"] == -90


def test_bars_run_from_zero_to_one_in_their_role() -> None:
    row = distribution_bars(WEIGHTS[0], KEYS, "key", value_title="weight", marked=0)
    low, high = row["layout"]["xaxis"]["range"]
    assert low == 0
    assert high >= 1
    assert row["data"][0]["x"] == [0.9, 0.1, 0.0]
    assert row["data"][0]["marker"]["color"] == role_colour("key")
    assert row["layout"]["yaxis"]["ticktext"][0] == "<b>&lt;b&gt;le&lt;/b&gt;</b>"
    small = distribution_bars(np.array([0.9, 0.0001, 0.0]), KEYS, "output", value_title="p")
    assert small["data"][0]["text"] == ["0.900", "0.0001", "0"], "what is small is not nothing"
    assert coloured(small, "dark")["data"][0]["marker"]["color"] == COLOURS["dark"]["output"]
    odd = stage_bars([Column("exp", np.array([1, np.nan, -np.inf]), ["1", "", "0"])], KEYS)
    assert odd["data"][0]["x"] == [1, None, None], "what is not finite has no bar"


def test_labels_that_do_not_fit_are_refused() -> None:
    short = WEIGHTS[0, :2]
    for draw in (
        lambda: attention_heatmap(WEIGHTS, QUERIES, QUERIES, query_title="q", key_title="k"),
        lambda: distribution_bars(WEIGHTS[0], QUERIES, "key", value_title="weight"),
        lambda: columns(short, KEYS, y_title=""),
        lambda: target_bars(WEIGHTS[0], short, KEYS, "title"),
        lambda: moment_bars(short, KEYS, None, "title"),
        lambda: stage_bars([Column("exp", short, ["1", "2"])], KEYS),
    ):
        with pytest.raises(ValueError, match=r"labels|names"):
            draw()


def test_vectors_share_one_scale_about_zero() -> None:
    small, large = np.array([0.5, -0.25]), np.array([1.0, -2.0])
    figure = vector_strip({"q · <b>": ("query", small), "k": ("key", large)})
    cells, ticks = figure["data"][0], figure["layout"]["yaxis"]["ticktext"]
    assert (cells["zmin"], cells["zmax"]) == (-2, 2)
    assert cells["z"] == [[0.5, -0.25], [1.0, -2.0]]
    assert "&lt;b&gt;" in ticks[0]
    assert role_colour("query") in ticks[0]
    assert role_colour("key") in ticks[1]
    assert vector_strip({"q": ("query", np.zeros(4))})["data"][0]["zmax"] == 1


def test_a_picture_to_keep_says_above_itself_what_it_is() -> None:
    plain = heatmap(title="weights")
    kept = captioned(plain, ["Self-attention", "“<b>le</b> chat” · layer 2 · head 3"])
    text, before, after = kept["layout"]["title"]["text"], plain["layout"], kept["layout"]
    assert "&lt;b&gt;le&lt;/b&gt; chat” · layer 2 · head 3" in text
    assert text.endswith("weights")
    more = after["height"] - before["height"]
    assert more == after["margin"]["t"] - before["margin"]["t"] > 0
    assert after["paper_bgcolor"] == GROUND
    assert captioned(plain, ["nunca es tarde " * 20])["layout"]["title"]["text"].count("<br>") >= 2


def test_arrays_one_below_the_other() -> None:
    matrix = np.array([[1.0, -2.0], [0.5, -np.inf]])
    panels = [
        Panel("X <b>", matrix, "input", "signed", 2.0, ["a", "$x$"], ["c", "d"]),
        Panel("w", np.array([0.25, 0.75]), "key", "weights", 1.0, before="softmax"),
    ]
    figure = grids(panels)
    (first, second), layout = figure["data"], figure["layout"]
    assert first["z"] == [[1.0, -2.0], [0.5, None]]
    assert (first["zmin"], first["zmax"]) == (-2, 2)
    assert second["z"] == [[0.25, 0.75]]
    assert (second["zmin"], second["zmax"]) == (0, 1)
    assert layout["yaxis"]["ticktext"] == ["a", "&#36;x&#36;"]
    assert layout["yaxis2"]["domain"][1] < layout["yaxis"]["domain"][0]
    titles = [note["text"] for note in layout["annotations"]]
    assert "X &lt;b&gt;" in titles[0]
    assert titles[1].startswith("<b>softmax</b>")
    long = np.arange(FOLD * 2 + 3, dtype=float)
    figure = grids([Panel("x", long, "residual", "signed", 200.0)])
    drawn = [value for row in figure["data"][0]["z"] for value in row if value is not None]
    assert drawn == long.tolist(), "a long vector is folded, and whole"
    assert figure["layout"]["yaxis"]["ticktext"] == ["1", str(FOLD + 1), str(2 * FOLD + 1)]


def test_every_head_has_its_place() -> None:
    heads = np.random.default_rng(0).random((2, 3, 4, 5))  # (L, H, T, S)
    figure = head_wall(heads, layer_names=["1", "2"], head_names=["a", "b", "c"], hover="w")
    z = np.array(figure["data"][0]["z"], dtype=float)
    np.testing.assert_allclose(z[5:9, 12:17], heads[1, 2], atol=1e-4)
    assert np.isnan(z[4]).all()
    assert np.isnan(z[:, 5]).all()


def test_tiles_lay_each_picture_down_whole() -> None:
    pictures = np.random.default_rng(0).normal(size=(5, 3, 4))
    figure = tiles(pictures, ["a", "b", "c", "d", "<b>$x$"], across=2, scale="signed")
    z = np.array(figure["data"][0]["z"], float)  # None becomes NaN
    drawn = z[np.isfinite(z)]
    assert sorted(drawn) == sorted(np.round(pictures, 4).ravel())
    assert figure["data"][0]["zmax"] == -figure["data"][0]["zmin"] == np.abs(pictures).max()
    words = np.array(figure["data"][0]["customdata"], object)[np.isfinite(z)]
    assert f"c, row 3, column 4: {pictures[2, 2, 3]:.4f}" in words
    names = [note["text"] for note in figure["layout"]["annotations"]]
    assert "&lt;b&gt;&#36;x&#36;" in names
