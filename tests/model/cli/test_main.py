"""The command line, as a person uses it: train, translate, evaluate, capture, info."""

from __future__ import annotations

import inspect
import io
import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from model import checkpoint
from model.cli.main import app, main
from model.cli.train import train as train_command
from model.config import ModelConfig, TrainConfig
from model.interpret.capture import Capture
from model.runs.folder import RunFolder
from model.settings import settings_of
from model.tasks import TASKS
from model.training.presets import PRESETS

NUMBERS = ["uno one", "dos two", "tres three", "cuatro four", "cinco five", "seis six"]
TINY = [
    *("--preset", "tiny", "--vocab-size", "300", "--d-model", "16", "--n-heads", "2"),
    *("--d-ff", "32", "--n-encoder-layers", "1", "--n-decoder-layers", "1", "--fp32"),
    *("--batch-tokens", "64", "--validate-every", "10", "--warmup", "5", "--threads", "1"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small corpus and a run of 20 steps on it."""
    folder = tmp_path_factory.mktemp("cli")
    lines = [
        f"{a}, {b}\t{c}, {d}"
        for a, c in map(str.split, NUMBERS)
        for b, d in map(str.split, NUMBERS)
    ]
    (folder / "pairs.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    result = train(folder, "run", "--steps", "20", "--snapshot", "0", "--snapshot", "10")
    assert result.exit_code == 0, result.output
    return folder


def train(folder: Path, out: str, *options: str) -> Result:
    pairs = str(folder / "pairs.tsv")
    arguments = ["--data", pairs, "--valid", pairs, "--out", str(folder / out)]
    return CliRunner().invoke(app, ["train", *arguments, *TINY, *options])


def test_train_leaves_best_last_snapshots_and_logs(folder: Path) -> None:
    run = folder / "run"
    assert checkpoint.load(run).metrics["step"] in (10, 20)
    assert checkpoint.load(run / "last").metrics["step"] == 20
    assert checkpoint.load(run / "snapshots" / "step-0").metrics["step"] == 0
    rows = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    assert [row["step"] for row in rows] == list(range(1, 21))
    assert rows[-1]["validation"]["bleu"] >= 0
    assert list((run / "tensorboard").iterdir())


def test_train_refuses_to_overwrite_a_run_and_resumes_it(folder: Path) -> None:
    again = train(folder, "run", "--steps", "30")
    assert "--resume" in str(again.exception)
    assert train(folder, "run", "--steps", "30", "--resume").exit_code == 0
    assert checkpoint.load(folder / "run" / "last").metrics["step"] == 30


def test_translate_gives_a_line_for_a_line(folder: Path) -> None:
    arguments = ["translate", "--model", str(folder / "run"), "--beam", "2"]
    result = CliRunner().invoke(app, arguments, input="uno, dos\n\n  \ntres, uno\n")
    assert result.exit_code == 0, result.output
    lines = result.stdout.split("\n")
    assert len(lines) == 5
    assert lines[1] == lines[2] == lines[4] == ""


def test_evaluate_prints_and_records_scores(folder: Path) -> None:
    arguments = ["evaluate", "--model", str(folder / "run"), "--data", str(folder / "pairs.tsv")]
    result = CliRunner().invoke(app, [*arguments, "--json", "--record", "test"])
    assert result.exit_code == 0, result.output
    scores = json.loads(result.stdout)
    assert 0 <= scores["bleu"] <= 100
    assert "version:" in json.dumps(scores)
    assert checkpoint.load(folder / "run").metrics["test"] == scores


def test_evaluate_scores_by_length(folder: Path) -> None:
    arguments = ["evaluate", "--model", str(folder / "run"), "--data", str(folder / "pairs.tsv")]
    result = CliRunner().invoke(app, [*arguments, "--by-length", "--json", "--record", "short"])
    assert result.exit_code == 0, result.output
    scores = json.loads(result.stdout)
    groups = scores.pop("by_length")
    assert [(group["words"], group["n"]) for group in groups] == [([1, 4], scores["n"])]
    assert groups[0]["bleu"] == scores["bleu"]
    metrics = checkpoint.load(folder / "run").metrics
    assert (metrics["short"], metrics["short_by_length"]) == (scores, groups)


def test_capture_writes_every_number(folder: Path) -> None:
    out = folder / "capture.safetensors"
    result = CliRunner().invoke(
        app, ["capture", "--model", str(folder / "run"), "uno, dos", "--out", str(out)]
    )
    assert result.exit_code == 0, result.output
    capture = Capture.load(out)
    assert capture.src[-1].text == "<eos>"
    assert abs(capture.weights("cross", 0, 0).sum(axis=-1) - 1).max() < 1e-5


def test_info_tells_parameters_and_provenance(folder: Path) -> None:
    result = CliRunner().invoke(app, ["info", str(folder / "run")])
    assert result.exit_code == 0, result.output
    assert "parameters" in result.stdout
    assert "d_model" in result.stdout


def test_errors_are_one_sentence_and_a_status(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "model", "translate", "--model", "nowhere"]
    result = subprocess.run(command, capture_output=True, text=True, input="")
    assert result.returncode == 2
    assert result.stderr.startswith("Error: --model: There is no model 'nowhere'. Pretrained")
    assert len(result.stderr.splitlines()) == 1


def test_sigterm_saves_and_exits_143(folder: Path) -> None:
    """A scheduler that stops the machine sends SIGTERM: nothing that was learned is lost."""
    pairs, out = str(folder / "pairs.tsv"), folder / "stopped"
    command = [sys.executable, "-m", "model", "train", "--data", pairs, "--valid", pairs]
    options = ["--out", str(out), *TINY, "--steps", "1000000"]
    process = subprocess.Popen([*command, *options], stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not (out / "last").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 128 + signal.SIGTERM
    assert checkpoint.load(out / "last").metrics["step"] > 0


def test_train_on_a_task_of_the_project(tmp_path: Path) -> None:
    """The task brings its pairs, its preset and its settings; what is given wins."""
    out = str(tmp_path / "run")
    arguments = ["train", "--task", "reverse", "--pairs", "300", "--out", out, *TINY[2:]]
    result = CliRunner().invoke(app, [*arguments, "--steps", "3", "--validate-pairs", "8"])
    assert result.exit_code == 0, result.output
    metrics = checkpoint.load(tmp_path / "run" / "last").metrics
    assert metrics["pairs"] == 300
    assert metrics["train"]["steps"] == 3
    model, train_config = PRESETS[TASKS["reverse"].preset]
    settings = {**model.to_dict(), **train_config.to_dict(), **TASKS["reverse"].settings}
    assert metrics["train"]["schedule"] == settings["schedule"]


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command line says of an error, in one line."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["model", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
    assert end.value.code == 2
    return " ".join(capsys.readouterr().err.replace("│", " ").split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--task", "juggle", "--out", "x"], "Error: --task: juggle does not work: choose one of"),
        (["--task", "copy", "--out", "x", "--preset", "giant"], "Error: --preset: giant does not"),
        (["--out", "x"], "Error: --data: Say what to train on"),
        (["--out", "x", "--data", __file__], "Error: --valid: Say what to train on"),
        (["--task", "copy"], "Error: --out: Say where"),
        (["--out", "x", "--data", "nowhere.tsv"], "'--data': file 'nowhere.tsv' does not exist"),
        (["--out", "x", "--data", ".", "--task", "copy"], "'--data': file '.' is a directory"),
        (["--plan", "nowhere.json"], "'--plan': file 'nowhere.json' does not exist"),
        (["--plan", __file__, "--steps", "3"], "Error: --steps: The --plan has all settings"),
        (["--task", "copy", "--out", "x", "--d-modl", "8"], "No such option: --d-modl"),
        (
            ["--task", "copy", "--out", "x", "--d-model", "9"],
            "Error: --d-model: 9 cannot be shared",
        ),
        (["--task", "copy", "--out", "x", "--d-model", "0"], "Invalid value for '--d-model'"),
        (["--task", "copy", "--out", "x", "--clip", "0"], "Error: --clip: 0.0 does not work"),
        (["--task", "copy", "--out", "x", "--norm", "no"], "Invalid value for '--norm'"),
        (
            ["--task", "copy", "--out", "x", "--resume"],
            "Error: --resume: There is nothing to resume",
        ),
    ],
)
def test_an_error_names_the_option(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in said(capsys, "train", *options)
    assert not Path("x").exists()


def test_a_file_without_pairs_names_the_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty, out = tmp_path / "empty.tsv", tmp_path / "run"
    empty.write_text("no tab\n")
    arguments = ["--data", str(empty), "--valid", str(empty), "--out", str(out)]
    for command in (["train", *arguments], ["evaluate", "--model", "es-en", "--data", str(empty)]):
        assert "Error: --data: " in said(capsys, *command)
    folder = RunFolder(out)
    assert folder.status().state == "failed"
    assert "--resume: There is nothing to resume" in said(capsys, "train", *arguments, "--resume")


def test_an_error_leaves_no_half_drawn_progress_bar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was drawn before the first step, and stood above the error that came then."""
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=True, width=80)
    monkeypatch.setattr("model.cli.progress_bar.Console", lambda **_options: console)
    options = ["--task", "copy", "--pairs", "60", "--out", str(tmp_path / "run"), *TINY]
    result = CliRunner().invoke(app, ["train", *options, "--max-tokens", "1"])
    assert "No sentence pair" in str(result.exception)
    assert shown.getvalue() == ""
    result = CliRunner().invoke(app, ["train", *options, "--learning-rate", "1e15"])
    assert "not finite" in str(result.exception)
    assert shown.getvalue().endswith("\x1b[1A\x1b[2K")  # back to the line, which is erased


def test_the_options_are_the_declared_settings() -> None:
    """A hyper-parameter was typed three times; now the command line and the form follow it."""
    settings = {**settings_of(ModelConfig), **settings_of(TrainConfig)}
    options = inspect.signature(train_command).parameters
    assert options.keys() >= {name for name, declared in settings.items() if declared.setting.help}
    helps = CliRunner().invoke(app, ["train", "--help"], env={"COLUMNS": "200"}).output
    assert "How many numbers each token's vector has." in helps


def test_a_run_of_options_is_a_run_by_a_plan(folder: Path) -> None:
    """The command line and the page drive runs by the same lines; the folder tells the same."""
    run = RunFolder(folder / "run")
    plan, status = run.plan(), run.status()
    assert (plan.name, plan.task, plan.model.d_model) == ("run", "own", 16)
    assert Path(plan.data[0]) == folder / "pairs.tsv"
    assert (status.state, status.step) == ("finished", plan.train.steps)
    assert checkpoint.load(run.path).metrics["plan"]["data"] == ["pairs.tsv"]


def test_resuming_needs_no_option_again(folder: Path) -> None:
    before = RunFolder(folder / "run").plan()
    arguments = ["train", "--out", str(folder / "run"), "--resume", "--threads", "1"]
    steps = before.train.steps + 2
    assert CliRunner().invoke(app, [*arguments, "--steps", str(steps)]).exit_code == 0
    plan = RunFolder(folder / "run").plan()
    assert plan.train == replace(before.train, steps=steps)
    assert (plan.model, plan.data) == (before.model, before.data)
    assert RunFolder(folder / "run").status().step == steps
