"""The command line with a recurrent translator: train, go on, translate, score, look inside."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from model import checkpoint
from model.cli.main import app
from model.config import Arch, CellName
from model.interpret.capture import Capture

SMALL = [
    *("--preset", "tiny", "--task", "sort", "--pairs", "60", "--fp32", "--d-model", "16"),
    *("--d-hidden", "24", "--validate-pairs", "4", "--validate-every", "4", "--warmup", "2"),
    *("--batch-tokens", "200", "--dropout", "0.2", "--threads", "1"),
]


def run(*arguments: str, text: str | None = None) -> str:
    result = CliRunner().invoke(app, list(arguments), input=text)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize(("arch", "cell"), [("rnn", "gru"), ("rnn", "tanh"), ("rnnsearch", "tanh")])
def test_all_commands(arch: Arch, cell: CellName, tmp_path: Path) -> None:
    whole, halves = str(tmp_path / "whole"), str(tmp_path / "halves")
    chosen = ["--arch", arch, "--cell", cell, *SMALL, "--steps", "8"]
    run("train", *chosen, "--out", whole)
    run("train", *chosen, "--out", halves, "--snapshot", "4")
    loaded = checkpoint.load(tmp_path / "whole" / "last")
    config = loaded.config
    assert (config.arch, config.cell, config.d_hidden) == (arch, cell, 24)
    weights = checkpoint.load(tmp_path / "halves" / "last").model.state_dict()
    for name, tensor in loaded.model.state_dict().items():
        assert torch.equal(tensor, weights[name]), name
    assert run("translate", "--model", whole, text="c b a\n").count("\n") == 1
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("c b a\ta b c\n", encoding="utf-8")
    assert "bleu" in run("evaluate", "--model", whole, "--data", str(pairs), "--json")
    out = tmp_path / "one.safetensors"
    run("capture", "--model", whole, "c b a", "--out", str(out))
    assert Capture.load(out).n_layers("cross") == int(arch == "rnnsearch")
    told = run("info", whole)
    assert "d_hidden" in told
    assert "d_ff" not in told


def test_going_on_is_exact(tmp_path: Path) -> None:
    """Stopped in the middle of an epoch, and gone on with: the weights are the same to the bit."""
    common = ["--arch", "rnnsearch", *SMALL, "--schedule", "constant"]
    run("train", *common, "--steps", "8", "--out", str(tmp_path / "whole"))
    run("train", *common, "--steps", "4", "--out", str(tmp_path / "parts"))
    run("train", *common, "--steps", "8", "--out", str(tmp_path / "parts"), "--resume")
    whole, parts = (
        checkpoint.load(tmp_path / name / "last").model.state_dict() for name in ("whole", "parts")
    )
    assert all(torch.equal(tensor, parts[name]) for name, tensor in whole.items())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--arch", "rnn", "--n-heads", "4"], "n_heads: The architecture rnn has no use for it"),
        (
            ["--arch", "rnnsearch", "--d-ff", "64"],
            "d_ff: The architecture rnnsearch has no use for it",
        ),
        (["--d-hidden", "64"], "d_hidden: The architecture transformer has no use for it"),
        (["--cell", "tanh"], "cell: The architecture transformer has no use for it"),
        (
            ["--arch", "rnn", "--cell", "lstm"],
            "'--cell': Value error, 'lstm' is not one of 'gru', 'tanh'",
        ),
        (
            ["--arch", "lstm"],
            "'--arch': Value error, 'lstm' is not one of 'transformer', 'rnn', 'rnnsearch'",
        ),
    ],
)
def test_what_means_nothing_is_refused(options: list[str], said: str) -> None:
    result = CliRunner().invoke(app, ["train", "--task", "copy", "--out", "x", *options])
    assert said in f"{result.exception} {' '.join(result.output.replace('│', ' ').split())}"
