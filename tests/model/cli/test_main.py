"""The command line, as a person uses it: train, translate, evaluate, capture, info."""

import io
import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from model import checkpoint
from model.cli.main import app
from model.config import Arch, CellName
from model.interpret.capture import Capture
from model.runs.folder import RunFolder
from model.tasks import TASKS
from model.training.presets import PRESETS
from tests.model.cli.commands import OLD_PLAN, Capsys, output, refusal, said
from tests.model.forks import wait_for

NUMBERS = ["uno one", "dos two", "tres three", "cuatro four", "cinco five", "seis six"]
TINY = [
    *("--preset", "tiny", "--vocab-size", "300", "--d-model", "16", "--n-heads", "2"),
    *("--d-ff", "32", "--n-encoder-layers", "1", "--n-decoder-layers", "1", "--fp32"),
    *("--batch-tokens", "64", "--validate-every", "5", "--warmup", "5", "--threads", "1"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small corpus and a run of 10 steps on it."""
    folder = tmp_path_factory.mktemp("cli")
    lines = [
        f"{a}, {b}\t{c}, {d}"
        for a, c in map(str.split, NUMBERS)
        for b, d in map(str.split, NUMBERS)
    ]
    (folder / "pairs.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    result = train(folder, "run", "--steps", "10", "--snapshot", "0", "--snapshot", "5")
    assert result.exit_code == 0, result.output
    return folder


def train(folder: Path, out: str, *options: str) -> Result:
    pairs = str(folder / "pairs.tsv")
    arguments = ["--data", pairs, "--valid", pairs, "--out", str(folder / out)]
    return CliRunner().invoke(app, ["train", *arguments, *TINY, *options])


def test_train_leaves_best_last_snapshots_and_its_plan(folder: Path) -> None:
    run = RunFolder(folder / "run")
    assert checkpoint.load(run.path).metrics["step"] in (5, 10)
    assert checkpoint.load(run.path / "last").metrics["step"] == 10
    assert checkpoint.load(run.path / "snapshots" / "step-0").metrics["step"] == 0
    plan, status = run.plan(), run.status()
    assert (plan.name, plan.task, plan.model.d_model) == ("run", "own", 16)
    assert Path(plan.data[0]) == folder / "pairs.tsv"
    assert (status.state, status.step) == ("finished", 10)
    assert checkpoint.load(run.path).metrics["plan"]["data"] == ["pairs.tsv"]


def test_train_refuses_to_overwrite_a_run_and_resumes_it_without_its_options(folder: Path) -> None:
    run = RunFolder(folder / "run")
    before = run.plan()
    assert "--resume" in str(train(folder, "run", "--steps", "12").exception)
    output("train", "--out", str(run.path), "--resume", "--threads", "1", "--steps", "12")
    assert run.plan() == replace(before, train=replace(before.train, steps=12))
    assert run.status().step == checkpoint.load(run.path / "last").metrics["step"] == 12


def test_evaluate_prints_and_records_scores_in_all_and_by_length(folder: Path) -> None:
    run, pairs = folder / "run", str(folder / "pairs.tsv")
    command = ["evaluate", "--model", str(run), "--data", pairs, "--json", "--record", "test"]
    scores = json.loads(output(*command, "--by-length"))
    groups = scores.pop("by_length")
    assert [(group["words"], group["n"]) for group in groups] == [([1, 4], scores["n"])]
    assert 0 <= groups[0]["bleu"] == scores["bleu"] <= 100
    assert "version:" in json.dumps(scores)
    metrics = checkpoint.load(run).metrics
    assert (metrics["test"], metrics["test_by_length"]) == (scores, groups)
    told = output("info", str(run))
    assert "parameters" in told
    assert "d_model" in told


def test_errors_are_one_sentence_and_a_status(capsys: Capsys) -> None:
    sentence = refusal(capsys, "translate", "--model", "nowhere")
    assert sentence.startswith("Error: --model: There is no model 'nowhere'. Pretrained")


def test_sigterm_saves_and_exits_143(folder: Path) -> None:
    """A scheduler that stops the machine sends SIGTERM: nothing that was learned is lost."""
    pairs, out = str(folder / "pairs.tsv"), folder / "stopped"
    command = [sys.executable, "-m", "model", "train", "--data", pairs, "--valid", pairs]
    options = ["--out", str(out), *TINY, "--steps", "1000000"]
    process = subprocess.Popen([*command, *options], stderr=subprocess.DEVNULL)
    wait_for((out / "last").exists)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=120) == 128 + signal.SIGTERM
    assert checkpoint.load(out / "last").metrics["step"] > 0


def test_train_on_a_task_of_the_project(tmp_path: Path) -> None:
    """The task brings its pairs, its preset and its settings; what is given wins."""
    arguments = ["--task", "reverse", "--pairs", "60", "--out", str(tmp_path / "run"), *TINY[2:]]
    output("train", *arguments, "--steps", "2", "--validate-pairs", "4")
    metrics = checkpoint.load(tmp_path / "run" / "last").metrics
    assert (metrics["pairs"], metrics["train"]["steps"]) == (60, 2)
    model, train_config = PRESETS[TASKS["reverse"].preset]
    settings = {**model.to_dict(), **train_config.to_dict(), **TASKS["reverse"].settings}
    assert metrics["train"]["schedule"] == settings["schedule"]


SMALL = [
    *("--preset", "tiny", "--task", "sort", "--pairs", "60", "--fp32", "--d-model", "16"),
    *("--d-hidden", "24", "--validate-pairs", "4", "--validate-every", "2", "--warmup", "2"),
    *("--batch-tokens", "200", "--dropout", "0.2", "--threads", "1", "--steps", "2"),
]


@pytest.mark.parametrize(("arch", "cell"), [("rnn", "gru"), ("rnnsearch", "tanh")])
def test_all_commands(arch: Arch, cell: CellName, tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    output("train", "--arch", arch, "--cell", cell, *SMALL, "--out", run)
    config = checkpoint.load(tmp_path / "run" / "last").config
    assert (config.arch, config.cell, config.d_hidden) == (arch, cell, 24)
    assert output("translate", "--model", run, lines="c b a\n").count("\n") == 1
    pairs, out = tmp_path / "pairs.tsv", tmp_path / "one.safetensors"
    pairs.write_text("c b a\ta b c\n", encoding="utf-8")
    assert "bleu" in output("evaluate", "--model", run, "--data", str(pairs), "--json")
    output("capture", "--model", run, "c b a", "--out", str(out))
    assert Capture.load(out).n_layers("cross") == int(arch == "rnnsearch")
    told = output("info", run)
    assert "d_hidden" in told
    assert "d_ff" not in told


FILE = str(OLD_PLAN)  # any that is there: it is not read
ERRORS = {
    "--task juggle --out x": "Error: --task: juggle does not work: choose one of",
    "--task copy --out x --preset giant": "Error: --preset: giant does not",
    "--out x": "Error: --data: Say what to train on",
    f"--out x --data {FILE}": "Error: --valid: Say what to train on",
    "--task copy": "Error: --out: Say where",
    "--out x --data nowhere.tsv": "'--data': file 'nowhere.tsv' does not exist",
    "--out x --data . --task copy": "'--data': file '.' is a directory",
    f"--plan {FILE} --steps 3": "Error: --steps: The --plan has all settings",
    "--task copy --out x --d-modl 8": "No such option: --d-modl",
    "--task copy --out x --d-model 9": "Error: --d-model: 9 cannot be shared",
    "--task copy --out x --d-model 0": "Invalid value for '--d-model'",
    "--task copy --out x --clip 0": "Error: --clip: 0.0 does not work",
    "--task copy --out x --norm no": "Invalid value for '--norm'",
    "--task copy --out x --resume": "Error: --resume: There is nothing to resume",
    "--task copy --out x --arch rnn --n-heads 4": "--n-heads: The architecture rnn has no use for",
    "--task copy --out x --d-hidden 64": "--d-hidden: The architecture transformer has no use for",
    "--task copy --out x --arch lstm": "'lstm' is not one of 'transformer', 'rnn', 'rnnsearch'",
    f"--task copy --out x --data {FILE}": "--data: It contradicts --task: a task brings its",
    f"--task copy --out x --valid {FILE}": "--valid: It contradicts --task: a task brings",
    f"--data {FILE} --valid {FILE} --out x --pairs 9": "--pairs: It contradicts --data: it counts",
    "--task phrases-es --out x --pairs 46001": "--pairs: 46001 is too large: at most 46000",
    "--task copy --out x --device tpu": "--device: tpu does not work: choose one of cpu",
    "--task copy --out x --device cuda:99": "--device: PyTorch finds no cuda:99 on this",
}


def test_an_error_names_the_option(capsys: Capsys) -> None:
    for options, message in ERRORS.items():
        assert message in said(capsys, "train", *options.split()), options
    assert not Path("x").exists()


def test_a_file_without_pairs_names_the_option(tmp_path: Path, capsys: Capsys) -> None:
    empty, out = tmp_path / "empty.tsv", tmp_path / "run"
    empty.write_text("no tab\n")
    arguments = ["--data", str(empty), "--valid", str(empty), "--out", str(out)]
    for command in (["train", *arguments], ["evaluate", "--model", "es-en", "--data", str(empty)]):
        assert "Error: --data: " in said(capsys, *command)
    assert RunFolder(out).status().state == "failed"
    assert "--resume: There is nothing to resume" in said(capsys, "train", *arguments, "--resume")


def test_an_error_leaves_no_half_drawn_progress_bar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was drawn before the first step, and stood above the error that came then."""
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=True, width=80)
    monkeypatch.setattr("model.cli.train.Console", lambda **_options: console)
    options = ["--task", "copy", "--pairs", "60", "--out", str(tmp_path / "run"), *TINY]
    result = CliRunner().invoke(app, ["train", *options, "--max-tokens", "1"])
    assert "No sentence pair" in str(result.exception)
    assert shown.getvalue() == ""
    result = CliRunner().invoke(app, ["train", *options, "--learning-rate", "1e15"])
    assert "not finite" in str(result.exception)
    assert shown.getvalue().endswith("\x1b[1A\x1b[2K")  # back to the line, which is erased


def test_under_torchrun_a_refusal_is_said_once_and_ends_its_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capsys
) -> None:
    """Each process said it, and torchrun's trace of thirty lines had nothing of it."""
    command = ["train", "--task", "copy", "--d-model", "9", "--out", str(tmp_path / "run")]
    sentence = refusal(capsys, *command)
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("TORCHELASTIC_ERROR_FILE", str(tmp_path / "error.json"))
    assert said(capsys, *command) == ""
    told = json.loads((tmp_path / "error.json").read_text(encoding="utf-8"))
    assert (told["message"], type(told["timestamp"])) == (sentence, int)
