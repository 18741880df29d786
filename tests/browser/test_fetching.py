"""A translator by its name, in a real browser: fetched, opened, checked, measured, deleted."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.app.tiny import make_models
from tests.browser.conftest import Open, serve
from tests.model.hub.hub_server import NAME, Hub, Model, lead_to, serving
from tests.model.marian_samples import save_marian, theirs

SHORT = NAME.partition("/")[2]


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    folder = save_marian(tmp_path_factory.mktemp("marian") / "theirs", theirs("small"))
    with serving(Hub({NAME: Model(folder)})) as served:
        yield served


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("work")


@pytest.fixture(scope="module")
def server(hub: Hub, work: Path) -> Iterator[str]:
    """The app on one's own machine, with one tiny model, and a hub that it can reach."""
    folder = make_models(work / "pretrained", ("es-en",))
    with pytest.MonkeyPatch.context() as patch:
        lead_to(hub, work / "home", patch)
        runs, models = str(work / "runs"), str(work / "models")
        with serve(work, PRETRAINED_DIR=str(folder), RUNS_DIR=runs, MODELS_DIR=models) as address:
            yield address


def test_a_translator_comes_by_its_name_and_every_page_has_it(
    open_page: Open, hub: Hub, work: Path
) -> None:
    page = open_page("models")
    hub.status = 503
    page.get_by_role("textbox", name="Name on Hugging Face").fill(NAME)
    page.get_by_role("button", name="Look it up").click()
    expect(page.get_by_text("answered 503 instead of the model")).to_be_visible()
    hub.status = 0
    page.get_by_role("button", name="Look it up").click()
    expect(page.get_by_text("Spanish → English").last).to_be_visible()
    assert hub.sent == 0
    hub.pause = 0.5
    page.get_by_role("button", name="Fetch 0.7 MB").click()
    expect(page.get_by_text(re.compile(r"of 0.7 MB, .* MB/s, \d+ s left"))).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text(re.compile("was stopped at .* that part is kept"))).to_be_visible()
    page.reload()
    hub.pause = 0
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text(f"“{SHORT}” is here")).to_be_visible()
    assert hub.sent < 1.2 * 0.72e6
    expect(page).to_have_url(re.compile(f"shown=models(/|%2F){SHORT}"))
    assert [path.name for path in (work / "models").glob("[!.]*")] == [SHORT]

    page.get_by_role("button", name="Translate with it").click()
    expect(page.get_by_test_id("translation")).to_be_visible()
    expect(page.locator(".stTextInput input")).to_have_value("Nunca es tarde para aprender")
    page.goto(re.sub("/translate.*", f"/vectors?model=models/{SHORT}", page.url))
    expect(page.locator(".st-key-checked")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".st-key-checked")).to_be_visible()

    page.goto(re.sub("/[a-z]+[?].*", f"/models?shown=models/{SHORT}", page.url))
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text(f"“{SHORT}” is deleted")).to_be_visible()
    assert not list((work / "models").glob("[!.]*"))
