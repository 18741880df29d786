"""Every figure can be kept as a web page, which is small, dated, and says how to make it again."""

import datetime
import html
import re
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from app.registry import WALK, of_section
from tests.app.pages import content, kept_pages, opened, sound, step

TEN_WORDS = "El perro de mi vecino duerme todo el día aquí."
HOSTILE = "</script><script>alert(1)</script>"


def kept_page(page: str, **query: str) -> str:
    """The web page that the menu of a page's screens saves."""
    app = opened(page, **query)
    app.session_state["save-screen"] = True
    (kept,) = kept_pages(sound(app.run()))
    return str(kept["page"])


def test_every_figure_of_a_page_can_be_kept(models: Path) -> None:
    page = kept_page("heads", text=TEN_WORDS, model="es-en", layer="2")
    assert len(page) < 700_000
    assert datetime.date.today().isoformat() in page
    (again,) = re.findall("<pre>(.*?)</pre>", page, re.DOTALL)
    query = parse_qs(html.unescape(again).partition("?")[2])
    assert query["model"] == ["es-en"]
    assert query["text"] == [TEN_WORDS]
    assert query["layer"] == ["2"]
    assert query["lang"] == ["en"]
    assert {figure["kind"] for figure in content(page)["figures"]} == {"board", "chart", "wall"}


@pytest.mark.parametrize("page", [view.slug for view in of_section(WALK)])
def test_all_menus_of_a_page_can_be_open(menus_open: None, models: Path, page: str) -> None:
    """A board and a chart on the same screen had one key: both menus open, the page broke off."""
    sound(opened(page))


def test_a_board_that_is_kept_has_its_numbers_and_opens_nothing(models: Path) -> None:
    page = kept_page("self_attention", all="0", part="softmax", text=HOSTILE, model="es-en")
    assert page.count("<script") == 2
    boards = [figure for figure in content(page)["figures"] if figure["kind"] == "board"]
    assert boards
    for board in boards:
        grids = [item for item in board["fixed"]["items"] if "values" in item]
        assert grids
        assert {grid["name"] for grid in grids} == {""}


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
