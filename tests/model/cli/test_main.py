"""The command line, as a person uses it: train, translate, evaluate, capture, info."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from model import checkpoint
from model.cli.main import app
from model.interpret.capture import Capture
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
    assert result.stderr.startswith("Error: There is no model 'nowhere'")
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


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--task", "juggle", "--out", "x"], "There is no task 'juggle', only copy"),
        (["--data", "x.tsv", "--out", "x"], "Say what to train on"),
        (["--task", "copy"], "Say where the run shall be written"),
        (["--task", "copy", "--out", "x", "--preset", "giant"], "There is no preset 'giant'"),
    ],
)
def test_what_is_missing_is_asked_for(options: list[str], said: str) -> None:
    result = CliRunner().invoke(app, ["train", *options])
    assert said in str(result.exception)
