"""The folder of a training run: the only channel between the trainer and whoever watches it.

runs/NAME/
    plan.json      what was asked for: data, model, training, probe sentence
    status.json    where it stands, replaced as a whole
    wishes.json    what its visitors want of it: pause, stop, another learning rate
    log.jsonl      a line a logged step
    samples.jsonl  a line a frame: validation sentences as the model then translated them
    frames/        the probe sentence's attention at each frame (model/probe.py)
    best/ last/    checkpoints
    output.log     what the trainer printed
    alive.lock     held by the trainer as long as it lives

This file and model/turns.py import no torch: a run that waits for its turn shall be small.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, get_args

from filelock import FileLock, Timeout

from model.plan import ALIVE as ALIVE
from model.plan import Plan as Plan
from model.plan import State as State
from model.plan import Status as Status
from model.plan import Wishes as Wishes

RUNS: Final = Path(os.environ.get("RUNS_DIR", Path(__file__).parents[1] / "runs")).absolute()
LONGEST_NAME: Final = 60
# Windows opens a device for these, whatever folder they are in.
DEVICES: Final = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(1, 10))]
)
# A trainer needs a moment before it can hold its lock.
SECONDS_TO_START: Final = 30.0


class NameTakenError(ValueError):
    """There is a run of this name; the message is one sentence for people."""

    def __init__(self, name: str) -> None:
        super().__init__(f"There is already a run {name!r}: choose another name.")


def safe_name(name: str) -> str:
    """Return a run's name, stripped; raises ValueError for one that is no plain folder name."""
    name = name.strip()
    plain = all(char.isalnum() or char in " -_" for char in name)
    if not name or not plain or name.casefold() in DEVICES:
        raise ValueError("A name is made of letters, digits, blanks, hyphens and underscores.")
    if len(name) > LONGEST_NAME or len(name.encode()) > 3 * LONGEST_NAME:
        raise ValueError(f"A name has at most {LONGEST_NAME} characters.")
    return name


class RunFolder:
    """One run on the disk; every read sees a whole file or none, and never raises for its text."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def named(cls, name: str, runs: Path | None = None) -> RunFolder:
        """Return the folder of a name, there or not; raises ValueError for an unsafe name."""
        return cls((runs or RUNS) / safe_name(name))

    @property
    def name(self) -> str:
        return self.path.name

    def exists(self) -> bool:
        return (self.path / "plan.json").is_file()

    def create(self, plan: Plan, files: Mapping[str, str] | None = None) -> None:
        """Write a new run with its data files, queued; raises NameTakenError, or ValueError."""
        aside = self.path.parent / f".{self.name}.{os.getpid()}.{time.monotonic_ns()}"
        try:
            aside.mkdir(parents=True)
            new = RunFolder(aside)
            for name, text in (files or {}).items():
                (aside / name).write_text(text, encoding="utf-8")
            new.write_plan(plan)
            new.write_status(Status("queued", steps=plan.train.steps))
            if self.path.exists():
                raise NameTakenError(self.name)
            aside.rename(self.path)
        except OSError as error:
            if self.exists():
                raise NameTakenError(self.name) from error
            raise ValueError(f"The run cannot be written: {error.strerror}.") from error
        finally:
            shutil.rmtree(aside, ignore_errors=True)

    def plan(self) -> Plan:
        """Return the plan; raises ValueError when it cannot be read."""
        values = _read(self.path / "plan.json")
        if values is None:
            raise ValueError(f"There is no run {self.name!r}.")
        return Plan.from_dict(values)

    def write_plan(self, plan: Plan) -> None:
        _replace(self.path / "plan.json", plan.to_dict())

    def status(self) -> Status:
        """Return where the run stands; one that claims to live but does not was interrupted."""
        status = self._written_status()
        if status.state not in ALIVE or self.is_alive():
            return status
        # Read again: it may have come to its end, and let the lock go, in between.
        status = self._written_status()
        starting = status.state == "queued" and time.time() - status.updated < SECONDS_TO_START
        return (
            status
            if status.state not in ALIVE or starting
            else replace(status, state="interrupted", seconds_left=None)
        )

    def _written_status(self) -> Status:
        values = _read(self.path / "status.json") or {}
        if values.get("state") not in get_args(State):
            return Status("interrupted")
        known = Status.__dataclass_fields__.keys()
        return Status(**{name: value for name, value in values.items() if name in known})

    def write_status(self, status: Status) -> None:
        _replace(self.path / "status.json", asdict(replace(status, updated=time.time())))

    def wishes(self) -> Wishes:
        values = _read(self.path / "wishes.json") or {}
        known = Wishes.__dataclass_fields__.keys()
        return Wishes(**{name: value for name, value in values.items() if name in known})

    def wish(self, **changes: Any) -> None:
        """Change some of the wishes: `wish(stop=True)`."""
        _replace(self.path / "wishes.json", asdict(replace(self.wishes(), **changes)))

    def cut_after(self, step: int) -> None:
        """Forget what was noted after a step, and half a line at the end, to go on from there."""
        for path in (self.path / "log.jsonl", self.path / "samples.jsonl"):
            if path.exists():
                kept = [row for row in _lines(path) if row.get("step", 0) <= step]
                _replace_text(path, "".join(json.dumps(row) + "\n" for row in kept))
        for filmed in self.frames():
            if filmed > step:
                self.frame_file(filmed).unlink(missing_ok=True)

    def delete(self) -> None:
        """Delete the run, with all that it learned; raises ValueError for one that is alive."""
        if self.status().state in ALIVE:
            raise ValueError(f"The run {self.name!r} is still alive: stop it first.")
        aside = self.path.with_name(f".{self.name}.deleted.{time.monotonic_ns()}")
        try:
            self.path.rename(aside)
        except OSError as error:
            raise ValueError(f"The run cannot be deleted: {error.strerror}.") from error
        shutil.rmtree(aside, ignore_errors=True)

    def is_alive(self) -> bool:
        """Tell whether a trainer holds the run's lock, waiting or working."""
        if not self.path.is_dir():
            return False
        try:
            with self.alive_lock().acquire(timeout=0):
                return False
        except Timeout:
            return True
        except OSError:  # a folder that cannot be written to has no trainer in it
            return False

    def alive_lock(self) -> FileLock:
        """Return the lock that a trainer holds as long as it lives."""
        return FileLock(self.path / "alive.lock", thread_local=False)

    def log(self) -> list[dict[str, Any]]:
        """Return the logged steps, in order; a line cut in the middle is passed over."""
        return _lines(self.path / "log.jsonl")

    def samples(self) -> list[dict[str, Any]]:
        """Return {"step", "exact", "samples": [{"src", "tgt", "output"}]} of each frame."""
        return _lines(self.path / "samples.jsonl")

    def frames(self) -> list[int]:
        """Return the steps that were filmed, in order."""
        found = (file.stem for file in (self.path / "frames").glob("*.safetensors"))
        return sorted(int(stem) for stem in found if stem.isdigit())

    def frame_file(self, step: int) -> Path:
        return self.path / "frames" / f"{step:08d}.safetensors"


def create_run(plan: Plan, files: Mapping[str, str], runs: Path | None = None) -> RunFolder:
    """Write a new run under its plan's name, or the next free one; raises ValueError.

    Runs are created one after the other, so that they queue in the order of their times.
    """
    runs = runs or RUNS
    try:
        runs.mkdir(parents=True, exist_ok=True)
        with FileLock(runs / ".create.lock", timeout=SECONDS_TO_START):
            name = free_name(plan.name, runs)
            folder = RunFolder.named(name, runs)
            folder.create(replace(plan, name=name, created=time.time()), files)
            return folder
    except OSError as error:
        raise ValueError(f"The run cannot be written: {error.strerror or error}.") from error


def run_names(runs: Path | None = None) -> list[str]:
    """Return the names of all runs, the newest first."""
    plans = (runs or RUNS).glob("*/plan.json")
    folders = [plan.parent for plan in plans if plan.parent.name[0] != "."]
    return [folder.name for folder in sorted(folders, key=_created, reverse=True)]


def free_name(stem: str, runs: Path | None = None) -> str:
    """Return a name that no run has: `stem`, `stem 2`, …; raises ValueError for an unsafe one."""
    stem = safe_name(stem)[: LONGEST_NAME - 5].rstrip()
    names = (stem if i == 1 else f"{stem} {i}" for i in itertools.count(1))
    return next(name for name in names if not RunFolder.named(name, runs).path.exists())


def _created(folder: Path) -> tuple[float, str]:
    created = (_read(folder / "plan.json") or {}).get("created")
    return (created if isinstance(created, int | float) else 0.0), folder.name


def _read(path: Path) -> dict[str, Any] | None:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _replace(path: Path, value: Mapping[str, Any]) -> None:
    _replace_text(path, json.dumps(value, ensure_ascii=False))


def _replace_text(path: Path, text: str) -> None:
    """Write a file so that a reader sees the former one or the new one; raises ValueError."""
    aside = path.with_name(f".{path.name}.{os.getpid()}.{time.monotonic_ns()}")
    try:
        aside.write_text(text, encoding="utf-8")
        aside.replace(path)
    except OSError as error:
        raise ValueError(f"The run cannot be written: {error.strerror}.") from error
    finally:
        with contextlib.suppress(OSError):
            aside.unlink(missing_ok=True)


def _lines(path: Path) -> list[dict[str, Any]]:
    try:
        raw = path.read_bytes().split(b"\n")
    except OSError:
        return []
    rows = []
    for line in raw:
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            rows.append(row)
    return rows
