"""All runs and imported models as one file, also while they are trained, and back again.

A file is there as it stood at some moment: it is replaced as a whole or only grows. A checkpoint is
a folder that is replaced as a whole, so its files have to be of one moment; a run that was training
is then one that was interrupted, and goes on from there.
"""

from __future__ import annotations

import gzip
import os
import tarfile
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Final

from model.checkpoint import MODELS
from model.errors import UserError, os_errors_as
from model.files import RUNS, VISITORS

DATA: Final[Mapping[str, Path]] = {"runs": RUNS, "models": MODELS}
MANIFEST: Final = "manifest.json"  # of a checkpoint
LOCK: Final = ".lock"
# What a class has besides runs and models: folders, what signs cookies, and when it was used.
OF_CLASS: Final = (VISITORS, ".secret", ".opened")
FORMER: Final = ".old"  # what a checkpoint is called while the next one takes its place
# A checkpoint is replaced in milliseconds, and that every few seconds at most.
TRIES: Final = 20
SECONDS_BETWEEN: Final = 0.1
# How many times its own size a backup may hold: logs shrink to a tenth, weights hardly.
MOST_TIMES: Final = 20
ANYHOW: Final = 2**24  # bytes that it may hold however small it is


def save(file: Path, data: Mapping[str, Path] = DATA) -> int:
    """Write all that is kept to one file, and return how many files are in it.

    Raises UserError for what the disk does not take; the file is there whole, or not at all.
    """
    aside = file.with_name(f".{file.name}.{os.getpid()}")
    count = 0
    with os_errors_as(UserError("backup_not_written", path=str(file))):
        try:
            with tarfile.open(aside, "w:gz", compresslevel=1) as archive:
                for name, root in data.items():
                    for folder in _folders(root):
                        count += _add(archive, folder, Path(name) / folder.relative_to(root))
            aside.replace(file)
        finally:
            aside.unlink(missing_ok=True)
    return count


def restore(file: Path, data: Mapping[str, Path] = DATA) -> int:
    """Write what a file of `save` holds to where it belongs, and return how many files that are.

    Raises UserError for a damaged or foreign file, for one that holds far more than its size, and
    where something lies already; nothing is written then.
    """
    for root in data.values():
        if any(any(_files(folder)) for folder in _folders(root) if folder != root):
            raise UserError("not_empty", path=str(root))
    with ExitStack() as stack, os_errors_as(UserError("backup_unreadable", path=str(file))):
        asides = {}
        for name, root in data.items():
            root.mkdir(parents=True, exist_ok=True)
            aside = tempfile.TemporaryDirectory(prefix=".restore.", dir=root)
            asides[name] = Path(stack.enter_context(aside))
        count = _unpack(file, asides)
        for name, root in data.items():
            for path in asides[name].iterdir():
                path.rename(root / path.name)
    return count


def _folders(root: Path) -> Iterator[Path]:
    """A folder, if it is there, and all those below it; no link is followed."""
    if not root.exists():
        return
    yield root
    for child in _below(root):
        yield from _folders(child)


def _below(folder: Path) -> list[Path]:
    """The folders in one, without those that a program hides, but with a former checkpoint.

    That is there for good only where the program died before the new one had its name.
    """
    for _ in range(TRIES):
        found = [p for p in sorted(folder.iterdir()) if p.is_dir() and not p.is_symlink()]
        former = [path for path in found if path.name.endswith(FORMER)]
        if not former:
            break
        time.sleep(SECONDS_BETWEEN)
    return [path for path in found if path in former or not _is_passed_over(path)]


def _is_passed_over(path: Path) -> bool:
    hidden = path.name.startswith(".") and path.name not in OF_CLASS
    return hidden or path.suffix == LOCK


def _add(archive: tarfile.TarFile, folder: Path, name: Path) -> int:
    """Add the files of a folder, those of a checkpoint as they were at one moment."""
    if (folder / MANIFEST).exists():
        return _add_together(archive, partial(_files, folder), name)
    return sum(_add_together(archive, partial(list, (path,)), name) for path in _files(folder))


def _files(folder: Path) -> list[Path]:
    found = sorted(folder.iterdir())
    return [p for p in found if p.is_file() and not p.is_symlink() and not _is_passed_over(p)]


def _add_together(archive: tarfile.TarFile, files: Callable[[], Sequence[Path]], name: Path) -> int:
    """Add files once all were open at one moment; none where they have just been deleted."""
    for _ in range(TRIES):
        with ExitStack() as stack, suppress(FileNotFoundError):
            opened = [(path, stack.enter_context(path.open("rb"))) for path in files()]
            if all(os.path.samestat(os.fstat(f.fileno()), path.stat()) for path, f in opened):
                for path, handle in opened:
                    described = archive.gettarinfo(arcname=str(name / path.name), fileobj=handle)
                    archive.addfile(described, handle)
                return len(opened)
        time.sleep(SECONDS_BETWEEN)
    return 0


class _Bounded(gzip.GzipFile):
    """What a backup holds, unpacked as it is read, while it is not far more than its size."""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self.path, self.left = file, max(ANYHOW, MOST_TIMES * file.stat().st_size)

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        self.left -= len(data)
        if self.left < 0:
            raise UserError("backup_too_large", path=str(self.path), most=MOST_TIMES)
        return data


def _unpack(file: Path, asides: Mapping[str, Path]) -> int:
    """Write the files of a backup below the folders that their names begin with."""
    count = 0
    try:
        with _Bounded(file) as unpacked, tarfile.open(fileobj=unpacked, mode="r|") as archive:
            for member in archive:
                root, _, name = member.name.partition("/")
                plain = member.isfile() and not member.issparse()
                if not plain or root not in asides or not name:
                    raise UserError("not_a_backup", path=str(file))
                archive.extract(member.replace(name=name, deep=False), asides[root], filter="data")
                count += 1
    except (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise UserError("not_a_backup", path=str(file)) from error
    return count
