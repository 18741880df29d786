"""Folders of runs and models, and reading and writing their files: JSON, rows and checksums."""

import contextlib
import errno
import hashlib
import itertools
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import UnionType
from typing import Any, Final, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from model.errors import UserError

R = TypeVar("R")
ROOT: Final = Path(__file__).parents[1]
# The user's own runs and models are in the project's folder, or at home if it is installed.
_IN_ITS_FOLDER: Final = (ROOT / "pyproject.toml").is_file()
OWN: Final = ROOT if _IN_ITS_FOLDER else Path.home() / ".illuminated-transformer"
RUNS: Final = Path(os.environ.get("RUNS_DIR") or OWN / "runs").absolute()
# The folder for a server's visitors in the folders of runs and models; no run's name has a dot.
VISITORS: Final = ".visitors"
LONGEST_NAME: Final = 60
# On Windows these names open a device, whatever folder they are in.
DEVICES: Final = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(1, 10))]
)
# Folders for what is unpacked or written before it is renamed; HELD is locked as long as it lasts.
Aside = Literal["export", "import", "record", "restore", "taken", "upload"]
HELD: Final = ".held"
HALF: Final = re.compile(r"\..+(\.\d+\.\d+|\.new)", re.DOTALL)
FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
SECONDS_TO_LOCK: Final = 2.0  # a folder is made before it is locked
HOUR: Final = 3600.0
DAY: Final = 24 * HOUR  # for which what was deleted can be brought back
# No count, size or time of a run exceeds this.
LARGEST: Final = 1e16

_visitor: Callable[[], str] | None = None


def follow(visitor: Callable[[], str]) -> None:
    """Let `visitor` say whose runs and models are meant by default; "" means all of them."""
    global _visitor
    _visitor = visitor


def own(folder: Path) -> Path:
    """Return the current visitor's part of a folder, or the folder itself without visitors."""
    name = _visitor() if _visitor else ""
    return folder / VISITORS / name if name else folder


def own_runs() -> Path:
    """Return the folder of the current visitor's runs."""
    return own(RUNS)


def safe_name(name: str) -> str:
    """Return a run's name, stripped; raises UserError if it is not a plain folder name."""
    name = name.strip()
    plain = all(char.isalnum() or char in " -_" for char in name)
    short = len(name) <= LONGEST_NAME and len(name.encode()) <= 3 * LONGEST_NAME
    if name and plain and short and name.casefold() not in DEVICES:
        return name
    raise UserError("bad_name", name=name[:LONGEST_NAME], most=LONGEST_NAME)


def named(name: str, folder: Path) -> Path:
    """Return the folder of a run or a model in a folder, whether it exists or not.

    Raises ValueError for an unsafe name, and for one that leads out of the folder.
    """
    path = folder / safe_name(name)
    if path.is_symlink():
        raise UserError("no_run", name=repr(name))
    return path


def read_json(path: Path) -> dict[str, Any]:
    """Read one JSON object; raises OSError or ValueError."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except RecursionError as error:
        raise ValueError(f"{path} is nested too deep.") from error
    if not isinstance(value, dict):
        raise ValueError(f"{path} is no JSON object.")
    return value


def unchanged(read: Callable[[Path], R]) -> Callable[[Path], R]:
    """Cache a function that reads files until they change; its results must not be modified."""

    @lru_cache(maxsize=4096)
    def read_once(path: Path, _stamp: tuple[int, ...]) -> R:
        return read(path)

    def read_latest(path: Path) -> R:
        stat = path.stat()
        return read_once(path, (stat.st_mtime_ns, stat.st_ino, stat.st_size))

    return read_latest


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write a new file, indented so that people can read it too; raises OSError."""
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a path to write to, which replaces `path` at the end; after an error, nothing does.

    A link stays, and what it leads to is replaced; a pipe or a device is written to itself.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        yield path
        return
    new = path.with_name(f".{path.name[:LONGEST_NAME]}.{os.getpid()}.{time.monotonic_ns()}")
    try:
        yield new
        new.replace(path)
    except OSError as error:
        if error.filename == str(new) or error.errno in FULL:
            error.filename = str(path)
        raise
    finally:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)


def replace_text(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old or the new version; raises OSError."""
    with replacing(path) as new:
        new.write_text(text, encoding="utf-8")


@contextlib.contextmanager
def aside(kind: Aside, folder: Path) -> Iterator[Path]:
    """Give a new hidden folder in `folder`, gone at the end; `sweep` removes a killed process's."""
    from filelock import FileLock  # which a book has not

    with tempfile.TemporaryDirectory(prefix=f".{kind}.", dir=folder) as name:
        new = Path(name) / "new"
        with FileLock(new.with_name(HELD)):
            new.mkdir()
            yield new


def sweep(folder: Path) -> None:
    """Remove from a folder what processes that were killed left there, and nobody else holds."""
    for path in folder.glob(".*"):
        with contextlib.suppress(OSError):
            if _is_left(path):
                remove(path)


def _is_left(path: Path) -> bool:
    """Return whether no living process holds a file or folder that was only for a while."""
    _empty, *parts = path.name.split(".")
    if _empty or not parts or path.is_symlink():
        return False
    if parts[0] in get_args(Aside) and path.is_dir() and (path / HELD).exists():
        from filelock import FileLock, Timeout

        lock = FileLock(path / HELD)
        with contextlib.suppress(Timeout), lock.acquire(timeout=0):
            return age(path) > SECONDS_TO_LOCK
        return False
    if parts[0] in get_args(Aside) or is_half(path):
        return age(path) > HOUR
    return "deleted" in parts and age(path) > DAY


def is_half(path: Path) -> bool:
    """Return whether a name is that of a file or folder which is written before it is renamed."""
    return HALF.fullmatch(path.name) is not None


def age(path: Path) -> float:
    """Return for how many seconds a file or folder is as it is; 0 if it is gone."""
    try:
        return max(0.0, time.time() - path.lstat().st_ctime)
    except OSError:
        return 0.0


def remove(path: Path) -> None:
    """Remove a file, or a folder with all in it, as far as that is possible."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the JSON objects of a file with one per line; a partial line is skipped."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError:
        return []
    rows = []
    for line in lines:
        with contextlib.suppress(ValueError, RecursionError):
            rows.append(json.loads(line))
    return [row for row in rows if isinstance(row, dict)]


@cache
def types_of(record: type) -> dict[str, Any]:
    """Return the type of each field of a dataclass."""
    return get_type_hints(record)


def fits(value: Any, kind: Any) -> bool:
    """Return whether a value from JSON has a type; numbers must be finite, from 0 to LARGEST."""
    origin, kinds = get_origin(kind), get_args(kind)
    if origin is Literal:
        return value in kinds
    if origin is UnionType:
        return any(fits(value, one) for one in kinds)
    if origin is tuple:
        listed = isinstance(value, list | tuple)
        if not listed or kinds[-1] is ...:
            return listed and all(fits(one, kinds[0]) for one in value)
        return len(value) == len(kinds) and all(map(fits, value, kinds))
    if kind in (int, float):
        return type(value) in (int, kind) and 0 <= value <= LARGEST
    return isinstance(value, kind)


def built(kind: type[R], value: Any) -> R:
    """Return a value from JSON as its type says: objects as dataclasses, lists as tuples.

    Raises KeyError, TypeError or AttributeError if the value is of another shape.
    """
    return cast(R, _built(kind, value))


def _built(kind: Any, value: Any) -> Any:
    origin, kinds = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and is_dataclass(kind):
        types = types_of(kind)
        return kind(**{name: _built(types[name], one) for name, one in value.items()})
    if origin is tuple:
        each = itertools.repeat(kinds[0]) if kinds[-1] is ... else kinds
        return tuple(map(_built, each, value))
    if origin is Mapping:
        return {name: _built(kinds[1], one) for name, one in value.items()}
    if origin is UnionType and value is not None:
        return _built(kinds[0], value)
    return value


def append(path: Path, data: bytes) -> None:
    """Append all of the data to a file, or nothing; raises OSError."""
    with path.open("ab", buffering=0) as file:
        size = file.tell()
        try:
            while data:
                data = data[file.write(data) :]
        except OSError:
            file.truncate(size)
            raise


def flush(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sha256(path: Path) -> str:
    """Return a file's checksum; raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
