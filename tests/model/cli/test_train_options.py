"""What `train` takes beside hyper-parameters: a file of settings, a device, patience, old plans."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from model import checkpoint
from model.config import ModelConfig, TrainConfig
from model.runs.folder import RunFolder
from model.settings import settings_of
from model.tasks import TASKS
from model.training.presets import PRESETS
from tests.model.cli.commands import (
    COPY,
    OLD_PLAN,
    Capsys,
    in_this_process,
    output,
    plain,
    said,
)
from tests.model.samples import same_weights


def test_a_file_of_settings_gives_the_run_that_its_options_give(
    trained: Path, tmp_path: Path
) -> None:
    """Options win over the file, and names may be written as the options are."""
    options = {
        "task": "copy", "preset": "tiny", "pairs": 60, "steps": 9, "bf16": False,
        "validate-every": 2, "validate_pairs": 4, "batch_tokens": 200, "threads": 1, "d_model": 16,
        "d_ff": 32, "learning_rate": None,
    }  # fmt: skip
    file = tmp_path / "run.yaml"
    file.write_text(yaml.safe_dump(options), encoding="utf-8")
    run = RunFolder(tmp_path / "run")
    command = ["train", "--config", str(file), "--out", str(run.path), "--steps", "4"]
    assert in_this_process(*command) == 0
    typed = RunFolder(trained).plan()
    assert replace(run.plan(), created=typed.created) == typed


def test_a_run_writes_its_settings_and_they_train_it_again(trained: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("".join(f"{a} {b}\t{b} {a}\n" for a in "abcd" for b in "abcd"))
    options = ["train", *COPY[COPY.index("--preset") :], "--data", str(pairs)]
    at = options.index("--pairs")
    options = [*options[:at], *options[at + 2 :], "--valid", str(pairs), "--snapshot", "2"]
    more = ("--learning-rate", "1e-5", "--positions", "none", "--no-causal")
    first, again = tmp_path / "first", tmp_path / "again"
    assert in_this_process(*options, *more, "--out", str(first)) == 0
    file = str(first / "config.yaml")
    assert in_this_process("train", "--config", file, "--out", str(again), "--threads", "1") == 0
    plans = [RunFolder(run).plan() for run in (first, again)]
    assert replace(plans[1], name="first", created=plans[0].created) == plans[0]
    assert same_weights(*(checkpoint.load(run / "last").model for run in (first, again)))

    written = yaml.safe_load((trained / "config.yaml").read_text(encoding="utf-8"))
    declared = settings_of(ModelConfig) | settings_of(TrainConfig)
    names = {name for name, one in declared.items() if one.setting.help}
    assert written.keys() == names - {"d_hidden", "cell"} | {"task", "pairs"}


SENSELESS = {
    "d_modl: 16": "--config: {file} sets d_modl, which is no option.",
    "plan: x": "--config: {file} sets plan, which is no option.",
    "- 3": "--config: {file} holds no settings: write one a line, as in `steps: 1000`.",
    "": "--config: {file} holds no settings",
    "a: [1": "--config: {file} is not YAML: ",
    "d_model: 9": "--d-model: 9 cannot be shared out among 4 heads",
    "data: x.tsv": "'--data': file 'x.tsv' does not exist",
    "steps: many": "Invalid value for '--steps'",
    "steps: [1, 2]": "Invalid value for '--steps'",
    "task: juggle": "--task: juggle does not work",
}


def test_a_file_that_makes_no_sense_is_refused(tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "run.yaml"
    for text, message in SENSELESS.items():
        file.write_text(text, encoding="utf-8")
        task = ["--task", "copy", "--preset", "tiny"]
        if text.startswith(("task", "data")):
            task = []
        command = ["train", "--config", str(file), *task, "--out", str(tmp_path / "run")]
        assert message.format(file=file) in said(capsys, *command), text
        assert not (tmp_path / "run").exists()
    file.write_text("steps: 3\n")
    both = said(capsys, "train", "--plan", str(OLD_PLAN), "--config", str(file), "--out", "x")
    assert both.startswith("Error: --config: It contradicts --plan: a plan has all")


def test_a_plan_of_an_earlier_version_still_runs(tmp_path: Path) -> None:
    """A plan.json that was written before this file was: it has no patience."""
    assert "patience" not in json.loads(OLD_PLAN.read_text())["train"]
    assert in_this_process("train", "--plan", str(OLD_PLAN), "--out", str(tmp_path / "run")) == 0
    run = RunFolder(tmp_path / "run")
    assert (run.status().state, run.status().step) == ("finished", 4)
    assert run.plan().train.patience == 0


def test_a_run_stops_early_and_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """With a rate that moves nothing, the first validation is the best one."""
    caplog.set_level("INFO")
    run = tmp_path / "run"
    still = ("--learning-rate", "1e-12", "--steps", "40", "--patience", "2")
    assert in_this_process(*COPY, *still, "--out", str(run)) == 0
    sentence = "Stopped early at step 6: 2 validations in a row brought no better one."
    assert sentence in caplog.messages
    status = RunFolder(run).status()
    assert (status.state, status.step, status.steps) == ("finished", 6, 40)
    assert checkpoint.load(run).metrics["step"] == 2
    assert 6 in RunFolder(run).frames(), "the film ends where the run does"

    caplog.clear()
    log = (run / "log.jsonl").read_bytes()
    resume = ("train", "--out", str(run), "--resume", "--threads", "1")
    assert in_this_process(*resume) == 0
    assert caplog.messages == [
        "Nothing is left to train: the run ended at step 6. More --steps, or another --patience, "
        "let it go on.",
        sentence,
    ], "a second --resume trained nothing, and said nothing"
    assert (run / "log.jsonl").read_bytes() == log
    assert in_this_process(*resume, "--patience", "3") == 0
    assert RunFolder(run).status().step == 8
    assert in_this_process(*resume, "--patience", "0", "--steps", "10") == 0
    assert RunFolder(run).status().step == 10


@pytest.mark.parametrize(
    ("pairs", "tokens", "passes"), [("400", "200", "0.15"), ("10", "5000", "164")]
)
def test_steps_that_do_not_fit_the_pairs_are_warned_of(
    pairs: str, tokens: str, passes: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    options = [*COPY, "--pairs", pairs, "--batch-tokens", tokens, "--out", str(tmp_path / "run")]
    assert in_this_process(*options) == 0
    (said,) = [line for line in caplog.messages if "passes over" in line]
    assert said.startswith(f"The run makes {passes} passes over its {pairs} pairs: one takes about")


def test_the_help_tells_defaults_presets_and_tasks() -> None:
    told = plain(output("train", "--help", COLUMNS="250"))
    widths = ", ".join(f"{name} {model.d_model}" for name, (model, _) in PRESETS.items())
    assert f"(default: {widths})" in told
    for name in (*TASKS, *PRESETS):
        assert name in told
    assert set(PRESETS) <= set(plain(output("presets", COLUMNS="250")).split())
    shown = plain(output("tasks", COLUMNS="250"))
    for name, task in TASKS.items():
        assert f"{name} {task.probe.src} → {task.probe.tgt} {task.preset}" in shown
