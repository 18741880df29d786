"""A saved web page works alone: in a real browser, offline, by mouse and keys, for everybody."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from app.charts.heatmap import vector_strip
from app.components import beam_tree, board, chart, chips, diagram, film, graph, lines, matrix, wall
from app.components.document import DocumentHead, figures, folded, heading
from app.components.graph import Vertex
from app.components.grid import Weights
from app.components.shared import FIGURES
from app.components.shared.kept import KeptFigure, Part, Text
from app.data.decoding import TreeNode
from app.notebook import load
from app.ui.vectors_html import STYLE, Box, stacked
from tests.browser.conftest import Open, alone

SENTENCE = "El gato <script>alert(1)</script> duerme en mi silla."


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a saved file, on the disk."""
    path = tmp_path_factory.mktemp("saved") / "attention.html"
    load("es-en").translate(SENTENCE).show("matrix", "cross", layer=2, head=3).save(path)
    return path.as_uri()


@pytest.fixture
def page(browser: Browser, document: str) -> Iterator[Page]:
    """The file in a new window."""
    with alone(browser, document, own=document) as page:
        yield page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_pointed_at_and_walked_through(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    cell = page.locator("#matrix .cell").first
    cell.hover()
    readout = page.locator("#matrix .readout")
    expect(readout).to_contain_text("looks at")
    cell.click()
    expect(readout).to_contain_text("Pinned")
    before = readout.inner_text()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(readout).not_to_have_text(before)
    for view in ("matrix", "wall", "lines"):
        page.select_option("#view", view)
        expect(page.locator(f"#{view} .root > *").first).to_be_visible()
        assert Axe().run(page).response["violations"] == []


def test_the_numbers_are_the_models_own(page: Page) -> None:
    """A heatmap said −6.48913·10²⁴: its bytes were read in another order than they were written."""
    weights = load("es-en").translate(SENTENCE).weights("cross", layer=2, head=3)
    page.locator("#matrix .cell").first.wait_for()
    said = page.locator("#matrix .cell").evaluate_all(
        "cells => cells.map((cell) => cell.ariaLabel)"
    )
    plain = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
    numbers = [float(one.rpartition(": ")[2].translate(plain).replace("·10", "e")) for one in said]
    np.testing.assert_allclose(numbers, weights.ravel(), atol=6e-5)


def test_a_picture_of_the_wall_chooses_the_head(page: Page) -> None:
    page.select_option("#view", "wall")
    page.locator("#wall .thumb").nth(1).click()
    assert [page.input_value(f"#{name}") for name in ("layer", "head")] == ["0", "1"]
    page.select_option("#kind", "encoder")
    assert page.locator("#layer option").count() == 5
    page.select_option("#view", "lines")
    expect(page.locator("#lines .word").first).to_be_visible()
    expect(page.locator("#wall")).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_notebook_shows_it_in_a_frame_and_asks_for_nothing(browser: Browser) -> None:
    with alone(browser, "about:blank", own="about:") as page:
        page.set_content(load("es-en").translate("Hola.")._repr_html_())
        frame = page.frame_locator("iframe")
        frame.locator("#matrix .cell").first.hover()
        expect(frame.locator("#matrix .readout")).to_contain_text("looks at")


HOSTILE = "</script><script>alert(1)</script>"
TOKENS = ["<script>", "b"]
WEIGHTS = Weights(np.array([[0.75, 0.25], [0.5, 0.5]], np.float32), TOKENS, TOKENS)


def every_kind() -> list[Part]:
    """A figure of each component that is kept, and what is none; all about a hostile token."""
    heads = WEIGHTS._replace(values=WEIGHTS.values[None, None])
    moments = WEIGHTS._replace(values=np.stack([WEIGHTS.values] * 2))
    film_of = [film.FilmFrame(step, ((HOSTILE, True),)) for step in (1, 2)]
    nodes = [TreeNode(0, None, HOSTILE, 0.0, 0.0, "kept"), TreeNode(1, 0, "b", -1, -1, "finished")]
    vertices = [Vertex(HOSTILE, "1", role="input"), Vertex("+", "2", "∂ 1", (0,), ("× 1",))]
    every = [True, True]
    chips_of = [chips.Chip(HOSTILE, note=HOSTILE), chips.Chip("b")]
    grid = board.array_grid(WEIGHTS.values, HOSTILE, name="q", row_labels=TOKENS, col_labels=TOKENS)
    opens = KeptFigure("board", board.payload([grid]), board.marks(None, []))
    kept = [
        board.still(opens),
        KeptFigure("matrix", matrix.payload(WEIGHTS)),
        KeptFigure("wall", wall.payload(heads, {}), {"layer": 0, "head": 0}),
        KeptFigure("lines", lines.payload(WEIGHTS)),
        KeptFigure("film", film.payload(moments, film_of), 0),
        KeptFigure(
            "graph", graph.payload(vertices, HOSTILE), asdict(graph.Shown(every, every, every))
        ),
        KeptFigure("beam_tree", beam_tree.payload(nodes)),
        KeptFigure("chips", chips.payload(chips_of, HOSTILE, "input"), 0),
        KeptFigure("diagram", diagram.payload(None), "heads"),
        KeptFigure("chart", chart.payload(vector_strip({HOSTILE: ("key", WEIGHTS.values[0])}), "")),
    ]
    assert {figure.kind for figure in kept} == FIGURES
    boxes = Text(STYLE + stacked([Box(HOSTILE, "3C")]))
    return [heading(HOSTILE), *kept, boxes, folded({HOSTILE: {HOSTILE: [HOSTILE], "n": [0.5]}})]


def test_every_kind_of_figure_stands_alone(browser: Browser, tmp_path: Path) -> None:
    """A node of a graph, once clicked, and a picture of a film were an error: nothing answered."""
    path = tmp_path / "figures.html"
    path.write_text(
        figures(every_kind(), DocumentHead(HOSTILE, HOSTILE, {}, HOSTILE)), encoding="utf-8"
    )
    with alone(browser, path.as_uri(), own=path.as_uri()) as page:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert Axe().run(page).response["violations"] == []
        for place in page.locator(".figure").all():
            at = place.locator("[tabindex='0']").first
            expect(at).to_be_visible()
            at.hover()
            at.click()
            for key in ("ArrowRight", "ArrowDown", "Enter", "End", "Escape"):
                page.keyboard.press(key)
        for readout in page.locator(".readout:visible").all():
            assert "opens" not in readout.inner_text()
        page.get_by_text("</script>").last.wait_for()
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_chart_is_kept_with_its_screen(open_page: Open, browser: Browser, tmp_path: Path) -> None:
    """It is pointed at and walked through, in a file without a server."""
    sentence = "hola <script>alert(1)</script>"
    app = open_page(f"add_norm?part=stream&text={sentence}", reduced_motion="reduce")
    app.get_by_role("button", name="Save", exact=True).first.press("Enter")
    with app.expect_download() as saved:
        app.get_by_role("button", name="Save as a web page").press("Enter")
    path = tmp_path / saved.value.suggested_filename
    saved.value.save_as(path)
    assert path.suffix == ".html"
    assert path.stat().st_size < 400_000
    with alone(browser, path.as_uri(), own=path.as_uri()) as page:
        place, words = page.get_by_role("application").first, page.locator(".words").first
        place.hover()
        expect(words).not_to_be_empty()
        place.focus()
        page.keyboard.press("End")
        last = words.inner_text()
        page.keyboard.press("Home")
        expect(words).not_to_have_text(last)
        expect(page.locator("pre")).to_contain_text("/add_norm?")
        assert Axe().run(page).response["violations"] == []
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") == 390
