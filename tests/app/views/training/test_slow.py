"""Slow motion: one step of a real run, taken apart, while the run stays as it is."""

import shutil
from pathlib import Path

from streamlit.testing.v1 import AppTest

from model.runs.folder import RunFolder
from model.runs.training_step import dissect
from tests.app.pages import said, sound
from tests.app.views.training.conftest import rewrite_plan
from tests.model.runs.run_samples import contents, new_run, train


def page() -> None:
    from app.data.runs import run
    from app.views.training.slow import draw_slow_motion

    draw_slow_motion(run("reverse"))  # type: ignore[arg-type]


def test_a_step_is_taken_apart_and_the_run_is_left_alone(own: RunFolder) -> None:
    before = contents(own.path)
    app = AppTest.from_function(page, default_timeout=120).run()
    app.button(key="slow").click().run()
    sound(app)
    step = dissect(own)
    assert step.step == own.status().step + 1
    assert f"{step.cross_entropy:.4f} nats per token" in said(app)
    assert f"The loss it lowers is **{step.loss:.4f}**" in said(app)
    assert f"from {step.loss:.4f} to **{step.loss_after:.4f}**" in said(app)
    assert {block.name for block in step.blocks} == set(own.log()[-1]["blocks"])
    assert contents(own.path) == before


def test_of_a_run_that_ended_at_rate_0_its_own_last_step_is_taken_apart(tmp_path: Path) -> None:
    """It took a step with the learning rate 0 apart, of which nothing moved."""
    run = new_run(tmp_path, "linear", schedule="linear", steps=8)
    assert train(run) == 0
    step, last = dissect(run), run.log()[-1]
    assert (step.step, last["step"]) == (8, 8)
    assert step.learning_rate == last["learning_rate"] > 0
    assert step.loss == last["loss"]  # the very step that the run took
    assert all(block.change > 0 for block in step.blocks)
    rewrite_plan(run, steps=30)
    assert dissect(run).step == 9  # it goes on


def test_a_run_that_saved_nothing_says_so(own: RunFolder) -> None:
    shutil.rmtree(own.path / "last")
    app = AppTest.from_function(page, default_timeout=60).run()
    assert "not yet saved a checkpoint" in app.info[0].value
