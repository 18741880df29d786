"""The folder `live/` of a book: Python for the browser, the app's code and the model.

Which modules and files the screens need is found by drawing all of them once, in that same Python
under Node.js; it compiles them, too, as that takes half of the time until a page answers.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from app.book.build import BookPlan

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
CACHE: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
# Python for the browser is on npm, but what is compiled for it (NumPy, Pillow) is neither there nor
# on PyPI by itself. This package has all of it.
VERSION: Final = "314.0.3"
PACKAGE: Final = "open-webui==0.12.4"
INSIDE: Final = "open_webui/frontend/pyodide/"
NUMPY: Final = "numpy-2.4.3-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
PILLOW: Final = "pillow-12.2.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
HASHES: Final = {
    "pyodide.mjs": "5cfc46f5dcbaf2a16f26e2363f441873eb424762609cc03db00d6a2ace4d00e5",
    "pyodide.asm.mjs": "1a9775427ef6e8abaa7db88ece0515422d1886915ae5c9093776410c865dfd8d",
    "pyodide.asm.wasm": "e7f8fac36f8bf11085309cbc5c829b3ec3057c18bf1d73b05a6741612d63cdbf",
    "python_stdlib.zip": "444c770dfd75a32097fc0a7d5c1413fd3140601f49c3a1f2e9af0376fcd124b4",
    NUMPY: "0cad9c1b91f0082e4f959bc0e0bf5835a2efbba6ab3b1e9d1fe6e7e564cca98e",
    PILLOW: "a50d83a8a76d646768e99e93ed5bf365d0b83563fd8b597e77562e75c8f575a9",
}
LOCK: Final = {
    "info": {"abi_version": "2026_0", "arch": "wasm32", "platform": "emscripten_5_0_3"},
    "packages": {},
}
# The browser has the repository in /live, and other packages where Python looks for them.
START: Final = """
import sys, time
time.thread_time = time.process_time  # the browser's Python has one thread
sys.path[:0] = ["/live/app/live/stand_ins", "/live"]
import absent
absent.install()
from streamlit import config, logger
config.get_config_options()  # which would set the level again
logger.set_log_level("error")  # that there is no server, each run would say
from app.live.session import answer
answer
"""


def write(out: Path, plan: BookPlan, tell: Callable[[str], None]) -> list[str]:
    """Write what a book needs to draw its screens on a reader's own sentence.

    Returns the names of those that no browser can draw. Raises ValueError where something that it
    is made of is not to be had.
    """
    if not (ROOT / "pretrained" / plan.model).is_dir():
        raise ValueError(f"--live is for the models of pretrained/: {plan.model} is none.")
    python = runtime()
    live = out / "live"
    live.mkdir()
    shutil.copy(HERE / "worker.js", live)
    with TemporaryDirectory() as folder:
        work = Path(folder)
        tell("live: draw all screens in the browser's Python")
        _trace(python, plan, work)
        model = f"pretrained/{plan.model}"
        weights = work / f"{Path(model).name}.zip"
        archive(work / "code.zip", _code(work, model))
        archive(weights, _files(model))
        wasm = zlib.compress((python / "pyodide.asm.wasm").read_bytes(), 9)
        (work / "python.bin").write_bytes(wasm)
        sources = {
            "pyodide": python / "pyodide.mjs",
            "module": python / "pyodide.asm.mjs",
            "wasm": work / "python.bin",
            "library": python / "python_stdlib.zip",
            "code": work / "code.zip",
            "model": weights,
        }
        left: list[str] = json.loads((work / "left.json").read_text(encoding="utf-8"))
        files = {name: _keep(source, live) for name, source in sources.items()}
    notice = "\n".join(_licences(live / files["code"][0]))
    (live / "NOTICE.txt").write_text(notice, encoding="utf-8")
    (live / "files.json").write_text(json.dumps({"start": START, "lock": LOCK, "files": files}))
    tell(f"live: {sum(size for _name, size in files.values()) / 1e6:.1f} MB")
    if left:
        tell(f"live: only as recorded: {', '.join(left)}")
    return left


def runtime() -> Path:
    """Return the folder with Python for the browser, which is downloaded once.

    Raises ValueError if it cannot be.
    """
    folder = CACHE / "illuminated-transformer" / f"pyodide-{VERSION}"
    if all(_is_whole(folder / name) for name in HASHES):
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as there:
        ask = [sys.executable, "-m", "pip", "download", PACKAGE, "--no-deps", "--dest", there]
        ask += ["--quiet", "--only-binary", ":all:", "--python-version", "3.12"]
        done = subprocess.run(ask, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ValueError(
                f"--live needs Python for the browser, once: pip cannot download {PACKAGE}, and "
                f"it is not in {folder}."
            )
        (wheel,) = Path(there).glob("*.whl")
        with zipfile.ZipFile(wheel) as packed:
            for name in HASHES:
                (folder / name).write_bytes(packed.read(INSIDE + name))
    if wrong := [name for name in HASHES if not _is_whole(folder / name)]:
        raise ValueError(f"{PACKAGE} has another {wrong[0]} than it had.")
    return folder


def _is_whole(file: Path) -> bool:
    return file.is_file() and sha256(file.read_bytes()) == HASHES[file.name]


def sha256(data: bytes) -> str:
    """Return the hash by which files are known."""
    return hashlib.sha256(data).hexdigest()


def _trace(python: Path, plan: BookPlan, work: Path) -> None:
    """Draw the screens where only what the browser has can be imported; keep what they took."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    node = shutil.which("node", path=path)
    if node is None:
        raise ValueError("--live needs Node.js: `make install-dev` installs it.")
    job = {
        "start": START,
        "lock": LOCK,
        "python": str(python),
        "wheels": [NUMPY, PILLOW],
        "root": str(ROOT),
        "site": sysconfig.get_path("purelib"),
        "out": str(work),
        "session": plan.session(),
        "languages": plan.languages,
        "settings": {entry.name: entry.settings for entry in plan.entries},
    }
    (work / "job.json").write_text(json.dumps(job), encoding="utf-8")
    done = subprocess.run(
        [node, str(HERE / "trace.mjs"), str(work / "job.json")],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ValueError(f"A screen cannot be drawn in the browser: {done.stderr.strip()[-2000:]}")


def _code(work: Path, model: str) -> Iterator[tuple[str, Path]]:
    """Yield all of the app, whose clicks lead anywhere in it, and of all else what was used."""
    for package in ("app", "model"):
        yield from _files(package)
    taken = work / "taken"
    for file in sorted(taken.rglob("*")):
        name = file.relative_to(taken).as_posix()
        if file.is_file() and not name.startswith(f"live/{model}/"):
            yield name, file


def _files(folder: str) -> Iterator[tuple[str, Path]]:
    """Yield the files of a folder of the repository, by their places in the browser."""
    for file in sorted((ROOT / folder).rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            yield f"live/{file.relative_to(ROOT).as_posix()}", file


def archive(path: Path, files: Iterable[tuple[str, Path]]) -> None:
    """Write files into an archive that is the same whenever they are."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, file in files:
            packed.writestr(zipfile.ZipInfo(name), file.read_bytes(), zipfile.ZIP_DEFLATED)


def _keep(source: Path, live: Path) -> tuple[str, int]:
    """Copy a file to a name that says what is in it; return the name and its bytes."""
    data = source.read_bytes()
    ending = source.suffix.replace(".mjs", ".js")  # which every server knows
    stem = source.stem.replace(".", "-")
    file = f"{stem}.{sha256(data)[:10]}{ending}"
    (live / file).write_bytes(data)
    return file, len(data)


def _licences(code: Path) -> Iterator[str]:
    """Yield who wrote what lies in the folder, and under which licence."""
    yield f"Pyodide {VERSION}, https://github.com/pyodide/pyodide: MPL-2.0"
    yield "Python 3.14, https://www.python.org: PSF-2.0"
    yield "NumPy 2.4.3, https://numpy.org: BSD-3-Clause"
    yield "Pillow 12.2.0, https://python-pillow.org: MIT-CMU"
    with zipfile.ZipFile(code) as packed:
        parts = [name.partition("site-packages/")[2] for name in packed.namelist()]
    folders = {part.split("/")[0] for part in parts} - {"", "numpy", "PIL"}
    owners = metadata.packages_distributions()
    for name in sorted({owner for folder in folders for owner in owners.get(folder, [])}):
        told = metadata.metadata(name)
        keys = [key for key in ("License-Expression", "License") if key in told]
        licence = told[keys[0]] if keys else "see its page"
        yield f"{told['Name']} {told['Version']}: {licence.splitlines()[0]}"
    yield ""
