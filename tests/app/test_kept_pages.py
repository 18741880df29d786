"""Every figure can be kept as a web page, which is small, dated, and says how to make it again."""

import datetime
import html
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pytest

from app.charts.bars import distribution_bars
from app.charts.heatmap import attention_heatmap
from app.charts.parts import marks
from app.charts.points import MOST, PLACE, points
from app.charts.theme import layout
from app.registry import WALK, of_section
from tests.app.pages import content, kept_pages, opened, sound, step

TEN_WORDS = "El perro de mi vecino duerme todo el día aquí."
HOSTILE = "</script><script>alert(1)</script>"


def savers(page: str, **query: str) -> dict[str, dict[str, Any]]:
    """What the buttons below each figure's picture were sent, by the name of the file."""
    app = sound(opened(page, **query))
    return {one["file"]: one for one in kept_pages(app)}


def test_every_figure_of_a_page_can_be_kept(menus_open: None, models: Path) -> None:
    kept = savers("heads", text=TEN_WORDS, model="es-en", layer="2")
    assert len(kept) > 5
    drawn = set()
    for name, one in kept.items():
        page = one["page"]
        assert len(page) < 700_000, name
        assert datetime.date.today().isoformat() in page
        (again,) = re.findall("<pre>(.*?)</pre>", page, re.DOTALL)
        query = parse_qs(html.unescape(again).partition("?")[2])
        assert query["model"] == ["es-en"]
        assert query["text"] == [TEN_WORDS]
        assert query["layer"] == ["2"]
        assert query["lang"] == ["en"]
        drawn |= {figure["kind"] for figure in content(page)["figures"]}
    assert drawn == {"board", "chart", "wall"}


@pytest.mark.parametrize("page", [view.slug for view in of_section(WALK)])
def test_all_menus_of_a_page_can_be_open(menus_open: None, models: Path, page: str) -> None:
    """A board and a chart on the same screen had one key: both menus open, the page broke off."""
    sound(opened(page))


def test_a_board_that_is_kept_has_its_numbers_and_opens_nothing(
    menus_open: None, models: Path
) -> None:
    kept = savers("self_attention", all="0", part="softmax", text=HOSTILE, model="es-en")
    kinds = {name: content(one["page"])["figures"][0]["kind"] for name, one in kept.items()}
    boards = [one for name, one in kept.items() if kinds[name] == "board"]
    assert boards
    for one in boards:
        assert one["page"].count("<script") == 2
        (figure,) = content(one["page"])["figures"]
        grids = [item for item in figure["fixed"]["items"] if "values" in item]
        assert grids
        assert {grid["name"] for grid in grids} == {""}


def test_lines_and_an_attention_map_are_kept_as_they_stand(menus_open: None, models: Path) -> None:
    (heatmap,) = (
        content(one["page"])["figures"][0]
        for name, one in savers("translate", text="Hola", pin="1.0").items()
        if "attention" in name
    )
    assert heatmap["kind"] == "matrix"
    assert heatmap["chosen"] == {"query": 1, "key": 0}


@pytest.mark.parametrize(
    ("page", "part", "kinds", "said"),
    [
        ("backprop", "expression", ["graph"], "Backpropagation"),
        ("vectors", "picture", ["board"], ">6C</span>"),  # beside it, the boxes of a word's bytes
        ("big_picture", "map", ["diagram"], "“Hola”"),
        ("decoding", "branch", ["beam_tree"], "finished"),
        ("neuron", "xor", ["chart", "chart"], "<td>0 ✓</td>"),
    ],
)
def test_a_screen_is_kept_with_all_its_figures(
    models: Path, page: str, part: str, kinds: list[str], said: str
) -> None:
    """Graphs, boxes and diagrams had no file at all."""
    app = step(page, part, text="Hola")
    app.session_state["save-screen"] = True
    (kept,) = kept_pages(sound(app.run()))
    figures = content(kept["page"])["figures"] if "<script" in kept["page"] else []
    assert [figure["kind"] for figure in figures] == kinds
    assert said in kept["page"]
    assert datetime.date.today().isoformat() in kept["page"]
    assert f"part={part}" in kept["page"]


HEATMAP = attention_heatmap(
    np.array([[0.25, 0.75]]), ["<b>"], ["$x$", "y"], query_title="query", key_title="key"
)
BARS = distribution_bars(np.array([0.5, 0.123456]), ["a", "<b>"], "key", "weight", marked=1)
CURVE = {"data": [marks([1, 2], [0.5, None], "red", "circle", 5)], "layout": layout("", 100)}
TICKS = {"tickvals": [0], "ticktext": ["Self-<br>attention<br>here"]}
BROKEN = {"data": [marks([0], [1], "red", "circle", 5)], "layout": {"xaxis": TICKS}}
# Only the first point of a line has its name.
FIRST = {"text": ["a"], "hovertemplate": "%{text} %{x}"}
NAMED = {"data": [marks([1, 2], [3, 4], "red", "circle", 5) | FIRST], "layout": {}}


@pytest.mark.parametrize(
    ("figure", "said"),
    [
        (NAMED, {(0,): "a 1", (1,): "2"}),
        (HEATMAP, {(0, 0): "<b> → $x$: 0.2500", (0, 1): "<b> → y: 0.7500"}),
        (BARS, {(0,): "a: 0.5", (1,): "<b>: 0.123456"}),
        (CURVE, {(0,): "(1, 0.5)"}),
        (BROKEN, {(0,): "(Self-attention here, 1)"}),
    ],
)
def test_a_chart_says_at_each_point_what_its_hover_said(figure: Any, said: Any) -> None:
    assert {point.at: point.text for point in points(figure) or ()} == said


def test_very_many_points_are_left_to_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """From 5,000 on there were none, and the file did not say why."""

    def many(n: int) -> Any:
        return {"data": [marks([*range(n)], [*range(n)], "red", "circle", 1)], "layout": {}}

    found = points(many(5_500)) or []
    assert len(found) == 5_500
    assert sum(PLACE + len(point.text) for point in found) <= MOST
    monkeypatch.setattr("app.charts.points.MOST", 10_000)
    assert points(many(1_000)) is None
