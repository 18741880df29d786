"""What the page says and draws is true of every kind of run, whatever became of it.

With label smoothing and without, one piece a word or several; finished, stopped, killed before and
after the first save, loaded from a zip, and trained on with another plan.
"""

import io
import json
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.data.moments import Film, schedule
from app.data.runs import RunSummary, can_repeat, run
from app.format import share
from app.views.models.data import load_zip
from app.views.training.samples import n_wrong
from model.interpret.calculation.target import floors
from model.runs.archive import pack
from model.runs.folder import RunFolder
from model.runs.plan import Plan, plan_of
from model.tasks import TASKS
from tests.app.pages import charts, opened, said, unfold
from tests.app.views.training.conftest import (
    copied,
    failures,
    rewrite_plan,
    run_film,
    smoothed,
    unfolded,
)
from tests.model.runs.run_samples import Killed, kill, tiny_plan, train

STEPS: Final = 24
SMOOTHING: Final = 0.1
PIECES: Final = {"reverse": 285, "numbers-es": 270}  # a letter is one; of a number's words, several


def _killed_at(folder: RunFolder, step: int) -> None:
    with pytest.raises(Killed):
        train(folder, at={step: kill})


def _loaded(folder: RunFolder) -> None:
    train(folder, at={13: lambda: folder.wish(stop=True)})
    data = io.BytesIO(pack(folder.path / "best", folder))
    shutil.rmtree(folder.path)
    assert load_zip(data, folder.name) == f"runs/{folder.name}"


def _trained_on(folder: RunFolder) -> None:
    """As `train_on` does it: with a schedule that is stretched to the new end."""
    assert train(folder) == 0
    rewrite_plan(folder, steps=2 * STEPS)
    assert train(folder, resume=True) == 0


# What becomes of the run; how the bar then begins, and what else is said.
Fate = tuple[Callable[[RunFolder], object], str, str]
FATES: Final[Mapping[str, Fate]] = {
    "finished": (train, "Completed · step 24 of 24 · ", ""),
    "stopped": (
        lambda folder: train(folder, at={13: lambda: folder.wish(stop=True)}),
        "Stopped · step 13 of 24 · ",
        "“Resume” continues from step 13, where the run was last saved.",
    ),
    "unsaved": (
        lambda folder: _killed_at(folder, 5),
        "Interrupted · step ",
        "Nothing has been saved yet: “Resume” starts again at step 0.",
    ),
    "killed": (
        lambda folder: _killed_at(folder, 13),
        "Interrupted · step ",
        "“Resume” continues from step 8, where the run was last saved.",
    ),
    "loaded": (_loaded, "Loaded from a file · step 13 of 24", ""),
    "trained on": (_trained_on, "Completed · step 48 of 48 · ", ""),
}
CASES: Final = (
    ("numbers-es", 0.0, "finished"),
    ("reverse", SMOOTHING, "stopped"),
    ("reverse", 0.0, "unsaved"),
    ("numbers-es", SMOOTHING, "killed"),
    ("numbers-es", 0.0, "loaded"),
    ("reverse", 0.0, "trained on"),
)


def _plan(task: str, smoothing: float) -> Plan:
    tiny = tiny_plan("tiny", label_smoothing=smoothing, schedule="linear")
    model = replace(tiny.model, vocab_size=PIECES[task])
    return replace(plan_of(TASKS[task], "it", model, tiny.train, pairs=80), created=1e9)


@pytest.fixture
def shown(task: str, smoothing: float, fate: str, recorded: RunFolder) -> tuple[RunFolder, AppTest]:
    """A run after its fate, and the page that shows it, with all that opens on a click."""
    folder = RunFolder.named("it")
    folder.create(_plan(task, smoothing), {})
    FATES[fate][0](folder)
    app = opened("training", training="it")
    for name in ("held-out", "many", "how"):
        unfold(app, name)
    assert not app.exception
    assert not failures(app)
    return folder, app


@pytest.mark.parametrize(("task", "smoothing", "fate"), CASES)
def test_every_sentence_and_curve_is_true(
    shown: tuple[RunFolder, AppTest], task: str, smoothing: float, fate: str
) -> None:
    folder, app = shown
    one, made = run("it"), run_film("it")
    assert one is not None
    _check_state(app, one, fate)
    _check_loss(app, folder, made, smoothing)
    _check_right(app, folder, made)
    _check_schedule(app, one, fate)
    _check_target(app, made, smoothing)
    _check_tables(app, one)


def _check_state(app: AppTest, one: RunSummary, fate: str) -> None:
    _become, state, resuming = FATES[fate]
    (bar,) = app.get("progress")
    assert bar.proto.text.startswith(state)
    sentences = said(app) + " ".join(warning.value for warning in app.warning)
    assert resuming in sentences
    assert ("Resume” " in sentences) == bool(resuming)
    buttons = {button.key for button in app.button}
    assert ("run-play_arrow" in buttons) == bool(resuming)
    assert ("run-replay" in buttons) == can_repeat(one.plan)


def _check_loss(app: AppTest, folder: RunFolder, made: Film, smoothing: float) -> None:
    """Both losses are cross-entropies; with smoothing, a line is as low as they can fall.

    A run was drawn with a training loss of 0.893 above a validation loss of 0.105, as if it were
    far better on what it had never seen: the one was against smoothed targets, the other was not.
    """
    rows = folder.log()
    training, validation, *floor = charts(app)["loss"]["data"]
    assert training["x"] == [row["step"] for row in rows]
    np.testing.assert_allclose(training["y"], [row["cross_entropy"] for row in rows], rtol=1e-4)
    if not smoothing:
        assert [row["loss"] for row in rows] == [row["cross_entropy"] for row in rows]
    judged = [row for row in rows if row.get("validation")]
    assert validation["x"] == [row["step"] for row in judged]
    assert validation["y"] == pytest.approx([r["validation"]["loss"] for r in judged], rel=1e-4)
    assert len(floor) == (smoothing > 0)
    assert ("Both losses are without label smoothing" in said(app)) == (smoothing > 0)
    for line in floor:
        _smoothed, lowest = floors(made.capture.config.n_tgt_vocab, smoothing)
        assert line["y"] == pytest.approx([lowest, lowest], rel=1e-3)


def _check_right(app: AppTest, folder: RunFolder, made: Film) -> None:
    """The share of exact sentences is that of the samples; the best head's, that of the film."""
    drawn = {curve["name"]: curve for curve in charts(app)["right"]["data"]}
    rows = folder.samples()
    exact, heads = drawn["sentences exactly right"], drawn["this head"]
    assert (exact["x"], heads["x"]) == ([row["step"] for row in rows], made.steps)
    np.testing.assert_allclose(exact["y"], [row["exact"] for row in rows])
    assert made.shares is not None
    layer, head = made.best
    shares = made.shares[:, layer, head]
    np.testing.assert_allclose(heads["y"], shares, rtol=1e-3)
    assert f"Layer {layer + 1}, head {head + 1} of encoder-decoder attention" in said(app)
    assert f"**{share(float(shares[-1]))}** of its attention goes" in said(app)
    assert f"is the share of {rows[-1]['judged']} held-out sentences" in said(app)
    body = next(one.proto.body for one in app.get("html") if "samples" in one.proto.body)
    assert f"at step {rows[-1]['step']}" in body


def _check_schedule(app: AppTest, one: RunSummary, fate: str) -> None:
    """What was planned is what the log says, unless the plan was changed: then that is said."""
    planned, so_far = charts(app)["rate"]["data"]
    asked = schedule(one.plan, planned["x"])
    np.testing.assert_allclose(planned["y"], asked, rtol=1e-4)
    followed = np.allclose(so_far["y"], schedule(one.plan, so_far["x"]), rtol=1e-3)
    assert followed == (fate != "trained on")
    assert ("number for number" in said(app)) == followed
    assert ("The plan was changed along the way" in said(app)) == (not followed)


def _check_target(app: AppTest, made: Film, smoothing: float) -> None:
    """“The target is one-hot” stood beside runs that were trained on smoothed ones."""
    V = made.capture.config.n_tgt_vocab
    target, *others = charts(app)["expected"]["data"][0]["x"]
    assert target == pytest.approx(1 - smoothing + smoothing / V)
    assert others == pytest.approx([smoothing / V] * len(others))
    assert ("one-hot" in said(app)) == (not smoothing)
    assert ("With label smoothing the target is" in said(app)) == (smoothing > 0)


def _check_tables(app: AppTest, one: RunSummary) -> None:
    """The table of runs and that of held-out sentences hold what the files hold."""
    tables = {next(iter(table.value.columns)): table.value for table in app.dataframe}
    row = tables["run"].set_index("run").loc["it"]
    log, samples = one.folder.log(), one.folder.samples()[-1]
    (bar,) = app.get("progress")
    assert bar.proto.text.lower().startswith(row["state"].lower())
    losses = [r["validation"]["loss"] for r in log if r.get("validation")]
    if losses:
        assert float(row["validation loss"]) == pytest.approx(losses[-1], rel=1e-3)
    assert float(row["exactly right"]) == pytest.approx(samples["exact"])
    held_out = tables["sentence"]
    assert sorted(held_out["sentence"]) == sorted(sample["src"] for sample in samples["samples"])
    wrong = sum(n_wrong(sample) > 0 for sample in samples["samples"])
    found = re.search(r"(\d+) held-out sentences, as .* at step (\d+); (\d+) of them", said(app))
    assert found is not None
    assert [int(number) for number in found.groups()] == [
        len(samples["samples"]), samples["step"], wrong,
    ]  # fmt: skip
    (laid_over,) = charts(app)["many-loss"]["data"]
    assert (laid_over["name"], laid_over["x"]) == ("it", [r["step"] for r in log])


def test_a_smoothed_loss_is_laid_over_others_by_its_name(own: RunFolder) -> None:
    """An older run's smoothed training loss stood on one axis with cross-entropies of others."""
    losses = smoothed(copied(own, "older"))
    app = unfolded("many", training="reverse", **{"curves-of": "reverse,older"})
    drawn: dict[str, Any] = {c["name"]: c["y"] for c in charts(app)["many-loss"]["data"]}
    assert drawn.keys() == {"reverse", "older, smoothed"}
    assert drawn["older, smoothed"] == pytest.approx(losses, rel=1e-4)


def test_another_learning_rate_is_said_with_the_plan(own: RunFolder) -> None:
    rewrite_plan(own, rates=((9, 0.001),))
    app = unfolded("how", training="reverse")
    assert "From step 9 on, the highest learning rate is 0.001." in said(app)
    assert "The plan was changed along the way" in said(app)  # the log is of the former one


def test_a_run_that_was_looked_at_too_seldom_is_not_called_healthy(own: RunFolder) -> None:
    """Of a run of 8000 steps each 20th is logged: at step 100 nothing had been looked at yet."""
    rows = [row | {"step": 20 * row["step"]} for row in own.log()[:5]]
    (own.path / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    app = opened("training", training="reverse")
    assert "The doctor needs a few more steps" in said(app)
    assert not any("finds nothing wrong" in one.value for one in app.success)
