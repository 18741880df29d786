"""Training in a real browser: press Train, watch attention form, and translate with the result."""

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from model.runs.folder import RunFolder, run_names
from tests.app.tiny import make_models
from tests.browser.accessibility import faint, nameless
from tests.browser.conftest import ROOT, WIDER, Open, serve, settle
from tests.model.runs.run_samples import tiny_plan, train

# The app, but for its trainings, which go first: polite ones take minutes while other tests run.
IMPATIENT: Final = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import streamlit as st
from app.data import runs
runs.NICE = 1
from app import main
app = st.App("")
app = main.app
"""
TRAINING: Final = 900_000


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the runs that the server of this file trains."""
    return tmp_path_factory.mktemp("training") / "runs"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, runs: Path) -> Iterator[str]:
    """The app with tiny models, a recorded run, and a folder of runs of its own."""
    pretrained = make_models(tmp_path_factory.mktemp("pretrained"))
    recorded = RunFolder.named("letters", pretrained / "recorded")
    plan = tiny_plan("letters", steps=8)
    recorded.create(replace(plan, task="reverse", pairs=80, data=(), valid=""))
    assert train(recorded) == 0
    work = tmp_path_factory.mktemp("server")
    shutil.copytree(ROOT / "app/.streamlit", work / "app/.streamlit")
    (work / "app/main.py").write_text(IMPATIENT, encoding="utf-8")
    folders = {"PRETRAINED_DIR": str(pretrained), "RUNS_DIR": str(runs)}
    with serve(work, root=work, cwd=str(ROOT), **folders) as address:
        yield address


@pytest.fixture(autouse=True)
def nothing_is_left_training(runs: Path) -> Iterator[None]:
    """A test that fails before its press of Stop must not keep the next one's training waiting."""
    yield
    for folder in (RunFolder.named(name, runs) for name in run_names(runs)):
        if folder.is_alive():
            folder.wish(stop=True)


def see_film(page: Page) -> None:
    """Wait until the page shows a film, and nothing went wrong."""
    expect(page.locator(".place")).to_be_visible()
    settle(page)


def buttons(page: Page, key: str) -> Locator:
    """Return a button by its key; Streamlit keeps an unseen twin of one with a help text."""
    return page.locator(f".st-key-{key} button").filter(visible=True).first


def press(page: Page, key: str) -> None:
    buttons(page, key).click()


def begin(page: Page, runs: Path, clicks: int = 1, key: str = "train") -> str:
    """Press Train and return the name of the run."""
    before = set(run_names(runs))
    button = buttons(page, key)
    expect(button).to_be_enabled()
    button.click(click_count=clicks)
    stop = "run-stop" if key == "train" else f"{key}-stop"
    expect(buttons(page, stop)).to_be_visible()
    (name,) = set(run_names(runs)) - before
    return name


def await_state(page: Page, state: str) -> None:
    expect(page.get_by_test_id("stProgress")).to_contain_text(state, timeout=TRAINING)


def test_the_form_the_film_and_the_loss_share_the_window(open_page: Open, runs: Path) -> None:
    """The sidebar held the language alone, and the film began below the window's edge."""
    page = open_page("training", viewport={"width": 1440, "height": 900})
    see_film(page)  # the recorded run, before anything was trained
    side = page.get_by_test_id("stSidebar")
    for key in ("task-en", "t-preset-en", "t-steps-en", "t-seed-en"):
        expect(side.locator(f".st-key-{key}")).to_be_in_viewport(ratio=1)
    expect(side.locator(".st-key-train button").first).to_be_in_viewport(ratio=1)
    steps = side.get_by_role("spinbutton", name="Steps")
    steps.fill("20")  # the preset warms up for as many
    steps.press("Enter")
    folder = RunFolder.named(begin(page, runs), runs)
    await_state(page, "Completed")
    see_film(page)
    assert folder.status().steps == 20
    for shown in (side.get_by_test_id("stProgress"), page.locator(".st-key-use button").first):
        expect(shown).to_be_in_viewport(ratio=1)
    expect(page.locator(".st-key-film .grid")).to_be_in_viewport(ratio=1)
    expect(page.locator(".st-key-chart-loss svg").first).to_be_in_viewport(ratio=1)
    assert page.locator(".stMain").evaluate("main => main.scrollTop") == 0
    press(page, "use")
    expect(page.get_by_test_id("translation")).to_be_visible()
    shutil.rmtree(folder.path)


def test_letters_are_trained_and_chosen_beside_a_translation(open_page: Open, runs: Path) -> None:
    """Learned before the visitor's eyes, from one press, and seen by who comes later."""
    page = open_page("translate", viewport={"width": 1440, "height": 900})
    expect(page.get_by_test_id("translation")).to_be_visible()
    expect(buttons(page, "letters")).to_have_text(re.compile(r"Train a model on letters: \d+\ss$"))
    folder = RunFolder.named(begin(page, runs, clicks=2, key="letters"), runs)
    expect(page.get_by_test_id("stProgress")).to_contain_text("of 400")
    use = buttons(page, "letters-use")
    expect(use).to_be_visible(timeout=TRAINING)
    assert run_names(runs) == [folder.name]  # two clicks, one run
    status, losses = folder.status(), [row["loss"] for row in folder.log()]
    assert (status.state, status.step) == ("finished", folder.plan().train.steps)
    assert losses[-1] < losses[0] / 3
    assert folder.samples()[-1]["exact"] > 0.95
    if os.getloadavg()[0] < (os.cpu_count() or 1) / 2:  # nothing else is under way
        assert status.seconds < 60
    use.click()
    box = page.get_by_role("textbox", name="A sentence in symbols")
    box.fill("b r i d g e")
    expect(page.get_by_test_id("translation")).to_have_text("e g d i r b")
    expect(use).to_have_count(0)
    film = open_page(f"training?training={folder.name}")
    see_film(film)
    said = film.get_by_text("1 would be perfect").locator("strong")
    assert float(said.inner_text().lstrip(">")) > 0.9
    goals = film.locator(".cell.goal").all_inner_texts()
    assert len(goals) == len(folder.plan().probe[1].split())
    assert all(float(text.lstrip(">")) > 0.5 for text in goals), goals
    shutil.rmtree(folder.path)


def test_on_a_phone_a_run_is_begun_paused_moved_one_step_and_stopped(
    open_page: Open, runs: Path
) -> None:
    """The form opened on a direct visit alone: the browser remembered that a menu was shut."""
    page = open_page("translate?t-steps=100000", viewport={"width": 390, "height": 844})
    expect(page.get_by_test_id("translation")).to_be_visible()
    side, menu = page.get_by_test_id("stSidebar"), page.get_by_test_id("stExpandSidebarButton")
    form, other = ("Train your own", "training", "false"), ("Models", "models", "true")
    for title, slug, shut in (form, other, form):
        if side.get_attribute("data-collapsed") == "true":
            menu.click()
        side.get_by_role("link", name=title).click()
        page.wait_for_url(re.compile(f"/{slug}"))
        expect(side).to_have_attribute("data-collapsed", shut)
    expect(buttons(page, "train")).to_be_in_viewport(ratio=1)
    others = set(run_names(runs))
    buttons(page, "train").click()
    expect(side).to_have_attribute("data-collapsed", "true")
    expect(page.locator(".place")).to_be_visible(timeout=TRAINING)
    (name,) = set(run_names(runs)) - others
    folder = RunFolder.named(name, runs)
    menu.click()
    expect(buttons(page, "train")).to_be_disabled()
    press(page, "run-pause")
    await_state(page, "Paused")
    step = folder.status().step
    press(page, "run-skip_next")
    await_state(page, f"step {step + 1} of")
    rate = page.locator(f".st-key-rate-{folder.name} input")
    rate.fill("0.005")
    rate.press("Enter")
    press(page, "run-play_arrow")
    await_state(page, "Training")
    expect(buttons(page, "run-pause")).to_be_visible()
    press(page, "run-stop")
    press(page, "run-check")  # only this is asked twice
    await_state(page, "Stopped")
    assert folder.plan().learning_rate == 0.005
    expect(buttons(page, "train")).to_be_enabled()
    assert not page.evaluate(WIDER)
    shutil.rmtree(folder.path)


def test_three_learning_rates_from_one_press_to_their_curves(open_page: Open, runs: Path) -> None:
    page = open_page("training?task=reverse&t-steps=20")
    see_film(page)
    expect(buttons(page, "train")).to_be_in_viewport()
    page.get_by_text("Try several values").click()
    press(page, "train-sweep")
    curves = page.locator(".st-key-chart-job-loss svg g path")
    expect(curves).to_have_count(3, timeout=TRAINING)
    expect(buttons(page, "stop-job")).to_have_count(0, timeout=TRAINING)
    texts = page.locator(".st-key-chart-job-loss svg text").all_text_contents()
    assert texts[-3:] == ["0.01", "0.02", "0.04"]
    folders = [
        RunFolder.named(name, runs) for name in run_names(runs) if name.startswith("reverse")
    ]
    rates = {one.plan().train.learning_rate: one.status() for one in folders if one.plan().job}
    assert {rate: status.step for rate, status in rates.items()} == {0.01: 20, 0.02: 20, 0.04: 20}


def test_the_film_is_led_by_keyboard_and_can_be_read_by_all(open_page: Open) -> None:
    page = open_page("training?training=recorded/letters")
    see_film(page)
    steps = page.locator(".thumb").count()
    expect(page.locator(".place")).to_contain_text(f"picture {steps} of {steps}")
    page.locator(".thumb").last.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".place")).to_contain_text(f"picture {steps - 1} of {steps}")
    page.wait_for_url("**frame=*")
    page.keyboard.press("Home")
    expect(page.locator(".place")).to_contain_text(f"picture 1 of {steps}")
    page.wait_for_url("**frame=0*")
    expect(page.get_by_text("Step 0, “after <bos> →")).to_be_visible()
    page.get_by_role("button", name="Play").press("Enter")
    page.wait_for_url(re.compile("frame=[1-9]"))  # all follows as it plays
    expect(page.locator(".place")).to_contain_text(f"picture {steps} of {steps}")
    page.locator(".cell").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".readout.live")).to_contain_text("looks at")
    page.set_viewport_size({"width": 1440, "height": 4000})  # all of the page is in sight
    for fold in page.locator("summary").all():
        fold.click()
    assert nameless(page) == []
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(500)
        settle(page)
        assert faint(page) == [], scheme
