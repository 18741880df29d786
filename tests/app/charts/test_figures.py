"""Figures: true numbers, fixed scales, harmless labels; and Plotly accepts every one of them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from app.charts.bars import distribution_bars
from app.charts.columns import columns
from app.charts.heatmap import attention_heatmap
from app.charts.stage_bars import Column, stage_bars
from app.charts.target import target_bars
from app.charts.theme import (
    COLOURS,
    GROUND,
    Mode,
    captioned,
    coloured,
    role_colour,
    scale_colours,
)
from app.charts.vectors import vector_strip
from app.views.walk.learning.loss_chart import moment_bars

WEIGHTS = np.array([[0.9, 0.1, 0.0], [0.2, 0.3, 0.5]])
QUERIES, KEYS = ["the", "the"], ["<b>le</b>", "le", "$x$"]
MODES: tuple[Mode, ...] = ("light", "dark")


def heatmap(**settings: Any) -> dict[str, Any]:
    titles = {"query_title": "query (looks) ↓", "key_title": "key (is looked at) →"}
    return attention_heatmap(WEIGHTS, QUERIES, KEYS, **{**titles, **settings})


@pytest.mark.parametrize("mode", MODES)
def test_plotly_accepts_every_figure(mode: Mode) -> None:
    row = WEIGHTS[0]
    figures = [
        heatmap(title="layer 1", pinned=(1, 2)),
        distribution_bars(row, KEYS, "key", value_title="weight", title="its row", marked=1),
        distribution_bars(row, KEYS, "output", value_title="probability", marked=0),
        vector_strip({"q": ("query", row), "k": ("key", -row)}),
    ]
    for named in figures:
        figure = coloured(named, mode)
        assert type(figure) is dict
        assert go.Figure(figure).data  # raises at an unknown property or colour
        assert "\\x00" not in repr(figure)


def test_heatmap_scale_is_fixed() -> None:
    cells = heatmap()["data"][0]
    assert (cells["zmin"], cells["zmax"]) == (0, 1)
    assert cells["colorscale"] == scale_colours("weights")
    assert cells["z"] == WEIGHTS.tolist()


def test_repeated_words_keep_their_own_rows_and_columns() -> None:
    figure = heatmap()
    assert figure["data"][0]["y"] == figure["layout"]["yaxis"]["tickvals"] == [0, 1]
    assert figure["layout"]["yaxis"]["ticktext"] == ["the", "the"]
    assert figure["data"][0]["x"] == figure["layout"]["xaxis"]["tickvals"] == [0, 1, 2]


def test_the_first_query_is_on_top() -> None:
    low, high = heatmap()["layout"]["yaxis"]["range"]
    assert low > high


def test_heatmap_labels_titles_and_hovers_are_escaped() -> None:
    text = str(heatmap(title="<i>"))
    assert "<b>le" not in text
    assert "$x$" not in text
    assert "<i>" not in text
    assert heatmap()["layout"]["xaxis"]["ticktext"][0] == "&lt;b&gt;le&lt;/b&gt;"


def test_hover_tells_the_words_and_the_full_number() -> None:
    cells = heatmap(hover="{query} <looks> {key} {weight}")["data"][0]
    assert cells["hovertemplate"] == "%{y} &lt;looks&gt; %{x} %{customdata}<extra></extra>"
    assert cells["customdata"][0][0] == "0.9000"


def test_masked_cells_show_no_number() -> None:
    mask = np.array([[True, False, False], [True, True, False]])
    cells = heatmap(mask=mask)["data"][0]
    assert cells["text"] == [["0.90", "×", "×"], ["0.20", "0.30", "×"]]
    assert cells["customdata"][0][1] == "×"


def test_numbers_are_left_out_where_they_do_not_fit() -> None:
    weights = np.full((2, 40), 1 / 40)
    figure = attention_heatmap(weights, QUERIES, ["w"] * 40, query_title="q", key_title="k")
    assert "text" not in figure["data"][0]
    assert figure["layout"]["xaxis"]["tickangle"] == -90


def test_pinned_cell_is_outlined() -> None:
    shape = heatmap(pinned=(1, 2))["layout"]["shapes"][0]
    assert (shape["x0"], shape["x1"], shape["y0"], shape["y1"]) == (1.5, 2.5, 0.5, 1.5)


def test_modes_differ_in_ink_and_scale() -> None:
    light, dark = (coloured(heatmap(), mode) for mode in MODES)
    assert light["layout"]["font"]["color"] != dark["layout"]["font"]["color"]
    assert light["data"][0]["colorscale"] != dark["data"][0]["colorscale"]


def test_heatmap_refuses_labels_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="labels"):
        attention_heatmap(WEIGHTS, QUERIES, QUERIES, query_title="q", key_title="k")


def test_bars_run_from_zero_to_one_in_their_role() -> None:
    row = distribution_bars(WEIGHTS[0], KEYS, "key", value_title="weight", marked=0)
    low, high = row["layout"]["xaxis"]["range"]
    assert low == 0
    assert high >= 1
    assert row["data"][0]["x"] == [0.9, 0.1, 0.0]
    assert row["data"][0]["marker"]["color"] == role_colour("key")
    assert row["layout"]["yaxis"]["ticktext"][0] == "<b>&lt;b&gt;le&lt;/b&gt;</b>"
    following = distribution_bars(WEIGHTS[0], KEYS, "output", value_title="p")
    assert coloured(following, "dark")["data"][0]["marker"]["color"] == COLOURS["dark"]["output"]


def test_small_probabilities_are_not_shown_as_nothing() -> None:
    figure = distribution_bars(np.array([0.9, 0.0001, 0.0]), KEYS, "output", value_title="p")
    assert figure["data"][0]["text"] == ["0.900", "0.0001", "0"]


def test_bars_refuse_labels_that_do_not_fit() -> None:
    short = WEIGHTS[0, :2]
    drawn: list[Callable[[], Any]] = [
        lambda: distribution_bars(WEIGHTS[0], QUERIES, "key", value_title="weight"),
        lambda: columns(short, KEYS, title="", y_title=""),
        lambda: target_bars(WEIGHTS[0], short, KEYS, "title"),
        lambda: moment_bars(short, KEYS, None, "title"),
        lambda: stage_bars([Column("exp", short, ["1", "2"])], KEYS),
    ]
    for draw in drawn:
        with pytest.raises(ValueError, match="labels"):
            draw()


def test_a_number_that_is_not_finite_has_no_bar() -> None:
    figure = stage_bars([Column("exp", np.array([1, np.nan, -np.inf]), ["1", "", "0"])], KEYS)
    assert figure["data"][0]["x"] == [1, None, None]


def test_vectors_share_one_scale_about_zero() -> None:
    small, large = np.array([0.5, -0.25]), np.array([1.0, -2.0])
    figure = vector_strip({"q · <b>": ("query", small), "k": ("key", large)})
    cells = figure["data"][0]
    assert (cells["zmin"], cells["zmax"]) == (-2, 2)
    assert cells["z"] == [[0.5, -0.25], [1.0, -2.0]]
    ticks = figure["layout"]["yaxis"]["ticktext"]
    assert "&lt;b&gt;" in ticks[0]
    assert role_colour("query") in ticks[0]
    assert role_colour("key") in ticks[1]


def test_vectors_of_zeros_and_none_at_all() -> None:
    assert vector_strip({"q": ("query", np.zeros(4))})["data"][0]["zmax"] == 1
    with pytest.raises(ValueError, match="vector"):
        vector_strip({})


def test_a_picture_to_keep_says_above_itself_what_it_is() -> None:
    plain = heatmap(title="weights")
    kept = captioned(plain, ["Self-attention", "“<b>le</b> chat” · layer 2 · head 3"])
    text, before, after = kept["layout"]["title"]["text"], plain["layout"], kept["layout"]
    assert "&lt;b&gt;le&lt;/b&gt; chat” · layer 2 · head 3" in text
    assert text.endswith("weights")
    more = after["height"] - before["height"]
    assert more == after["margin"]["t"] - before["margin"]["t"] > 0
    assert after["paper_bgcolor"] == GROUND
    assert go.Figure(coloured(kept, "dark")).layout.font.family.startswith("Source Sans")


def test_a_long_sentence_has_several_lines_above_its_picture() -> None:
    lines = ["nunca es tarde " * 20]
    assert captioned(heatmap(), lines)["layout"]["title"]["text"].count("<br>") >= 2
