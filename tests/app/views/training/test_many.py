"""Many runs: a sweep by one press, their table, their curves over each other, settings copied."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.data.runs import job_of, run, start_job
from app.views.training.curves import labels
from app.views.training.data import defaults, make_plan
from model.errors import UserError
from model.runs import folder as run_folders
from model.runs.folder import RunFolder, run_names
from tests.app.pages import charts, opened
from tests.app.views.training.conftest import copied, rewrite_plan, unfolded


def test_three_learning_rates_are_started_by_one_press(spawned: list[str]) -> None:
    app = unfolded("sweep", task="reverse", **{"t-steps": "40"})
    assert app.button(key="train-sweep").label == "Train 3 runs"
    app.button(key="train-sweep").click().run()
    assert not app.exception
    assert spawned == ["reverse", "reverse 2", "reverse 3"]
    plans = [RunFolder.named(name).plan() for name in spawned]
    assert [plan.train.learning_rate for plan in plans] == [0.01, 0.02, 0.04]
    assert len({replace(one.train, learning_rate=1.0) for one in plans}) == 1
    assert len({plan.job for plan in plans} - {""}) == 1
    assert app.query_params["training"] == "reverse"
    assert [one.name for one in job_of(run("reverse 2"))] == spawned  # type: ignore[arg-type]


def test_two_settings_are_crossed_and_a_value_out_of_range_stops_all(spawned: list[str]) -> None:
    app = unfolded("sweep", task="reverse", **{"sweep-2": "schedule"})
    assert app.button(key="train-sweep").label == "Train 9 runs"
    low = next(one for one in app.number_input if str(one.key).startswith("sweep-learning_rate"))
    low.set_value(2.0).run()
    assert app.button(key="train-sweep").disabled
    assert any("does not work" in one.value for one in app.error)
    low.set_value(0.02).run()  # twice the same value is one run
    assert app.button(key="train-sweep").label == "Train 6 runs"
    assert spawned == []


def test_a_job_of_which_one_is_refused_begins_none(
    spawned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = defaults("reverse", "tiny")
    plan = make_plan("reverse", "reverse", settings)
    made = iter([True, False])
    create = run_folders.create_run

    def second_fails(*args: Any, **more: Any) -> RunFolder:
        if not next(made):
            raise UserError("run_not_written", why="it is full")
        return create(*args, **more)

    monkeypatch.setattr("app.data.runs.create_run", second_fails)
    with pytest.raises(UserError):
        start_job([plan, plan])
    assert (run_names(), spawned) == ([], [])


@pytest.fixture
def pair_of_runs(own: RunFolder) -> list[RunFolder]:
    """Two runs of one job, which differ in one setting and in what they logged."""
    own.write_plan(replace(own.plan(), job="1"))
    other = copied(own, "reverse 2", created=own.plan().created + 1)
    rewrite_plan(other, learning_rate=0.01)
    return [own, other]


def test_the_curves_of_a_job_are_the_logs_over_each_other(pair_of_runs: list[RunFolder]) -> None:
    app = opened("training", training="reverse")
    drawn = charts(app)["job-loss"]["data"]
    assert [curve["name"] for curve in drawn] == ["0.005", "0.01"]
    for curve, folder in zip(drawn, pair_of_runs, strict=True):
        losses = [row["cross_entropy"] for row in folder.log()]
        np.testing.assert_allclose(curve["y"], losses, rtol=1e-4)
    assert len({curve["line"]["color"] for curve in drawn}) == 2
    assert any("Learning rate" in one.value for one in app.caption)
    shown = next(one.value for one in app.dataframe if "Learning rate" in one.value)
    assert list(shown["Learning rate"]) == ["0.005", "0.01"]
    loss = pair_of_runs[0].log()[-1]["validation"]["loss"]
    assert float(shown["validation loss"].iloc[0]) == pytest.approx(loss, rel=1e-3)


def test_any_runs_are_laid_over_each_other(pair_of_runs: list[RunFolder]) -> None:
    app = unfolded("many", training="reverse", **{"curves-of": "reverse 2,recorded/reverse"})
    drawn = charts(app)["many-loss"]["data"]
    assert [curve["name"] for curve in drawn] == ["0.01", "0.005"]
    losses = [row["cross_entropy"] for row in pair_of_runs[1].log()]
    np.testing.assert_allclose(drawn[0]["y"], losses, rtol=1e-4)
    alike = [run("reverse"), run("recorded/reverse")]
    assert labels(alike) == ("", ["reverse", "reverse · recorded"])  # type: ignore[arg-type]
    rewrite_plan(pair_of_runs[1], warmup=7, seed=8)
    unlike = [run("reverse"), run("reverse 2")]  # "0.01, 7, 8" would say nothing
    assert labels(unlike) == ("", ["reverse", "reverse 2"])  # type: ignore[arg-type]


def test_the_settings_of_the_shown_run_fill_the_form_and_the_address(own: RunFolder) -> None:
    plan = own.plan()
    app = opened("training", training="reverse", task="sort", **{"t-d_ff": "512"})
    app.button(key="copy").click().run()
    assert not app.exception
    assert app.selectbox(key="task-en").value == "reverse"
    for name, value in {"d_model": plan.model.d_model, "steps": plan.train.steps}.items():
        assert app.number_input(key=f"t-{name}-en").value == value
        assert app.query_params[f"t-{name}"] == str(value)
    assert app.number_input(key="t-d_ff-en").value == plan.model.d_ff
    linked = opened("training", **dict(app.query_params))
    assert linked.number_input(key="t-d_model-en").value == plan.model.d_model
