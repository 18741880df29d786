"""A class with a login: students come after each other to one machine, a teacher has the key."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page, expect

from app.server.login import name_of
from model.files import VISITORS
from model.runs.folder import RunFolder
from model.runs.plan import Status
from tests.app.server.identity import STUDENTS, identity, settings
from tests.app.tiny import make_models
from tests.app.views.training.conftest import living
from tests.browser.conftest import free_port, serve
from tests.model.runs.run_samples import new_run

SECRET = "what Streamlit signs its cookie with"
KEY = "the teacher's own key"


@dataclass(frozen=True)
class Class:
    """Where a class is served, and each student's run."""

    address: str
    runs: dict[str, RunFolder]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Class]:
    """A class with a login, where Ana and Bo have a run each."""
    work, port = tmp_path_factory.mktemp("class"), free_port()
    models, runs = make_models(work / "pretrained", ("es-en",)), {}
    with identity() as provider:
        for student in STUDENTS:
            place = work / "runs" / VISITORS / name_of(provider.issuer, student)
            runs[student] = new_run(place, f"run-of-{student}")
            runs[student].write_status(Status("stopped", step=1, steps=9))
        secrets = work / "secrets.toml"
        secrets.write_text(settings(provider, f"http://localhost:{port}", SECRET))
        with serve(
            work,
            "--secrets.files",
            str(secrets),
            port=str(port),
            PRETRAINED_DIR=str(models),
            RUNS_DIR=str(work / "runs"),
            MODELS_DIR=str(work / "models"),
            ILLUMINATED_SERVE="class",
            ILLUMINATED_LOGIN="openid",
            ILLUMINATED_TEACHER_KEY=KEY,
        ) as address:
            yield Class(address, runs)


@pytest.fixture
def page(browser: Browser, served: Class) -> Iterator[Page]:
    """A new browser, in which nothing may be tried that the page's policy forbids."""
    page = browser.new_context(locale="en-US").new_page()
    blocked: list[str] = []
    page.on("console", lambda told: blocked.append(told.text) if "Policy" in told.text else None)
    yield page
    page.context.close()
    assert not blocked


def ask_to_log_in(page: Page) -> None:
    """Who is not logged in sees one sentence and a button, whatever page they opened."""
    expect(page.get_by_text("This is a class: log in")).to_be_visible()
    expect(page.get_by_role("heading")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)


def log_in(page: Page, student: str) -> None:
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name=student).click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_each_student_finds_their_own_and_leaves_nothing_open(page: Page, served: Class) -> None:
    for student in STUDENTS:
        page.goto(f"{served.address}/training")
        ask_to_log_in(page)
        log_in(page, student)
        page.goto(f"{served.address}/training")
        runs = page.get_by_role("combobox", name="Run")
        expect(runs).to_have_value(re.compile(f"^run-of-{student} "))
        runs.click()
        expect(page.get_by_role("option")).to_have_count(1)
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Log out").click()
        ask_to_log_in(page)


def test_the_teachers_key_shows_the_server_and_stops_a_run(page: Page, served: Class) -> None:
    run = served.runs["bo"]
    server = page.get_by_role("heading", name="The server")
    page.goto(served.address)
    log_in(page, "ana")
    page.goto(f"{served.address}/training")
    expect(page.get_by_role("combobox", name="Run")).to_be_visible()
    expect(server).to_have_count(0)
    page.goto(f"{served.address}/teacher")
    page.get_by_label("Key").fill(KEY)
    with living(run):
        page.get_by_role("button", name="Enter").click()
        expect(server).to_be_visible()
        expect(page.get_by_text("Version ")).to_be_visible()
        page.get_by_role("button", name="Stop all runs of the class").click()
        for _try in range(1200):
            if run.wishes().stop:
                break
            page.wait_for_timeout(100)
        assert run.wishes().stop
