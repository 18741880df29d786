"""The command line with a recurrent translator: train, translate, score, look inside."""

from pathlib import Path

import pytest

from model import checkpoint
from model.config import Arch, CellName
from model.interpret.capture import Capture
from tests.model.cli.commands import Capsys, output, said

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


REFUSED = {
    "--arch rnn --n-heads 4": "--n-heads: The architecture rnn has no use for it",
    "--arch rnnsearch --d-ff 64": "--d-ff: The architecture rnnsearch has no use for it",
    "--d-hidden 64": "--d-hidden: The architecture transformer has no use for it",
    "--cell tanh": "--cell: The architecture transformer has no use for it",
    "--arch rnn --cell lstm": "'--cell': Value error, 'lstm' is not one of 'gru', 'tanh'",
    "--arch lstm": "Value error, 'lstm' is not one of 'transformer', 'rnn', 'rnnsearch'",
}


def test_what_means_nothing_is_refused(capsys: Capsys) -> None:
    for options, sentence in REFUSED.items():
        command = ["train", "--task", "copy", "--out", "x", *options.split()]
        assert sentence in said(capsys, *command), options
