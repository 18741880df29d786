"""Draws all screens of a book in the browser's Python; run by trace.mjs, never by the app."""

import json
import py_compile
import sys
from pathlib import Path
from typing import Any

JOB = json.loads(globals()["job"])
TAKEN = Path("/taken")
PACKAGES = Path("/lib/python3.14/site-packages")
LIVE = Path("/live")
MODELS = LIVE / "pretrained"

read = set[str]()


def note(event: str, arguments: Any) -> None:
    """Note which files are read, but for modules that are imported."""
    if event != "open" or not isinstance(arguments[0], str):
        return
    if "importlib" not in sys._getframe(1).f_code.co_filename:
        read.add(arguments[0])


def draw() -> None:
    """Open every screen in every language."""
    answer = globals()["answer"]
    for language in JOB["languages"]:
        answer("begin", json.dumps({**JOB["session"], "language": language}))
        for name, settings in JOB["settings"].items():
            drawn = json.loads(answer("open", json.dumps([name, settings])))
            if "error" in drawn:
                raise RuntimeError(f"{name}: {drawn['error']}")


def take() -> None:
    """Compile the modules, and copy what else was read."""
    modules = {getattr(module, "__file__", None) or "" for module in sys.modules.values()}
    for file in map(Path, sorted(modules | read)):
        if file.is_relative_to(PACKAGES) or file.is_relative_to(MODELS):
            _take(file)
    for package in ("app", "model"):
        for file in (LIVE / package).rglob("*.py"):
            _compile(file, _cached(file))


def _take(file: Path) -> None:
    if file.suffix == ".py" and str(file) not in read:
        _compile(file, file.with_suffix(".pyc"), optimize=2)  # without their docstrings
    elif file.is_file():
        _kept(file).write_bytes(file.read_bytes())
        if file.suffix == ".py":
            _compile(file, _cached(file))


def _cached(file: Path) -> Path:
    return file.parent / "__pycache__" / f"{file.stem}.cpython-314.pyc"


def _compile(file: Path, place: Path, optimize: int = 0) -> None:
    py_compile.compile(
        str(file),
        str(_kept(place)),
        doraise=True,
        optimize=optimize,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )


def _kept(place: Path) -> Path:
    kept = TAKEN / place.relative_to("/")
    kept.parent.mkdir(parents=True, exist_ok=True)
    return kept


sys.addaudithook(note)
exec(JOB["start"])
draw()
take()
