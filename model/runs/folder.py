"""The folder of a training run, the only channel between the trainer and those who watch it.

runs/NAME/
    plan.json      what was asked for: data, model, training, probe sentence
    config.yaml    the same for people, by the names of the command line's options
    status.json    the run's state and progress, replaced as a whole
    wishes.json    what its visitors have asked for: pause, stop, another learning rate
    log.jsonl      one line for each logged step
    samples.jsonl  one line for each frame: validation sentences as the model translated them then
    frames/        the probe sentence's attention at each frame (model/runs/film.py)
    best/ last/    checkpoints, as is before_end/
    moments/       the weights at filmed moments, as checkpoints
    start/         the model whose weights it begins with, if any
    output.log     what the trainer printed
    alive.lock     held by the trainer for as long as it runs

This file and queue.py do not import torch, so that a run waiting in the queue takes little memory.
"""

import itertools
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, Self

import yaml
from filelock import FileLock, Timeout

from model.config import ModelConfig, TrainConfig
from model.errors import UserError, os_errors_as, reason
from model.files import (
    LONGEST_NAME,
    ROOT,
    age,
    fits,
    is_half,
    named,
    own_runs,
    read_json,
    read_rows,
    remove,
    replace_text,
    safe_name,
    sha256,
    types_of,
    unchanged,
)
from model.runs.plan import ALIVE, ROWS, START, Plan, Status, Wishes, refuse_other
from model.settings import settings_of
from model.training.presets import suited

# A trainer takes a moment to start and acquire its lock.
SECONDS_TO_START: Final = 30.0
SECONDS_TO_WRITE: Final = 10.0  # a status or a wish
RESERVED: Final = 64 * 2**10  # bytes
SETTINGS_HEAD: Final = (
    "# The settings of this run: `train --config config.yaml --out ANOTHER` trains it again.\n"
)


class RunFolder:
    """One run on disk; a read sees a whole file or none, and never raises for its contents."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def named(cls, name: str, runs: Path | None = None) -> Self:
        """Return the folder of the run with this name, whether it exists or not.

        Raises ValueError for an unsafe name, and for one that leads out of the folder of runs.
        """
        return cls(named(name, runs or own_runs()))

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def created(self) -> float:
        """The time when the run was created; 0 if it cannot be read."""
        created: Any = (_read(self.path / "plan.json") or {}).get("created")
        return float(created) if fits(created, float) else 0.0

    def exists(self) -> bool:
        return (self.path / "plan.json").is_file()

    def create(
        self, plan: Plan, files: Mapping[str, str] | None = None, start: Path | None = None
    ) -> None:
        """Write a new, queued run with its data files and the model that it starts from.

        Raises UserError.
        """
        aside = self.path.parent / f".{self.name}.{os.getpid()}.{time.monotonic_ns()}"
        try:
            aside.mkdir(parents=True)
            new = RunFolder(aside)
            for name, text in (files or {}).items():
                (aside / name).write_text(text, encoding="utf-8")
            if start is not None:
                shutil.copytree(start, aside / START)
            new.write_plan(replace(plan, from_model=start is not None))
            new.write_status(Status("queued", steps=plan.train.steps))
            new.reserve_space()
            if self.path.exists():
                raise UserError("name_taken", name=self.name)
            aside.rename(self.path)
        except OSError as error:
            if self.exists():
                raise UserError("name_taken", name=self.name) from error
            raise UserError("run_not_written", why=reason(error)) from error
        finally:
            shutil.rmtree(aside, ignore_errors=True)

    def plan(self) -> Plan:
        """Return the plan; raises ValueError if it cannot be read."""
        with os_errors_as(UserError("no_run", name=repr(self.name))):
            return _read_plan(self.path / "plan.json")

    def files(self) -> dict[str, str]:
        """Return the data files in the folder; raises UserError if one is missing."""
        plan = self.plan()
        try:
            return {
                name: (self.path / name).read_text(encoding="utf-8")
                for name in {*plan.data, plan.valid}
                if name and not Path(name).is_absolute()
            }
        except OSError as error:
            raise UserError("pairs_gone", name=repr(self.name)) from error

    def start(self) -> Path | None:
        """Return the folder of the model that the run starts from, or None if there is none."""
        return self.path / START if self.plan().from_model else None

    def begin_with(self, model: Path) -> None:
        """Copy the folder of the model whose weights the run starts from."""
        with os_errors_as(UserError("run_not_written", "out")):
            shutil.copytree(model, self.path / START, dirs_exist_ok=True)

    def write_plan(self, plan: Plan) -> None:
        _replace_json(self.path / "plan.json", plan.to_dict())

    def status(self) -> Status:
        """Return the run's status; a run that claims to be alive but has no process is interrupted.

        A paused run has been saved, and needs no process.
        """
        status = self._written_status()
        if status.state not in ALIVE or self.is_alive():
            return status
        # Read again: the run may have ended and released its lock in the meantime.
        status = self._written_status()
        age = abs(time.time() - status.updated)  # the clock may have been set back
        starting = status.state == "queued" and age < SECONDS_TO_START
        rests = status.state == "paused" and not status.error and self.is_saved()
        if status.state not in ALIVE or starting or rests:
            return status
        return replace(status, state="interrupted", seconds_left=None)

    def _written_status(self) -> Status:
        try:
            return _read_status(self.path / "status.json")
        except OSError:
            return Status("interrupted")

    def write_settings(self, plan: Plan) -> None:
        _replace(self.path / "config.yaml", _settings(plan, self.path.absolute()))

    def write_status(self, status: Status) -> None:
        error = status.error.to_dict() if status.error else None
        values = vars(status) | {"error": error, "updated": time.time()}
        _replace_json(self.path / "status.json", values)

    def reserve_space(self) -> None:
        """Reserve space for the status that reports a full disk; raises OSError."""
        if not self._reserve.exists():
            try:
                self._reserve.write_bytes(os.urandom(RESERVED))
            except OSError:
                self.release_space()
                raise

    def release_space(self) -> None:
        self._reserve.unlink(missing_ok=True)

    @property
    def _reserve(self) -> Path:
        return self.path / ".reserve"

    def wishes(self) -> Wishes:
        return Wishes(**_fields(_read(self.path / "wishes.json") or {}, Wishes))

    def wish(self, **changes: Any) -> None:
        """Change some of the wishes: `wish(stop=True)`."""
        _replace_json(self.path / "wishes.json", asdict(replace(self.wishes(), **changes)))

    def cut_after(self, step: int) -> None:
        """Delete what was logged after a step, and any partial last line, to go on from there."""
        for name in ROWS:
            if (self.path / name).exists():
                kept = [row for row in self._rows(name) if row["step"] <= step]
                _replace(self.path / name, "".join(json.dumps(row) + "\n" for row in kept))
        for filmed in self.frames():
            if filmed > step:
                self.frame_file(filmed).unlink(missing_ok=True)
        for moment in self.moments():
            if moment > step:
                shutil.rmtree(self.moment_folder(moment), ignore_errors=True)

    def delete(self) -> None:
        """Delete the run and everything it learned; raises ValueError if it is alive."""
        shutil.rmtree(self.put_aside(), ignore_errors=True)

    def put_aside(self) -> Path:
        """Take the run off the list, and return its new, hidden folder.

        Raises ValueError if the run is alive or cannot be moved.
        """
        if self.status().state in ALIVE:
            raise UserError("alive", name=repr(self.name))
        aside = self.path.with_name(f".{self.name}.deleted.{time.monotonic_ns()}")
        with os_errors_as(UserError("run_not_deleted")):
            self.path.rename(aside)
        return aside

    def is_saved(self) -> bool:
        """Return whether there is a state to resume from."""
        return any((self.path / name).exists() for name in ("last", ".last.old"))

    @property
    def saved_step(self) -> int:
        """The step that a resumed run continues from; 0 if nothing was saved."""
        step: Any = self._saved().get("step")
        return step if fits(step, int) else 0

    def _saved(self) -> dict[str, Any]:
        parts = (_read(self.path / name / "metrics.json") for name in ("last", ".last.old"))
        return next(filter(None, parts), {})

    def refuse_other(self, plan: Plan) -> None:
        """Raise UserError if a plan would not continue the saved run, but train another one."""
        saved = self._saved()
        if "plan" not in saved:
            return
        before, after = Plan.from_dict(saved["plan"]).fixed, plan.fixed
        if "data" in saved:  # missing in older runs
            before["data"], after["data"] = saved["data"], self.data_sums(plan)
        if plan.train.steps < self.saved_step:
            before["steps"], after["steps"] = f"≥ {self.saved_step}", plan.train.steps
        refuse_other(before, after)

    def data_sums(self, plan: Plan) -> str:
        """Return the first digits of the checksums of a plan's data files; raises UserError."""
        files = [self.path / name for name in (*plan.data, plan.valid) if name]
        with os_errors_as(UserError("pairs_gone", name=repr(self.name))):
            return " ".join(sha256(file)[:8] for file in files)

    def spawn(
        self, command: Sequence[str], environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a process that belongs to no terminal and to no server; raises OSError."""
        with (self.path / "output.log").open("ab") as output:
            return subprocess.Popen(
                command,
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def sweep(self) -> None:
        """Remove what a killed trainer was writing: only its next one may, or whoever sees none.

        A page writes its wishes within milliseconds.
        """
        with suppress(OSError):
            for path in list(self.path.rglob(".*")):
                if is_half(path) and age(path) > SECONDS_TO_WRITE:
                    remove(path)

    def is_alive(self) -> bool:
        """Return whether a trainer, waiting or training, holds the run's lock."""
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
        """Return the lock that a trainer holds for as long as it runs."""
        return FileLock(self.path / "alive.lock", thread_local=False)

    def log(self) -> list[dict[str, Any]]:
        """Return the logged steps, in order; a partial line is skipped."""
        return self._rows("log.jsonl")

    def samples(self) -> list[dict[str, Any]]:
        """Return {"step", "exact", "judged", "samples": [{"src", "tgt", "output"}]} per frame."""
        return self._rows("samples.jsonl")

    def _rows(self, name: str) -> list[dict[str, Any]]:
        return [row for row in read_rows(self.path / name) if ROWS[name](row)]

    def odd_files(self) -> list[str]:
        """Return which of the two files have lines that no run writes; those lines are skipped."""
        return [
            name
            for name, is_ours in ROWS.items()
            if not all(map(is_ours, read_rows(self.path / name)))
        ]

    def frames(self) -> list[int]:
        """Return the steps that were filmed, in order."""
        stems = (file.stem for file in (self.path / "frames").glob("*.safetensors"))
        return sorted(int(stem) for stem in stems if stem.isdecimal())

    def frame_file(self, step: int) -> Path:
        return self.path / "frames" / f"{step:08d}.safetensors"

    def moments(self) -> list[int]:
        """Return the filmed steps whose weights are kept, in order."""
        names = (file.parent.name for file in (self.path / "moments").glob("*/manifest.json"))
        return sorted(int(name) for name in names if name.isdecimal())

    def moment_folder(self, step: int) -> Path:
        return self.path / "moments" / f"{step:08d}"


def _settings(plan: Plan, folder: Path) -> str:
    """Return the settings of a plan, whose files are in a folder, as YAML."""
    options: dict[str, Any] = {}
    if plan.data:
        options["data"] = [str(folder / name) for name in plan.data]
        options["valid"] = str(folder / plan.valid)
    else:
        options |= {"task": plan.task, "pairs": plan.pairs}
    if plan.from_model:
        options["start_from"] = str(folder / START)
    if plan.snapshots:
        options["snapshot"] = list(plan.snapshots)
    settings = suited(plan.model.to_dict() | plan.train.to_dict(), plan.model.arch)
    every = settings_of(ModelConfig) | settings_of(TrainConfig)
    declared = {name for name, one in every.items() if one.setting.help}
    options |= {name: settings[name] for name in settings if name in declared}
    return SETTINGS_HEAD + yaml.safe_dump(options, sort_keys=False, allow_unicode=True)


def free_name(stem: str, runs: Path | None = None) -> str:
    """Return an unused name: `stem`, `stem 2`, …; raises ValueError for an unsafe one."""
    stem = safe_name(stem)[: LONGEST_NAME - 5].rstrip()
    unnumbered = re.sub(r" \d+$", "", stem)
    names = itertools.chain([stem], (f"{unnumbered} {i}" for i in itertools.count(2)))
    return next(name for name in names if not os.path.lexists((runs or own_runs()) / name))


def create_run(
    plan: Plan, files: Mapping[str, str], runs: Path | None = None, start: Path | None = None
) -> RunFolder:
    """Write a new run under its plan's name, or the next free one; raises ValueError.

    `start` is the model whose weights the run starts from. Runs are created one at a time, so that
    the queue follows the order of their creation times.
    """
    runs = runs or own_runs()
    with os_errors_as(UserError("run_not_written")):
        runs.mkdir(parents=True, exist_ok=True)
        with FileLock(runs / ".create.lock", timeout=SECONDS_TO_START):
            run = RunFolder.named(free_name(plan.name, runs), runs)
            run.create(replace(plan, name=run.name, created=time.time()), files, start)
            return run


def run_names(runs: Path | None = None) -> list[str]:
    """Return the names of all runs, the newest first."""
    paths = (plan.parent for plan in (runs or own_runs()).glob("*/plan.json"))
    found = map(RunFolder, filter(_is_run, paths))
    return [run.name for run in sorted(found, key=lambda run: (run.created, run.name))[::-1]]


def _is_run(path: Path) -> bool:
    try:
        return safe_name(path.name) == path.name and not path.is_symlink()
    except UserError:
        return False


_read_json = unchanged(read_json)


@unchanged
def _read_plan(path: Path) -> Plan:
    values = _read(path)
    if values is None:
        raise UserError("no_run", name=repr(path.parent.name))
    return Plan.from_dict(values)


@unchanged
def _read_status(path: Path) -> Status:
    # Invalid JSON is a result worth caching, unlike an OSError, which may pass.
    read = {}
    with suppress(ValueError):
        read = read_json(path)
    values = read | {"error": UserError.from_dict(read.get("error"))}
    fitting = _fields(values, Status)
    if odd := types_of(Status).keys() & values.keys() - fitting.keys():
        error = UserError("odd_status", file=path.name, names=", ".join(sorted(odd)))
        return Status("interrupted", error=error)
    return Status(**{"state": "interrupted"} | fitting)


def _read(path: Path) -> dict[str, Any] | None:
    try:
        return _read_json(path)
    except (OSError, ValueError):
        return None


def _fields(values: Mapping[str, Any], record: type[Status | Wishes]) -> dict[str, Any]:
    """Return the values that are fields of a dataclass and have the right types."""
    types = types_of(record).items()  # type: ignore[arg-type]
    return {
        name: values[name] for name, kind in types if name in values and fits(values[name], kind)
    }


def _replace_json(path: Path, value: Mapping[str, Any]) -> None:
    _replace(path, json.dumps(value, ensure_ascii=False))


def _replace(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old or the new version; raises ValueError."""
    with os_errors_as(UserError("run_not_written")):
        replace_text(path, text)
