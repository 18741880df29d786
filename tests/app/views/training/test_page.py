"""The training page: a recorded run at first paint, and the numbers of the run that is chosen."""

import json
import math
import re
import shutil
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.views.training import film
from app.views.training.film import scene_of
from model.errors import UserError
from model.runs.folder import RunFolder
from model.runs.plan import Status
from tests.app.pages import charts, opened, said
from tests.app.views.training.conftest import (
    copied,
    failures,
    healthy,
    living,
    rewrite_plan,
    run_film,
    smoothed,
)

NAME = "recorded/reverse"


# tests/app/views/training/test_true.py looks at all numbers.
def test_the_recorded_run_is_there_at_first_paint(shown: RunFolder) -> None:
    app = healthy()
    assert charts(app)["loss"]["data"][0]["x"] == [row["step"] for row in shown.log()]
    buttons = [button.key for button in app.button if str(button.key).startswith("run-")]
    assert buttons == ["run-replay", "run-casino"]


def test_a_recorded_run_is_trained_here_as_a_new_one(
    recorded: RunFolder, spawned: list[str]
) -> None:
    app = opened("training")
    assert "its weights do not" in said(app)
    app.button(key="run-replay").click().run()
    assert not app.exception
    assert spawned == ["reverse"]
    plan = RunFolder.named("reverse").plan()
    assert replace(plan, created=recorded.plan().created) == recorded.plan()
    assert app.query_params["training"] == "reverse"


def test_a_living_run_is_stopped_and_begun_again_when_asked_twice(
    own: RunFolder, spawned: list[str]
) -> None:
    with living(own):
        app = opened("training", training="reverse")
        app.button(key="run-casino").click().run()
        assert any("start again at step 0" in one.value for one in app.markdown)
        app.button(key="run-close").click().run()
        assert (spawned, own.wishes().stop) == ([], False)
        app.button(key="run-casino").click().run()
        app.button(key="run-check").click().run()
        assert not app.exception
        assert not failures(app)
    assert own.wishes().stop
    assert spawned == ["reverse 2"]
    assert RunFolder.named("reverse 2").plan().train.seed != own.plan().train.seed
    assert app.query_params["training"] == "reverse 2"


def test_what_is_shown_is_of_the_moment(shown: RunFolder) -> None:
    row = shown.samples()[4]
    app = opened("training", frame=str(row["step"]))
    assert charts(app)["loss"]["layout"]["shapes"][0]["x0"] == row["step"]
    table = next(one.proto.body for one in app.get("html") if "samples" in one.proto.body)
    for sample in row["samples"]:
        assert sample["src"] in table
        assert all(f">{word}</span>" in table for word in sample["output"].split())


def curves(app: AppTest) -> dict[str, list[float]]:
    return {curve["name"]: curve["y"] for curve in charts(app)["loss"]["data"]}


def test_an_older_log_has_its_smoothed_loss_under_that_name(recorded: RunFolder) -> None:
    losses = smoothed(recorded)
    app = opened("training")
    drawn = curves(app)
    assert drawn["training, smoothed"] == pytest.approx(losses, rel=1e-4)
    assert "training" not in drawn
    V = run_film().capture.config.n_tgt_vocab
    other, right = 0.1 / V, 0.9 + 0.1 / V
    entropy = -right * np.log(right) - (V - 1) * other * np.log(other)
    assert drawn["minimum with smoothing"] == pytest.approx([entropy, entropy], rel=1e-3)
    assert "the validation loss has no smoothing" in said(app)
    rewrite_plan(recorded, label_smoothing=0.0)  # then the loss is the cross-entropy
    assert curves(opened("training")).keys() == {"training", "validation"}


@pytest.mark.parametrize("chosen", [{"head": "1"}, {"kind": "encoder", "head": "1"}])
def test_the_head_of_the_film_is_the_one_that_is_told_of(
    shown: RunFolder, chosen: dict[str, str]
) -> None:
    """The film showed one head, and the text below the curves spoke of another one."""
    made = run_film()
    assert made.shares is not None
    at, (layer, head) = len(made.steps) // 2, made.best
    if chosen == {"head": "1"}:
        head = 0
    app = opened("training", frame=str(made.steps[at]), layer=str(layer + 1), **chosen)
    assert f"Layer {layer + 1}, head {head + 1} of encoder-decoder attention" in said(app)
    shares = made.shares[:, layer, head]
    assert f"**{shares[at]:.2f}** of its attention goes" in said(app)
    exact, heads = charts(app)["right"]["data"]
    np.testing.assert_allclose(heads["y"], shares, rtol=1e-3)
    np.testing.assert_allclose(exact["y"], [row["exact"] for row in shown.samples()])


def test_no_run_of_another_task_stands_beside_the_form(own: RunFolder) -> None:
    """A phrase book's run was shown below a form that said "Reverse letters"."""
    app = opened("training", task="sort")
    assert not app.exception
    assert not charts(app)
    assert any("Nothing has been trained on this task yet" in info.value for info in app.info)
    app.selectbox(key="any-run").set_value("reverse").run()
    assert app.selectbox(key="task-en").value == "reverse"
    assert charts(app)
    app.selectbox(key="task-en").set_value("copy").run()
    assert not charts(app)
    assert "run" not in app.query_params
    app.selectbox(key="task-en").set_value("reverse").run()
    assert app.selectbox(key="training-en").value == "reverse"


def test_the_bars_are_the_frames_probabilities(shown: RunFolder) -> None:
    made = run_film()
    frame = made.frames[-1]
    app = opened("training", word="1")
    target, said = charts(app)["expected"]["data"]
    assert target["x"][0] == max(target["x"])
    assert said["x"][0] == pytest.approx(float(frame.target_p[1]))
    others = [p for i, p in zip(frame.top_ids[1], frame.top_p[1], strict=True)
              if i != frame.target_ids[1]]  # fmt: skip
    assert said["x"][1:] == pytest.approx([float(p) for p in others[:5]])


def test_an_address_full_of_nonsense(shown: RunFolder) -> None:
    healthy(
        training="../../etc", frame="-5", layer="99", head="max", kind="?", other="x",
        task="none", word="999", **{"t-d_model": "7.5", "t-norm": "both", "other-frame": "x"},
    )  # fmt: skip


def test_no_run_at_all_is_one_sentence(models: object, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("model.files.RUNS", tmp_path / "none")
    app = opened("training")
    assert not app.exception
    assert ["Nothing has been trained" in said.value for said in app.info] == [True]


def test_an_interrupted_run_says_so_and_offers_to_resume(own: RunFolder) -> None:
    own.write_status(replace(own.status(), state="running", step=16))
    app = opened("training", training="reverse")
    assert "interrupted from outside, at step 16" in app.warning[0].value
    assert "continues from step 24, where the run was last saved" in app.warning[0].value
    assert "run-play_arrow" in {button.key for button in app.button}


def test_a_run_that_saved_nothing_says_that_it_begins_again(own: RunFolder) -> None:
    """Failed before its first save, the page promised that nothing was lost, and Resume went back
    to step 0 without a word.
    """
    shutil.rmtree(own.path / "last")
    own.write_status(replace(own.status(), state="failed", step=16))
    app = opened("training", training="reverse")
    said = [one.value for one in (*app.warning, *app.caption) if "Resume" in one.value]
    assert len(said) == 1
    assert said[0].endswith("Nothing has been saved yet: “Resume” starts again at step 0.")
    assert app.button(key="run-play_arrow").help in said[0]


def test_a_failed_run_says_its_sentence(own: RunFolder) -> None:
    status = json.loads((own.path / "status.json").read_text())
    failed = status | {"state": "failed", "error": "The *disk* is full."}
    (own.path / "status.json").write_text(json.dumps(failed))
    assert failures(opened("training", training="reverse")) == [r"The \*disk\* is full\."]


def test_the_odd_files_of_one_run_cost_that_run_alone_and_are_named(own: RunFolder) -> None:
    """A text for a time in one plan.json, status.json or samples.jsonl was the app's error on the
    Train page of everybody, whichever run they had chosen.
    """
    for name in ("plan", "status", "rows"):
        shutil.copytree(own.path, own.path.with_name(f"odd {name}"))
    for name, field in (("plan", "created"), ("status", "seconds")):
        path = own.path.with_name(f"odd {name}") / f"{name}.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {field: "text"}))
    for file, field in (("samples.jsonl", "exact"), ("log.jsonl", "learning_rate")):
        with (own.path.with_name("odd rows") / file).open("a") as rows:
            rows.write(json.dumps({"step": 25, field: math.nan, "samples": "text"}) + "\n")
    for run, named in (("reverse", "odd plan"), ("odd status", "seconds"), ("odd rows", ".jsonl")):
        app = opened("training", training=run)
        assert not app.exception
        assert not any("the server's log" in error for error in failures(app))
        boxes = [*failures(app), *(warning.value for warning in app.warning)]
        assert any(named in box.replace("\\", "") for box in boxes), boxes
        assert len(charts(app)) > 3
        assert not any("reverse" in box for box in boxes)


def test_a_run_beyond_the_form_can_be_looked_at(own: RunFolder) -> None:
    """A rate or a number of steps that the command line takes was too much for the page."""
    rewrite_plan(own, learning_rate=50.0, steps=10**7)
    own.write_status(replace(own.status(), step=10**7, steps=10**7))
    with living(own):
        healthy(training="reverse")
    own.write_status(replace(own.status(), state="stopped"))
    healthy(training="reverse")


def test_a_run_that_waits_for_space_says_so(own: RunFolder) -> None:
    """A full disk ended the run, which was then called interrupted, without a reason."""
    with living(own):
        waits = UserError("waits_for_space", why=UserError("disk_full"))
        own.write_status(replace(own.status(), state="paused", error=waits))
        app = opened("training", training="reverse", lang="fr")
        said = "L’entraînement attend\xa0: il ne reste plus de place sur le disque"
        assert failures(app)[0].replace("\\", "").startswith(said)
        assert {"run-play_arrow", "run-stop"} <= {button.key for button in app.button}


def test_the_doctor_speaks_of_the_moment_that_is_shown(
    shown: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Samples and bars followed the step; the doctor spoke of the end, whatever was shown."""
    asked: list[tuple[int, int, int]] = []

    def diagnose(plan: Any, rows: Any, samples: Any, frame: Any) -> tuple[()]:
        asked.append((rows[-1]["step"], samples[-1]["step"], frame.step))
        return ()

    monkeypatch.setattr("app.views.training.data.diagnose", diagnose)
    step = shown.frames()[3]
    assert not opened("training", frame=str(step)).exception
    logged = max(row["step"] for row in shown.log() if row["step"] <= step)
    opened("training")
    assert asked == [(logged, step, step), (24, 24, 24)]


def progress(run: RunFolder) -> str:
    (bar,) = opened("training", training=run.name).get("progress")
    return str(bar.proto.text)


def test_the_bar_says_what_a_run_is_at(own: RunFolder) -> None:
    """A process loads for ten seconds and more on a busy machine, and the bar said “Waiting”."""
    status, plan = own.status(), own.plan()
    own.write_status(replace(status, steps=100))
    assert progress(own).startswith("Completed early, as nothing got better · step 24 of 100")
    with living(own):
        own.write_status(replace(status, state="running", step=0, seconds=0.0))
        said = r"Training · reading the pairs and building the model · .+ since its start"
        assert re.match(said, progress(own))
    own.write_plan(replace(plan, created=time.time() - 4))
    own.write_status(Status("queued", steps=24))
    said = r"Waiting · starting a process of its own · \d+ s since its start"
    assert re.match(said, progress(own))


def test_only_runs_of_the_same_sentence_are_compared_each_by_its_own_name(
    own: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run and the recorded one it came from had one name, and others could not be compared."""
    copied(own, "sorted", probe=("c b a", "a b c"))
    offered: dict[str, str] = {}
    monkeypatch.setattr(film, "pick_from_list", lambda *args, **_: offered.update(args[2]))
    monkeypatch.setattr(film, "draw_board", lambda *_: None)
    made = run_film("reverse")
    film.draw_comparison(scene_of(made))
    assert offered.keys() == {"reverse", NAME}
    assert offered[NAME] == "reverse · recorded"
    assert offered["reverse"] == "another moment of this run"
