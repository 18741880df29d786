"""Two students of a class log in, on one machine after each other, and find what is theirs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from app.server.login import name_of
from model.runs.folder import VISITORS
from model.runs.plan import Status
from tests.app.server.identity import STUDENTS, identity, settings
from tests.app.tiny import make_models
from tests.browser.conftest import free_port, serve
from tests.model.runs.run_samples import new_run

SECRET = "what Streamlit signs its cookie with"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A class with a login, where Ana and Bo have a run each."""
    models, runs, port = (
        make_models(tmp_path / "pretrained", ("es-en",)),
        tmp_path / "runs",
        free_port(),
    )
    with identity() as provider:
        for student in STUDENTS:
            run = new_run(runs / VISITORS / name_of(provider.issuer, student), f"run-of-{student}")
            run.write_status(Status("stopped", step=1, steps=9))
        secrets = tmp_path / "secrets.toml"
        secrets.write_text(settings(provider, f"http://localhost:{port}", SECRET))
        with serve(
            tmp_path,
            "--secrets.files",
            str(secrets),
            port=str(port),
            PRETRAINED_DIR=str(models),
            RUNS_DIR=str(runs),
            MODELS_DIR=str(tmp_path / "models"),
            ILLUMINATED_SERVE="class",
            ILLUMINATED_LOGIN="openid",
        ) as address:
            yield address


def test_each_student_finds_their_own_and_leaves_nothing_open(
    browser: Browser, address: str
) -> None:
    page = browser.new_context(locale="en-US").new_page()
    blocked: list[str] = []
    page.on("console", lambda told: blocked.append(told.text) if "Policy" in told.text else None)
    for student in STUDENTS:
        page.goto(f"{address}/training")
        ask_to_log_in(page)
        page.get_by_role("button", name="Log in").click()
        page.get_by_role("link", name=student).click()
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.goto(f"{address}/training")
        expect(page.get_by_text(f"run-of-{student}").first).to_be_visible()
        others = [f"run-of-{other}" for other in STUDENTS if other != student]
        assert not any(other in page.content() for other in others)
        page.get_by_role("button", name="Log out").click()
        ask_to_log_in(page)
    assert not blocked
    page.context.close()


def ask_to_log_in(page: Page) -> None:
    """Who is not logged in sees one sentence and a button, whatever page they opened."""
    expect(page.get_by_text("This is a class: log in")).to_be_visible()
    expect(page.get_by_role("heading")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
