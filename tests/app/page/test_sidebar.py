"""The short form of training: on every page with a model, from the press to the page's model."""

from dataclasses import replace

import pytest

from app.data import runs
from app.data.runs import letters_plan, needs
from app.registry import view_of
from app.ui.run_bar import duration
from model.runs.folder import RunFolder
from tests.app.pages import opened
from tests.app.views.training.conftest import living, own, recorded, spawned, tiny_run

__all__ = ["own", "recorded", "spawned", "tiny_run"]


def test_it_stands_on_each_page_that_has_a_model(recorded: RunFolder) -> None:
    for page in ("heads", "training", "models"):
        keys = {button.key for button in opened(page, all="0").sidebar.button}
        assert ("letters" in keys) == (view_of(page).side == "model")


def test_a_press_trains_and_the_result_becomes_the_model_of_the_page(
    own: RunFolder, spawned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened("translate")
    button = app.button(key="letters")
    said = duration(needs(letters_plan()).seconds).replace(" ", "\u00a0")
    assert button.label == f"Train a model on letters: {said}"
    button.click().run()
    assert not app.exception
    assert spawned == ["reverse 2"]
    plan = RunFolder.named("reverse 2").plan()
    assert (plan.task, plan.train.steps, plan.model.d_model) == ("reverse", 400, 64)
    keys = {one.key for one in app.sidebar.button}
    assert {"letters-stop", "letters-watch"} <= keys
    assert "letters" not in keys  # one run at a time
    (bar,) = app.sidebar.get("progress")
    assert "step 0 of 400" in bar.proto.text
    monkeypatch.setattr(runs, "own_run", lambda: own.name)  # as if that were the one, at its end
    app.run()
    assert app.button(key="letters-use").label == "Use reverse"
    app.button(key="letters-use").click().run()
    assert not app.exception
    assert app.query_params["model"] == "runs/reverse"
    assert app.text_input(key="text-en").value == own.plan().probe[0]
    assert "letters-use" not in {one.key for one in app.sidebar.button}


def test_a_run_that_is_under_way_is_stopped_from_there(
    own: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "own_run", lambda: own.name)
    with living(own):
        own.write_status(replace(own.status(), state="running", step=7))
        app = opened("translate")
        app.button(key="letters-stop").click().run()
        assert own.wishes().stop
