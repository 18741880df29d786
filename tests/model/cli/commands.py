"""Commands of the command line, run here or in a process of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from model.cli.main import app, main

ROOT = Path(__file__).parents[3]
OLD_PLAN = Path(__file__).parent / "plan.json"  # written before there was patience
Capsys = pytest.CaptureFixture[str]
COPY = [
    *("train", "--task", "copy", "--preset", "tiny", "--pairs", "60", "--steps", "4", "--fp32"),
    *("--validate-every", "2", "--validate-pairs", "4", "--batch-tokens", "200", "--threads", "1"),
    *("--d-model", "16", "--d-ff", "32"),
]


def command_line(
    folder: Path, *arguments: str, text: bytes = b"", **variables: str
) -> tuple[int, str, str]:
    """Run a command in a process of its own; return its status, output and errors."""
    done = subprocess.run(
        [sys.executable, "-m", "model", *arguments], input=text, capture_output=True, cwd=folder,
        env=os.environ | {"OMP_NUM_THREADS": "1"} | variables, timeout=120, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def in_this_process(*arguments: str) -> object:
    """Run a command here; return its status."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["model", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
    return ended.value.code


def output(*arguments: str, lines: str = "", **variables: str) -> str:
    """Run a command here that succeeds; return what it writes, or raise what it raises."""
    done = CliRunner().invoke(app, list(arguments), input=lines, env=variables)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


def said(capsys: Capsys, *arguments: str) -> str:
    """Run a command here that is refused; return all that it says, in one line."""
    capsys.readouterr()
    assert in_this_process(*arguments) == 2
    return plain(capsys.readouterr().err)


def refusal(capsys: Capsys, *arguments: str) -> str:
    """Run a command here that is refused; return its one sentence."""
    capsys.readouterr()
    assert in_this_process(*arguments) == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    return sentence


def plain(output: str) -> str:
    """Return what stands in the frames that are drawn around it."""
    return " ".join(output.replace("│", " ").split())
