"""What a page says while its server does not answer, and that it goes on by itself."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect

from tests.app.tiny import make_models
from tests.browser.conftest import free_port, serve, settle


def test_a_server_that_is_away_is_told_in_the_pages_language(
    browser: Browser, tmp_path: Path
) -> None:
    """Streamlit's own sentence was in English, and asked a visitor to restart it in a terminal."""
    port, models = str(free_port()), str(make_models(tmp_path / "pretrained", ("es-en",)))
    settings: dict[str, Any] = {"PRETRAINED_DIR": models, "RUNS_DIR": str(tmp_path / "runs")}
    page = browser.new_page()
    told = page.get_by_role("dialog")
    with serve(tmp_path, port=port, **settings) as address:
        page.goto(f"{address}/people?lang=es")
        settle(page)
        expect(page.locator("html")).to_have_attribute("lang", "es")  # our scripts are there
    expect(told).to_contain_text("El servidor no responde")
    expect(told).to_contain_text("continúa en cuanto el servidor responda")
    expect(told).not_to_contain_text("Streamlit")
    expect(told.get_by_text("streamlit run")).not_to_be_visible()
    with serve(tmp_path, port=port, **settings):
        expect(told).to_have_count(0)
        settle(page)
    page.close()
