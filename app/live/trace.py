"""Draws all screens of a book in the browser's Python; run by trace.mjs, never by the app."""

import json
import py_compile
import sys
from pathlib import Path
from typing import Any

JOB = json.loads(globals()["job"])
TAKEN = Path("/taken")
PACKAGES = Path("/lib/python3.14/site-packages")  # NumPy's
SITE = Path("/site")
LIVE = Path("/live")

opened = set[str]()


def note(event: str, arguments: Any) -> None:
    """Note which files are read."""
    if event == "open" and isinstance(arguments[0], str):
        opened.add(arguments[0])


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
    files = {Path(one.__file__) for one in list(sys.modules.values()) if _has_file(one)}
    for file in sorted(files | {Path(name) for name in opened}):
        if file.is_relative_to(PACKAGES):
            _take(file, SITE / file.relative_to(PACKAGES), file in files)
        elif file.is_relative_to(SITE):
            _take(file, file, file in files)
    for package in ("app", "model"):
        for file in (LIVE / package).rglob("*.py"):
            _compile(file, file.parent / "__pycache__" / f"{file.stem}.cpython-314.pyc", file)


def _has_file(module: Any) -> bool:
    return bool(getattr(module, "__file__", None))


def _take(file: Path, place: Path, is_module: bool) -> None:
    if file.suffix == ".py":
        if is_module:
            _compile(file, place.with_suffix(".pyc"), place)
    elif file.is_file():
        _write(place, file.read_bytes())


def _compile(file: Path, place: Path, name: Path) -> None:
    kept = TAKEN / place.relative_to("/")
    kept.parent.mkdir(parents=True, exist_ok=True)
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(file), str(kept), str(name), doraise=True, invalidation_mode=mode)


def _write(place: Path, data: bytes) -> None:
    kept = TAKEN / place.relative_to("/")
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(data)


sys.addaudithook(note)
exec(JOB["start"])
set_log_level = __import__("streamlit.logger").logger.set_log_level
set_log_level("error")
draw()
take()
