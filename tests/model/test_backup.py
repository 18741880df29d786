"""A backup holds whole checkpoints, whatever is being written, and comes back as it was."""

import io
import tarfile
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from model import checkpoint
from model.backup import ANYHOW, restore, save
from model.errors import UserError
from model.files import VISITORS
from model.runs.folder import RunFolder, run_names
from tests.model.runs.run_samples import contents, new_run
from tests.model.samples import save_tiny


def data(root: Path) -> dict[str, Path]:
    return {"runs": root / "runs", "models": root / "models"}


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A folder with a run that has a checkpoint, and an imported model."""
    run = new_run(tmp_path / "here" / "runs", "reverse")
    save_tiny(run.path / "last")
    save_tiny(tmp_path / "here" / "models" / "opus", seed=1)
    (run.path / "alive.lock").touch()
    (run.path / "frames").mkdir()
    (run.path / "frames" / "elsewhere").symlink_to("/etc/hostname")
    return tmp_path / "here"


def test_what_was_kept_comes_back(kept: Path, tmp_path: Path) -> None:
    count = save(tmp_path / "kept.tar.gz", data(kept))
    there = tmp_path / "there"
    assert restore(tmp_path / "kept.tar.gz", data(there)) == count
    passed_over = {"runs/reverse/alive.lock", "runs/reverse/.reserve"}
    before = {name: b for name, b in contents(kept).items() if name not in passed_over}
    assert contents(there) == before
    assert len(before) == count
    assert run_names(there / "runs") == ["reverse"]
    assert RunFolder.named("reverse", there / "runs").status().state in ("queued", "interrupted")
    checkpoint.verify(there / "models" / "opus")
    with pytest.raises(UserError, match="is not empty"):
        restore(tmp_path / "kept.tar.gz", data(there))
    assert contents(there).items() >= before.items(), "a restore took something away"
    with pytest.raises(UserError, match="cannot be written"):
        save(tmp_path / "nowhere" / "kept.tar.gz", data(kept))
    assert not (tmp_path / "nowhere").exists()


def test_a_checkpoint_is_of_one_moment_while_it_is_replaced(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """File after file, the checksums were of one checkpoint and the weights of the next."""
    last, seeds, read = kept / "runs" / "reverse" / "last", iter(range(1, 4)), Path.open

    def read_and_replace(path: Path, mode: str = "r", *given: Any, **named: Any) -> Any:
        handle = read(path, mode, *given, **named)
        if path == last / "metrics.json" and mode == "rb" and (seed := next(seeds, 0)):
            save_tiny(last, seed)
        return handle

    monkeypatch.setattr(Path, "open", read_and_replace)
    save(tmp_path / "kept.tar.gz", data(kept))
    monkeypatch.undo()
    restore(tmp_path / "kept.tar.gz", data(tmp_path / "there"))
    checkpoint.verify(tmp_path / "there" / "runs" / "reverse" / "last")
    assert next(seeds, None) is None


def test_the_former_checkpoint_is_kept_where_a_program_died_before_the_next_had_its_name(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("model.backup.SECONDS_BETWEEN", 0)
    last = kept / "runs" / "reverse" / "last"
    last.rename(last.with_name(".last.old"))
    save(tmp_path / "kept.tar.gz", data(kept))
    restore(tmp_path / "kept.tar.gz", data(tmp_path / "there"))
    checkpoint.load(tmp_path / "there" / "runs" / "reverse" / "last")


def test_the_folders_of_a_class_come_along(kept: Path, tmp_path: Path) -> None:
    """They are hidden, as is what signs the cookies by which each visitor finds their own."""
    visitor = kept / "runs" / VISITORS / (32 * "a")
    new_run(visitor, "mine")
    (visitor / ".opened").touch()
    (kept / "runs" / ".secret").write_bytes(b"signs")
    save(tmp_path / "kept.tar.gz", data(kept))
    there = tmp_path / "there"
    (there / "runs" / VISITORS).mkdir(parents=True)  # a server began before the restore
    (there / "runs" / ".secret").write_bytes(b"signs nothing yet")
    restore(tmp_path / "kept.tar.gz", data(there))
    assert run_names(there / "runs" / VISITORS / visitor.name) == ["mine"]
    assert (there / "runs" / VISITORS / visitor.name / ".opened").exists()
    assert (there / "runs" / ".secret").read_bytes() == b"signs"


def test_half_a_backup_restores_nothing(kept: Path, tmp_path: Path) -> None:
    whole = tmp_path / "kept.tar.gz"
    save(whole, data(kept))
    for share in (0.999, 0.5, 0.0):
        whole.write_bytes(whole.read_bytes()[: int(share * whole.stat().st_size)])
        with pytest.raises(UserError, match="is not a backup of this project, or only part of one"):
            restore(whole, data(tmp_path / "there"))
        assert contents(tmp_path / "there") == {}


def test_a_file_leads_nowhere_else(tmp_path: Path) -> None:
    hostile = tmp_path / "hostile.tar.gz"
    link = tarfile.TarInfo("runs/link")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    names = ("../evil", "runs/../../evil", "other/x", "runs", "/etc/evil")
    for member in (link, *map(tarfile.TarInfo, names)):
        with tarfile.open(hostile, "w:gz") as archive:
            archive.addfile(member, io.BytesIO())
        with pytest.raises(UserError, match="not a backup"):
            restore(hostile, data(tmp_path / "there"))
        assert contents(tmp_path) == {"hostile.tar.gz": hostile.read_bytes()}


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME])
def test_a_bomb_is_refused_before_it_fills_the_disk_or_the_memory(
    tmp_path: Path, kind: bytes
) -> None:
    """4.5 MB unpacked to 1 GB: as a file, or as a file's name, which is read into the memory."""
    member = tarfile.TarInfo("runs/zeros")
    member.type, member.size = kind, 2**25
    with tarfile.open(tmp_path / "hostile.tar.gz", "w:gz", compresslevel=1) as archive:
        archive.addfile(member, Zeros())
    tracemalloc.start()
    try:
        with pytest.raises(UserError, match="would unpack to more than 20 times its size"):
            restore(tmp_path / "hostile.tar.gz", data(tmp_path / "there"))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 3 * ANYHOW
    assert contents(tmp_path / "there") == {}


class Zeros(io.RawIOBase):
    def read(self, size: int = -1) -> bytes:
        return bytes(size)


def test_a_file_of_holes_is_no_file_of_a_backup(tmp_path: Path) -> None:
    sparse = tarfile.TarInfo("runs/holes")
    sparse.pax_headers = {
        "GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": str(2**40),
    }  # fmt: skip
    sparse.size = 512
    with tarfile.open(tmp_path / "hostile.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(sparse, io.BytesIO(b"0\n".ljust(512, b"\0")))
    with pytest.raises(UserError, match="not a backup"):
        restore(tmp_path / "hostile.tar.gz", data(tmp_path / "there"))
    assert contents(tmp_path / "there") == {}
