"""Draws all screens of a book in the browser's Python; run by trace.mjs, never by the app."""

import json
import logging
import py_compile
import sys
from pathlib import Path
from typing import Any

JOB = json.loads(globals()["job"])
OUT = Path("/out")
TAKEN = OUT / "taken"
PACKAGES = Path("/lib/python3.14/site-packages")
LIVE = Path("/live")
MODELS = LIVE / "pretrained"
ROOM = 5_000_000  # bytes of other models that may come along for a page

read = set[str]()
failed = list[logging.LogRecord]()


def note(event: str, arguments: Any) -> None:
    """Note which files are read, but for modules that are imported."""
    if event != "open" or not isinstance(arguments[0], str):
        return
    if "importlib" not in sys._getframe(1).f_code.co_filename:
        read.add(arguments[0])


def note_failure(record: logging.LogRecord) -> bool:
    """Note what an error box tells of, in place of printing it."""
    failed.append(record)
    return False


def draw() -> set[str]:
    """Open every screen in every language; return those that are better left as recorded.

    Some compute with what no browser has, and the pages of some need other models besides.
    """
    from app.data.cache import CACHE  # only there once the browser's start was run

    pages: dict[str, list[str]] = {}
    for name, (page, _screen) in JOB["session"]["names"].items():
        pages.setdefault(page, []).append(name)
    left = set[str]()
    for language in JOB["languages"]:
        ask("begin", {**JOB["session"], "language": language})
        for names in pages.values():
            CACHE.clear()
            before = set(read)
            left.update(name for name in names if not is_drawn(name))
            fresh = read - before
            if sum(Path(file).stat().st_size for file in fresh if is_of_others(file)) > ROOM:
                left.update(names)
            if left.issuperset(names):
                read.difference_update([file for file in fresh if is_of_others(file)])
    return left


def is_drawn(name: str) -> bool:
    """Open a screen; return whether all of it could be computed."""
    failed.clear()
    drawn = ask("open", [name, JOB["settings"][name]])
    return not (failed or "error" in drawn)


def ask(call: str, arguments: Any) -> Any:
    return json.loads(globals()["answer"](call, json.dumps(arguments)))


def is_of_others(file: str) -> bool:
    """Whether a file belongs to another model than the book's."""
    path = Path(file)
    own = MODELS / JOB["session"]["model"]
    return path.is_file() and path.is_relative_to(MODELS) and not path.is_relative_to(own)


def take() -> None:
    """Compile the modules, and copy what else was read."""
    modules = {getattr(module, "__file__", None) or "" for module in sys.modules.values()}
    # Babel asks whether a language's file is there, and seldom reads it.
    languages = {
        f"{PACKAGES}/babel/locale-data/{name}.dat" for name in ("root", "en", *JOB["languages"])
    }
    for file in map(Path, sorted(modules | languages | read)):
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


def trace() -> None:
    """Draw all screens, once the app is there, and keep what they took."""
    logging.getLogger("app.ui.error_box").addFilter(note_failure)
    (OUT / "left.json").write_text(json.dumps(sorted(draw())))
    take()


sys.addaudithook(note)  # before the app is imported
