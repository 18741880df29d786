"""Backs up all runs and imported models to one file, even during training, and restores them.

Each file is saved as it was at some moment, because files are replaced as a whole or only grow. A
checkpoint is a folder that is replaced as a whole, so its files must all be from the same moment. A
run that was training is restored as interrupted, and can be resumed.
"""

import gzip
import os
import tarfile
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Final

from model.checkpoint import MODELS
from model.errors import UserError, os_errors_as
from model.files import RUNS, VISITORS, aside, replacing

DATA: Final[Mapping[str, Path]] = {"runs": RUNS, "models": MODELS}
MANIFEST: Final = "manifest.json"  # of a checkpoint
LOCK: Final = ".lock"
# What a class has besides runs and models: folders, the key that signs cookies, and times of use.
OF_CLASS: Final = (VISITORS, ".secret", ".opened")
FORMER: Final = ".old"  # the suffix of a checkpoint while it is being replaced
# Replacing a checkpoint takes milliseconds, and happens every few seconds at most.
TRIES: Final = 20
SECONDS_BETWEEN: Final = 0.1
# How many times its own size a backup may unpack to: logs shrink to a tenth, weights hardly.
MOST_TIMES: Final = 20
ANYHOW: Final = 2**24  # bytes that any backup may unpack to, however small it is


def save(file: Path, data: Mapping[str, Path] = DATA) -> int:
    """Write all runs and imported models to one file, and return how many files are in it.

    Raises UserError if the file cannot be written; it is written completely or not at all.
    """
    count = 0
    with (
        os_errors_as(UserError("backup_not_written", path=str(file))),
        replacing(file) as new,
        tarfile.open(new, "w:gz", compresslevel=1) as archive,
    ):
        for name, root in data.items():
            for folder in _folders(root):
                count += _add(archive, folder, Path(name) / folder.relative_to(root))
    return count


def restore(file: Path, data: Mapping[str, Path] = DATA) -> int:
    """Unpack a file that `save` wrote to the original folders, and return the number of files.

    Raises UserError for a damaged or foreign file, for one that unpacks to far more than its size,
    and if runs or models already exist; nothing is written then.
    """
    for root in data.values():
        if any(any(_files(folder)) for folder in _folders(root) if folder != root):
            raise UserError("not_empty", path=str(root))
    with ExitStack() as stack, os_errors_as(UserError("backup_unreadable", path=str(file))):
        asides = {}
        for name, root in data.items():
            root.mkdir(parents=True, exist_ok=True)
            asides[name] = stack.enter_context(aside("restore", root))
        count = _unpack(file, asides)
        for name, root in data.items():
            for path in asides[name].iterdir():
                path.rename(root / path.name)
    return count


def _folders(root: Path) -> Iterator[Path]:
    """Yield a folder, if it exists, and all folders below it; links are not followed."""
    if not root.exists():
        return
    yield root
    for child in _below(root):
        yield from _folders(child)


def _below(folder: Path) -> list[Path]:
    """Return the folders in a folder, without hidden ones, but with a former checkpoint.

    A former checkpoint stays only if the program died before the new one was renamed.
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
    """Add the files of a folder; those of a checkpoint are all from the same moment."""
    if (folder / MANIFEST).exists():
        return _add_together(archive, partial(_files, folder), name)
    return sum(_add_together(archive, partial(list, (path,)), name) for path in _files(folder))


def _files(folder: Path) -> list[Path]:
    found = sorted(folder.iterdir())
    return [p for p in found if p.is_file() and not p.is_symlink() and not _is_passed_over(p)]


def _add_together(archive: tarfile.TarFile, files: Callable[[], Sequence[Path]], name: Path) -> int:
    """Add files once all are open at the same moment; none if they were deleted meanwhile."""
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
    """A backup that is unpacked as it is read; raises UserError beyond a multiple of its size."""

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
    """Extract a backup's files; the first part of each name says which folder it belongs to."""
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
