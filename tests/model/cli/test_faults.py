"""What goes wrong at the command line costs one sentence, no traceback, and nothing else."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from model import checkpoint
from model.cli.main import app
from model.errors import UserError
from model.interpret.capture import Capture
from model.runs.folder import RunFolder
from tests.model.cli.commands import (
    COPY,
    ROOT,
    Capsys,
    command_line,
    in_this_process,
    refusal,
    said,
)
from tests.model.disks import mounted
from tests.model.runs.run_samples import contents
from tests.model.samples import save_tiny


def test_a_line_that_is_not_utf8_costs_itself_only(tmp_path: Path) -> None:
    """Latin-1 in one line ended the command in a traceback: not a line was translated.

    With a terminal of another encoding, the lines that were right were lost as well. In another
    folder, what is not installed is found by PYTHONPATH, its models with it.
    """
    lines = [b"a b c", b"Buenos d\xedas.", b"\xff\xfe", "ñ é".encode(), b"c b a"]
    clean = b"\n".join(b"" if i in (1, 2) else line for i, line in enumerate(lines))
    command = ["translate", "--model", "es-en", "--beam", "1"]
    variables = {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT)}
    code, output, errors = command_line(tmp_path, *command, text=b"\n".join(lines), **variables)
    assert (code, len(output.splitlines())) == (0, 5), errors
    assert CliRunner().invoke(app, command, input=clean).stdout == output
    assert output.splitlines()[1:3] == ["", ""]
    assert errors.splitlines() == [
        "Line 2: It is not UTF-8 text, and is left blank.",
        "Line 3: It is not UTF-8 text, and is left blank.",
    ]


def test_closed_streams_odd_arguments_and_other_letters_cost_a_sentence(tmp_path: Path) -> None:
    """Each ended in a traceback: a closed stream, a byte that is no UTF-8, an arrow in cp1252."""
    folder, translate = str(ROOT), "translate --model es-en --beam 1"
    for command, says in (
        (f"{translate} <&-", "Error: --input: Standard input is closed: name a file."),
        (f"{translate} >&-", "Error: --output: Standard output is closed: name a file."),
        ("presets >&-", ""),
        ("capture --model es-en $'\\xff a' --out x", "Error: '\\udcff a' is not UTF-8 text."),
        ("info nowhere", "Error: There is no model 'nowhere'. Pretrained models: "),
        ("import marian ./nowhere/", "Error: "),
    ):
        done = subprocess.run(
            ["bash", "-c", f"{sys.executable} -m model {command}"], cwd=tmp_path, text=True,
            input="a\n" if "<" not in command else None, check=False, capture_output=True,
            env=os.environ | {"PYTHONPATH": folder, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"},
        )  # fmt: skip
        assert done.stderr.startswith(says), done.stderr
        assert len(done.stderr.splitlines()) <= 1, done.stderr
        assert done.returncode == (2 if says else 0)
        assert "--folder" not in done.stderr
    environment = os.environ | {"PYTHONPATH": folder, "PYTHONIOENCODING": "cp1252"}
    tasks = subprocess.run(
        [sys.executable, "-m", "model", "tasks"], env=environment, check=False, capture_output=True
    )
    assert (tasks.returncode, tasks.stderr) == (0, b"")
    assert "reverse" in tasks.stdout.decode("cp1252")


@pytest.mark.parametrize("value", ["inf", "nan", "0", "-1"])
def test_a_temperature_that_makes_no_sense(capsys: Capsys, value: str) -> None:
    """`inf` was a traceback; the help said that 0 is allowed, and it was refused."""
    sentence = refusal(capsys, "translate", "--model", "es-en", f"--temperature={value}")
    assert sentence.startswith(f"Error: --temperature: {float(value)} does not work: choose ")
    help_ = CliRunner().invoke(app, ["translate", "--help"]).stdout
    assert "x>=0" not in help_.split("--top-k")[0].split("--temperature ")[-1]


def test_a_read_only_disk_is_named_by_every_command_that_writes(
    tmp_path: Path, capsys: Capsys
) -> None:
    """`evaluate --record` and `capture` ended in a traceback, and what they had found was lost."""
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("a b\tb a\n")
    disk = tmp_path / "disk"
    with mounted(disk, "size=8m"):
        save_tiny(disk / "m")
        (disk / "empty").mkdir()
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        for out in (disk, disk / "empty", disk / "new" / "run"):
            sentence = refusal(capsys, *COPY, "--out", str(out))
            assert sentence.startswith("Error: ")
            assert "cannot be written: the disk is read-only." in sentence
        model = ("--model", str(disk / "m"))
        sentence = refusal(capsys, "capture", *model, "a b", "--out", str(disk / "c" / "x.st"))
        assert sentence == f"Error: --out: {disk}/c/x.st cannot be written: the disk is read-only."
        scored = ("evaluate", *model, "--data", str(pairs), "--record", "test", "--json")
        assert in_this_process(*scored) == 2
        output, errors = capsys.readouterr()
        assert '"bleu"' in output, "the scores are lost"
        assert errors.splitlines()[-1].startswith("Error: The model could not be saved in ")
        assert "Traceback" not in errors


def test_a_full_disk_spares_the_model_whose_scores_are_kept(tmp_path: Path) -> None:
    """metrics.json was emptied first: the model was then refused as damaged, for good."""
    disk = tmp_path / "disk"
    with mounted(disk, "size=2m"):
        save_tiny(disk / "m")
        loaded = checkpoint.load(disk / "m")
        (disk / "ballast").write_bytes(b"x" * shutil.disk_usage(disk).free)
        with pytest.raises(checkpoint.CheckpointError, match="no space is left on the disk"):
            checkpoint.record(loaded, {"test": {"bleu": 1.0}})
        assert checkpoint.load(disk / "m").metrics == loaded.metrics
        (disk / "ballast").unlink()
        checkpoint.record(loaded, {"test": {"bleu": 1.0}})
        assert checkpoint.load(disk / "m").metrics["test"] == {"bleu": 1.0}


def test_capture_makes_the_folder_that_it_writes_to_and_a_model_is_not_trained_over(
    tmp_path: Path, capsys: Capsys
) -> None:
    """It ended in a traceback of the library, after all was computed.

    `--out pretrained/es-en` wrote another tokenizer over the model's: it was damaged.
    """
    save_tiny(tmp_path / "m")
    out = tmp_path / "new" / "folder" / "one.safetensors"
    command = ["capture", "--model", str(tmp_path / "m"), "a b"]
    assert in_this_process(*command, "--out", str(out)) == 0
    assert Capture.load(out).src[-1].text == "<eos>"
    sentence = refusal(capsys, *command, "--out", str(tmp_path))
    assert sentence == f"Error: --out: {tmp_path} cannot be written: Is a directory."
    sentence = refusal(capsys, *COPY, "--out", str(tmp_path / "m"))
    assert sentence.startswith(f"Error: --out: {tmp_path / 'm'} holds a model")
    checkpoint.load(tmp_path / "m")


REFUSED = {
    "--learning-rate inf": "--learning-rate: inf does not work: choose a finite number.",
    "--learning-rate nan": "--learning-rate: nan does not work: choose more than 0.",
    "--clip inf": "--clip: inf does not work: choose a finite number.",
    "--d-model 65536": "This model would need about",
    "--batch-tokens 9999999999": "This model would need about",
    "--pairs 99999999999": "This model would need about",
    "--vocab-size 5": "--vocab-size: A vocabulary needs at least 259 tokens, not 5.",
    f"--out {'x' * 300}": "--out: The run cannot be written: File name too long.",
}


def test_what_cannot_be_trained_is_refused_before_it_starts(tmp_path: Path, capsys: Capsys) -> None:
    """Each began: with weights of NaN, a traceback, or until the system killed it."""
    run = tmp_path / "run"
    for options, message in REFUSED.items():
        sentence = refusal(capsys, *COPY, "--out", str(run), *options.split())
        assert sentence.startswith(f"Error: {message}")
        assert not run.exists()


def test_a_seed_that_no_generator_takes(tmp_path: Path, capsys: Capsys) -> None:
    """A huge one ended in an overflow of PyTorch's, with its trace."""
    for seed in ("-1", "2147483648", "99999999999999999999999"):
        told = said(capsys, *COPY, "--out", str(tmp_path / "run"), "--seed", seed)
        assert "'--seed'" in told
        assert not (tmp_path / "run").exists()


def test_who_insists_trains_what_may_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capsys
) -> None:
    """An estimate may be wrong: --insist trains all the same, also by a plan."""
    monkeypatch.setattr("model.training.estimate.machine_bytes", lambda: 2**20)
    run = tmp_path / "run"
    sentence = refusal(capsys, *COPY, "--out", str(run))
    assert sentence.endswith("--insist trains it all the same.")
    assert in_this_process(*COPY, "--out", str(run), "--insist") == 0
    plan = ["train", "--plan", str(run / "plan.json"), "--out", str(tmp_path / "again")]
    assert "--insist" in refusal(capsys, *plan)
    assert not (tmp_path / "again").exists()


DIFFERING = {
    "--d-model 9": "d_model 16 → 9",
    "--n-heads 2 --vocab-size 600": "vocab_size 285 → 600, n_heads 4 → 2",
    "--seed 1": "seed 0 → 1",
    "--task sort": "task copy → sort",
    "--pairs 61": "pairs 60 → 61",
    "--arch rnn": "arch transformer → rnn",
    "--optimizer adam": "optimizer muon → adam",
    "--preset tiny": "d_model 16 → 64, d_ff 32 → 256",
    "--steps 3": "steps ≥ 4 → 3",
    f"--data {__file__} --valid {__file__}": "data  → ",
}


def test_a_run_goes_on_with_its_own_settings_only(trained: Path, capsys: Capsys) -> None:
    """Another d_model was taken in silence, and another optimiser ended in an IndexError."""
    before = contents(trained)
    for options, differing in DIFFERING.items():
        sentence = refusal(capsys, "train", "--out", str(trained), "--resume", *options.split())
        assert sentence.startswith("Error: --resume: This run was trained with other settings (")
        assert differing in sentence
    assert contents(trained) == before


def test_what_is_repeated_and_what_may_change_is_taken(
    trained: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """More steps, another rate from the next one on, and another number of threads.

    What it began with stays in the plan, so that the plan still gives the same run.
    """
    run = tmp_path / "run"
    shutil.copytree(trained, run)
    RunFolder(run).wish(pause_at=0)  # of a page that was left: it would wait for ever
    options = [*COPY, "--out", str(run), "--resume", "--steps", "5", "--learning-rate", "0.003"]
    at = options.index("--threads")
    options[at : at + 2] = ["--threads", "2", "--snapshot", "5", "--nice", "0"]
    try:
        assert in_this_process(*options) == 0
    finally:
        torch.set_num_threads(1)
    before, after = (RunFolder(folder).plan().train for folder in (trained, run))
    assert after == replace(before, steps=5, rates=((5, 0.003),))
    assert (run / "snapshots" / "step-5").exists()
    assert "Not bit for bit from here on: " in caplog.text
    metrics = checkpoint.load(run / "last").metrics
    assert "1 thread(s); not bit for bit from step 4 on: " in metrics["machine"]
    assert metrics["machine"].endswith("2 thread(s)")


def test_pairs_may_move_but_not_change(tmp_path: Path, capsys: Capsys) -> None:
    """The next batches would be of other pairs than the ones that the run has seen."""
    pairs, run = tmp_path / "pairs.tsv", tmp_path / "run"
    pairs.write_text("".join(f"{a} {b}\t{b} {a}\n" for a in "abcdef" for b in "abcdef"))
    files = ["--data", str(pairs), "--valid", str(pairs), "--out", str(run)]
    own = ["train", *COPY[COPY.index("--preset") :]]
    own[own.index("--pairs") : own.index("--pairs") + 2] = []
    assert in_this_process(*own, *files) == 0
    moved = pairs.rename(tmp_path / "moved.tsv")
    resume = ["train", "--out", str(run), "--resume", "--threads", "1", "--steps", "5"]
    assert refusal(capsys, *resume) == "Error: The pairs of the run 'run' are no longer there."
    there = ["--data", str(moved), "--valid", str(moved)]
    assert in_this_process(*resume, *there) == 0
    assert RunFolder(run).plan().data == (str(moved),)
    moved.write_text(moved.read_text() + "a\ta\n")
    assert "other settings (data " in refusal(capsys, *resume)


def test_a_plan_that_was_changed_by_hand_is_refused(
    trained: Path, tmp_path: Path, capsys: Capsys
) -> None:
    """With another d_model in plan.json, the run said so of itself and trained on as it was."""
    run = RunFolder(tmp_path / "run")
    shutil.copytree(trained, run.path)
    plan = run.plan()
    run.write_plan(replace(plan, model=replace(plan.model, d_model=32)))
    resume = ["train", "--plan", str(run.path / "plan.json"), "--resume"]
    assert "d_model 16 → 32" in refusal(capsys, *resume)
    assert "d_model 16 → 32" in refusal(capsys, "train", "--out", str(run.path), "--resume")
    with pytest.raises(UserError, match="d_model 16 → 32"):
        run.refuse_other(run.plan())


def test_a_run_starts_from_a_model_of_its_own_shape_and_may_repeat_it_when_it_goes_on(
    trained: Path, tmp_path: Path, capsys: Capsys
) -> None:
    """--resume took --start-from in silence, whatever model it named."""
    second = tmp_path / "second"
    sizes = COPY.index("--d-model")
    again = (*COPY[:sizes], "--start-from", str(trained), "--out", str(second))
    assert "--d-ff" in refusal(capsys, *again, "--d-ff", "48")
    assert "no model" in refusal(capsys, *again[:-3], "nowhere", *again[-2:])
    assert not second.exists(), "what is refused leaves nothing"
    assert in_this_process(*again, "--n-encoder-layers", "2") == 0
    plan = RunFolder(second).plan()
    assert plan.from_model
    assert (plan.model.d_model, plan.model.n_encoder_layers) == (16, 2)
    start, grown = checkpoint.load(trained / "best"), checkpoint.load(second / "last")
    assert grown.tokenizer.vocab_size == start.tokenizer.vocab_size
    shutil.copytree(trained, tmp_path / "copy")
    resume = ["train", "--resume", "--threads", "1", "--steps", "5", "--start-from"]
    assert in_this_process(*resume, str(tmp_path / "copy"), "--out", str(second)) == 0
    save_tiny(tmp_path / "unlike")
    sentence = refusal(capsys, *resume, str(tmp_path / "unlike"), "--out", str(second))
    assert sentence.startswith("Error: --start-from: It contradicts --resume: the run began with")
    sentence = refusal(capsys, *resume, str(trained), "--out", str(trained))
    assert "from_model False → True" in sentence
