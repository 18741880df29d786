"""Files that people name are whole, or as they were; what killed processes leave is swept."""

import os
import resource
import signal
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app import notebook
from model import backup, files
from model.cli.main import main
from model.files import HOUR, aside, replacing, sweep
from model.runs.folder import SECONDS_TO_WRITE
from tests.model.forks import fork
from tests.model.runs.run_samples import new_run
from tests.model.samples import save_tiny

GOOD = b"what was written with much trouble\n"


@contextmanager
def no_room(limit: int) -> Iterator[None]:
    """Let no file of this process grow beyond some bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("command", ["capture", "translate", "backup", "notebook"])
def test_a_write_that_fails_leaves_the_good_file_as_it_was(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    """`capture --out` emptied a good file before the disk was found to be full."""
    model, lines, out = tmp_path / "m", tmp_path / "lines", tmp_path / "out" / "file"
    save_tiny(model)
    lines.write_text("a b c\n" * 20)
    out.parent.mkdir()
    out.write_bytes(GOOD)
    to = ["--output" if command == "translate" else "--out", str(out)]
    argv = {
        "capture": ["capture", "--model", str(model), "a b", *to],
        "translate": ["translate", "--input", str(lines), "--model", str(model), *to],
        "backup": ["backup", str(out)],
        "notebook": ["Hola.", *to],
    }[command]
    monkeypatch.setattr(sys, "argv", ["model", *argv])
    monkeypatch.setattr(backup.save, "__defaults__", ({"runs": model},))
    with no_room(20), pytest.raises(SystemExit) as ended:
        (notebook.main if command == "notebook" else main)()
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "File too large" in said
    assert str(out) in said
    assert out.read_bytes() == GOOD
    assert names(out.parent) == ["file"]
    with pytest.raises(SystemExit) if command != "notebook" else no_room(2**30):
        (notebook.main if command == "notebook" else main)()
    assert out.read_bytes() != GOOD
    assert names(out.parent) == ["file"]


def test_a_link_stays_and_a_pipe_is_written_to(tmp_path: Path) -> None:
    true, link, pipe = tmp_path / "true", tmp_path / "link", tmp_path / "pipe"
    true.write_bytes(GOOD)
    link.symlink_to(true)
    files.replace_text(link, "new")
    assert link.is_symlink()
    assert true.read_text() == "new"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    files.replace_text(pipe, "through")
    assert os.read(reader, 100) == b"through"
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    os.close(reader)
    with (
        pytest.raises(FileNotFoundError, match=r"nowhere/file'$"),
        replacing(tmp_path / "nowhere" / "file") as new,
    ):
        new.write_text("")


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let some time have passed."""
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + seconds)


def killed(work: Callable[[], object]) -> None:
    """Run some work in a process that is killed at its end."""

    def and_die() -> None:
        work()
        os.kill(os.getpid(), signal.SIGKILL)

    os.waitpid(fork(and_die), 0)


@pytest.mark.parametrize("kind", ["upload", "import", "taken"])
def test_what_a_killed_import_left_is_swept_and_a_living_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: files.Aside
) -> None:
    """`.upload.*`, `.import.*` and `.taken.*` stayed for ever, and counted as the visitor's."""

    def begin() -> None:
        context = aside(kind, tmp_path)
        (context.__enter__() / "weights").write_bytes(bytes(1000))
        held.append(context)

    held: list[object] = []
    killed(begin)
    (left,) = names(tmp_path)
    assert left.startswith(f".{kind}.")
    with aside(kind, tmp_path) as living:
        (living / "weights").write_bytes(bytes(1000))
        later(monkeypatch, 60)
        sweep(tmp_path)
        assert names(tmp_path) == [living.parent.name]
        later(monkeypatch, 60 * HOUR)
        sweep(tmp_path)
        assert (living / "weights").is_file()
    assert not names(tmp_path)


def test_what_a_killed_trainer_was_writing_is_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`.log.jsonl.PID…` and half a checkpoint stayed in the run's folder."""
    run = new_run(tmp_path, "one")
    before = names(run.path)

    def begin() -> None:
        held.append(context := replacing(run.path / "log.jsonl"))
        context.__enter__().write_text("{}")
        held.append(film := run.path / "frames" / ".00000001.safetensors.new")
        film.parent.mkdir()
        film.write_bytes(b"half")
        (run.path / ".last.new").mkdir()
        (run.path / ".last.old").mkdir()

    held: list[object] = []
    killed(begin)
    assert len(names(run.path)) == len(before) + 4
    run.sweep()
    assert len(names(run.path)) == len(before) + 4, "this may be a page that writes a wish"
    later(monkeypatch, SECONDS_TO_WRITE + 1)
    run.sweep()
    assert names(run.path) == sorted([*before, "frames", ".last.old"])
    assert not names(run.path / "frames")


def test_nothing_else_is_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = [".fetch", ".last.old", ".visitors", ".secret", ".opened", "upload", "a.new", "my run"]
    for name in (*kept, ".old.deleted.1", ".deleted.1", ".upload.x", ".run.1.2", ".model.new"):
        (tmp_path / name).mkdir()
    sweep(tmp_path)
    assert len(names(tmp_path)) == len(kept) + 5, "somebody may be at work there"
    later(monkeypatch, 2 * HOUR)
    sweep(tmp_path)
    assert names(tmp_path) == sorted([*kept, ".old.deleted.1", ".deleted.1"])
    later(monkeypatch, 25 * HOUR)
    sweep(tmp_path)
    assert names(tmp_path) == sorted(kept)
