"""The head atlas in a real browser: by keyboard from the map to a card, and the address with it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from model import checkpoint
from model.atlas.atlas import NAME
from model.atlas.build import Size, build
from model.atlas.sample import phrase_sample
from tests.app.tiny import make_models
from tests.browser.conftest import Open, serve


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app with one tiny model, which was measured."""
    folder, work = (tmp_path_factory.mktemp(name) for name in ("measured", "work"))
    make_models(folder, ("es-en",))
    make_models(work / "models", ("es-en-mine",))
    sizes, sample = Size(bleu=2, pruning=2, held_out=2, tried=2), phrase_sample("es", 4, 0)
    loaded = checkpoint.load(folder / "es-en")
    atlas = build(loaded, sample, (), work / "parts", 0, lambda done, total: None, sizes)
    atlas.save(folder / "es-en" / NAME)
    runs, models = str(work / "runs"), str(work / "models")
    with serve(work, PRETRAINED_DIR=str(folder), RUNS_DIR=runs, MODELS_DIR=models) as address:
        yield address


def test_a_head_is_opened_by_keyboard_and_muted(open_page: Open) -> None:
    page = open_page("atlas?card=cross.1.1&text=nunca")
    card = page.get_by_role("heading", name="layer 1 · head 1")
    expect(card).to_be_visible()
    board = page.locator(".st-key-atlas-map").get_by_role("application").first
    board.focus()
    for key in ("Home", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    name = "Encoder self-attention · layer 1 · head 2"
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    expect(page).to_have_url(re.compile("card=encoder.1.2"))
    page.get_by_role("button", name="Mute it in your translation").click()
    expect(page).to_have_url(re.compile(r"/translate\?.*change="))


def test_a_model_is_measured_at_the_press_of_a_button(open_page: Open) -> None:
    page = open_page("atlas?model=models/es-en-mine&text=nunca")
    page.get_by_role("button", name="Measure its heads").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    page.reload()
    expect(page.get_by_text("parts are measured")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Measuring was stopped")).to_be_visible()
    page.get_by_role("button", name="Measure its heads").click()
    expect(page.locator(".st-key-atlas-map")).to_be_visible()
