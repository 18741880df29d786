"""The runs of a folder: a new one, and the names of all."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from filelock import FileLock

from model.errors import UserError, reason
from model.files import read_json
from model.runs import folder as runs
from model.runs.folder import SECONDS_TO_START, RunFolder
from model.runs.names import LONGEST_NAME, safe_name
from model.runs.plan import Plan


def create_run(
    plan: Plan, files: Mapping[str, str], folder: Path | None = None, start: Path | None = None
) -> RunFolder:
    """Write a new run under its plan's name, or the next free one; raises ValueError.

    `start` is the model whose weights it begins with. Runs are created one after the other, so
    that they queue in the order of their times.
    """
    folder = folder or runs.RUNS
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / ".create.lock", timeout=SECONDS_TO_START):
            name = free_name(plan.name, folder)
            run = RunFolder.named(name, folder)
            run.create(replace(plan, name=name, created=time.time()), files, start)
            return run
    except OSError as error:
        raise UserError("run_not_written", why=reason(error)) from error


def run_names(folder: Path | None = None) -> list[str]:
    """Return the names of all runs, the newest first."""
    plans = (folder or runs.RUNS).glob("*/plan.json")
    paths = [plan.parent for plan in plans if plan.parent.name[0] != "."]
    return [path.name for path in sorted(paths, key=_created, reverse=True)]


def free_name(stem: str, folder: Path | None = None) -> str:
    """Return a name that no run has: `stem`, `stem 2`, …; raises ValueError for an unsafe one."""
    stem = safe_name(stem)[: LONGEST_NAME - 5].rstrip()
    unnumbered = re.sub(r" \d+$", "", stem)
    names = itertools.chain([stem], (f"{unnumbered} {i}" for i in itertools.count(2)))
    return next(name for name in names if not RunFolder.named(name, folder).path.exists())


def _created(run: Path) -> tuple[float, str]:
    try:
        created = read_json(run / "plan.json").get("created")
    except (OSError, ValueError):
        created = None
    return (created if isinstance(created, int | float) else 0.0), run.name
