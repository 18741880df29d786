"""Start training runs, send them wishes, and list them; a run's folder is all they share.

A run is a process of its own, the project's command line: it outlives the page and its server.
"""

import math
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import streamlit as st
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

from app.data import visitors
from app.server import settings
from app.state import Param
from model import checkpoint
from model import files as kept
from model.config import ModelConfig, TrainConfig
from model.errors import UserError, reason
from model.files import VISITORS, own_runs
from model.runs.folder import RunFolder, create_run, free_name, run_names
from model.runs.plan import ALIVE, Plan, Status, Wishes, plan_of
from model.runs.queue import folders, place
from model.settings import settings_of
from model.tasks import TASKS
from model.training.estimate import (
    SECONDS_TO_BEGIN,
    Estimate,
    estimate,
    estimate_memory,
    refuse_too_large,
    step_seconds,
)
from model.training.presets import defaults

__all__ = ["Estimate", "free_name", "place"]

# The run that the training page shows; nothing: the newest one.
RUN: Final = Param[str]("training", "", str)
NICE: Final = 10
RECORDED: Final = "recorded/"
LOADED: Final = "loaded"  # the task of a model that came in a zip which does not name one
SECONDS_TO_STOP: Final = 10.0
SECONDS_OF_LOOK: Final = 1.5  # between two looks at a run that is alive
OWN_RUN: Final = "own run"  # this session's, in its state

_children: dict[Path, subprocess.Popen[Any]] = {}  # by the run's folder
_own_runs: dict[str, str] = {}  # by visitor
_starting = threading.Lock()
LETTERS: Final = "reverse"


@dataclass(frozen=True)
class RunSummary:
    """A run of the list; the name of one that ships with the project starts with `recorded/`."""

    name: str
    plan: Plan
    status: Status
    folder: RunFolder

    @property
    def alive(self) -> bool:
        return self.status.state in ALIVE


def runs() -> list[RunSummary]:
    """Return all runs that can be read, the newest first, then the recorded ones, as they came."""
    recorded = reversed(run_names(checkpoint.PRETRAINED / RECORDED))
    names = [*run_names(), *(RECORDED + name for name in recorded)]
    return [summary for name in names if (summary := _summary(name)) is not None]


def unreadable() -> list[str]:
    """Return the names of the runs that are there, but cannot be read."""
    return [name for name in run_names() if run(name) is None]


def run(name: str) -> RunSummary | None:
    """Return one run; None where there is none of this name, or none that can be read."""
    try:
        return _summary(name)
    except ValueError:
        return None


def is_alive(name: str) -> bool:
    """Return whether there is a run of this name that has not ended."""
    summary = run(name)
    return summary is not None and summary.alive


def folder_of(name: str) -> RunFolder:
    """Return the folder of a run, recorded or not; raises ValueError for an unsafe name."""
    if name.startswith(RECORDED):
        return RunFolder.named(name.removeprefix(RECORDED), checkpoint.PRETRAINED / RECORDED)
    return RunFolder.named(name)


def start(
    plan: Plan,
    files: Mapping[str, str] | None = None,
    begin_with: Path | None = None,
    instead_of: str = "",
) -> str:
    """Begin a new run, and return its name: the plan's, numbered where it is taken.

    `begin_with` is a model's folder whose weights it begins with. Raises ValueError for what does
    not fit into this machine's memory or goes beyond the form, for an unsafe name, for a folder
    that cannot be written, without pairs, and while this session's former run is alive, if it is
    not `instead_of` that.
    """
    if not can_repeat(plan):
        raise UserError("no_pairs")
    return _begin([plan], files or {}, begin_with, instead_of)[0]


def start_job(plans: Sequence[Plan], files: Mapping[str, str] | None = None) -> list[str]:
    """Begin several runs, which train one after the other, and return their names.

    Raises what `start` raises; then none of them is begun.
    """
    job = f"{time.time():.3f}"
    return _begin([replace(plan, job=job) for plan in plans], files or {})


def _begin(
    plans: Sequence[Plan],
    files: Mapping[str, str],
    begin_with: Path | None = None,
    instead_of: str = "",
) -> list[str]:
    begun: list[RunFolder] = []
    with _starting:  # as quick as the clicks in two windows may be
        visitors.refuse_too_much(plans)
        _refuse_second(instead_of)
        for plan in plans:
            refuse_too_large(plan.model, plan.train, plan.pairs, held_bytes(but=instead_of))
            plan.check_form()
        try:
            begun.extend(create_run(plan, files, start=begin_with) for plan in plans)
        except ValueError:
            for folder in begun:
                shutil.rmtree(folder.path, ignore_errors=True)
            raise
        _keep_own(begun[-1].name)  # it ends last
    for folder in begun:
        _spawn(folder)
    return [folder.name for folder in begun]


def job_of(one: RunSummary) -> list[RunSummary]:
    """Return the runs that were started together with one, itself among them, in their order."""
    if not one.plan.job:
        return [one]
    together = (other for other in runs() if other.plan.job == one.plan.job)
    return sorted(together, key=lambda other: other.plan.created)


def own_run() -> str:
    """Return the run that this visitor started last, also before the page was loaded again.

    In a class it is the one that is alive, wherever it was started.
    """
    if visitors.mode() in ("class", "teacher"):
        alive = (one.name for one in runs() if one.alive)
        return next(alive, st.session_state.get(OWN_RUN, ""))
    return _own_runs.get(_visitor()) or st.session_state.get(OWN_RUN, "")


def _keep_own(name: str) -> None:
    st.session_state[OWN_RUN] = name
    if visitor := _visitor():
        _own_runs[visitor] = name


def _refuse_second(name: str) -> None:
    """Raise UserError if this visitor has another run that is alive."""
    own = own_run()
    if own != name and is_alive(own):
        raise UserError("own_alive", name=own)


def _visitor() -> str:
    """Return what tells browsers apart: the token against forged requests that each has."""
    token, _time = decode_xsrf_token_string(st.context.cookies.get(XSRF_COOKIE_NAME, ""))
    return token.hex() if token else ""


def held_bytes(but: str = "") -> int:
    """Estimate what the runs of all visitors hold of the memory, but for one of this visitor's."""
    own = own_runs() / but
    found = (RunFolder(path / name) for path in folders() for name in run_names(path))
    others = (_read(folder.name, folder) for folder in found if folder.path != own)
    plans = (one.plan for one in others if one is not None and _holds_memory(one))
    return sum(estimate_memory(plan.model, plan.train, plan.pairs).memory_bytes for plan in plans)


def _holds_memory(one: RunSummary) -> bool:
    """Tell whether a run has a model in memory: one that was queued at its start has none yet."""
    status = one.status
    has_begun = status.state != "queued" or status.tokens_per_second > 0
    return one.alive and has_begun and one.folder.is_alive()


def again(name: str, seed: int | None = None) -> str:
    """Run the same plan from step 0 as a new run, with the same seed or a new one.

    One that is alive is then stopped; the new one waits until it has saved. Raises what `start`
    raises.
    """
    folder = folder_of(name)
    plan = folder.plan()
    train = replace(plan.train, rates=(), seed=plan.train.seed if seed is None else seed)
    new = start(replace(plan, train=train, job=""), folder.files(), folder.start(), instead_of=name)
    if folder.status().state in ALIVE:
        stop(name)
    return new


def resume(name: str) -> None:
    """Go on with a run that was stopped, interrupted or failed, from what it saved last.

    Raises ValueError where its plan has become that of another run, while another run of this
    visitor is alive, and for what does not fit into the memory.
    """
    with _starting:
        _refuse_second(name)
        folder, _status = _resting(name)
        folder.refuse_other(folder.plan())
        folder.wish(**vars(Wishes()))
        _start_again(folder)
        _keep_own(name)


def _start_again(folder: RunFolder) -> None:
    """Start the process of a run that has none, from what it saved last."""
    plan = folder.plan()
    visitors.refuse_too_much([plan])
    refuse_too_large(plan.model, plan.train, plan.pairs, held_bytes())
    folder.write_status(replace(folder.status(), state="queued", error=None))
    _spawn(folder, *(["--resume"] if folder.is_saved() else []))


def train_on(name: str, steps: int) -> None:
    """Train a run for more steps than it has taken; raises ValueError as `resume` does."""
    _refuse_second(name)
    folder, status = _resting(name)
    plan = folder.plan()
    steps += status.step
    train = replace(plan.train, steps=steps, patience=0)  # as many as were asked for
    folder.write_plan(replace(plan, minutes=None, train=train))
    folder.write_status(replace(status, steps=steps))
    resume(name)


def pause(name: str) -> None:
    """Let a run save and wait, and others train meanwhile."""
    existing(name).wish(pause_at=0)


def go_on(name: str) -> None:
    """Let a paused run go on, as soon as the queue allows."""
    existing(name).wish(pause_at=None)
    _wake(name)


def one_step(name: str) -> None:
    """Let a paused run take one step, and wait again."""
    folder = existing(name)
    done = max(folder.status().step, folder.wishes().pause_at or 0)
    folder.wish(pause_at=done + 1)
    _wake(name)


def _wake(name: str) -> None:
    """Start the process of a run that was paused for so long that it gave its memory back."""
    folder = existing(name)
    if folder.status().state == "paused" and not folder.is_alive():
        _start_again(folder)


def stop(name: str) -> None:
    """Let a run save and end; it can be resumed. One that does not end is killed."""
    _stop(existing(name))


def _stop(folder: RunFolder) -> None:
    status = folder.status()
    if status.state == "paused" and not folder.is_alive():
        folder.write_status(replace(status, state="stopped"))
    else:
        folder.wish(stop=True)
        if child := _children.get(folder.path):
            killer = threading.Timer(SECONDS_TO_STOP, child.kill)
            killer.daemon = True
            killer.start()


def of_class() -> list[tuple[str, RunSummary]]:
    """Return all visitors' runs that are alive, each with whose it is; for a teacher alone."""
    if visitors.mode() != "teacher":
        return []
    places = ((visitor, kept.RUNS / VISITORS / visitor) for visitor in visitors.visitors())
    found = (
        (visitor, _read(name, RunFolder(runs / name)))
        for visitor, runs in places
        for name in run_names(runs)
    )
    return [(visitor, one) for visitor, one in found if one is not None and one.alive]


def stop_class() -> None:
    """Let the runs of all visitors save and end; nothing happens to them without a teacher."""
    for _whose, one in of_class():
        _stop(one.folder)


def learning_rate(name: str, value: float) -> None:
    """Give a run's schedule another peak from the next step on; raises UserError out of range."""
    setting = settings_of(TrainConfig)["learning_rate"].setting
    if problem := setting.problem("learning_rate", value):
        raise problem
    existing(name).wish(learning_rate=value)


def can_repeat(plan: Plan) -> bool:
    """Return whether the pairs of a plan are still there: own ones may not have been kept."""
    return bool(plan.data) or plan.task in TASKS


def delete(name: str) -> None:
    """Delete a run that is not alive, with all that it learned; raises ValueError."""
    existing(name).delete()


def _summary(name: str) -> RunSummary | None:
    for path, child in list(_children.items()):
        if child.poll() is not None:  # it has ended: the system need not keep its status any more
            _children.pop(path, None)
    return _read(name, folder_of(name))


def _read(name: str, folder: RunFolder) -> RunSummary | None:
    try:
        return RunSummary(name, folder.plan(), folder.status(), folder)
    except ValueError:  # deleted meanwhile, or no plan
        return None


def existing(name: str) -> RunFolder:
    """Return the folder of a run that can be changed; raises ValueError where there is none."""
    visitors.refuse_keeping()
    folder = RunFolder.named(name)
    if not folder.exists():
        raise UserError("no_run", name=name[:100])
    return folder


def _resting(name: str) -> tuple[RunFolder, Status]:
    """Return a run that no process works on; raises ValueError for another."""
    folder = existing(name)
    status = folder.status()
    if status.state in ALIVE:
        raise UserError("under_way", name=name)
    return folder, status


def _spawn(folder: RunFolder, *options: str) -> None:
    """Start the run's process, which belongs to no terminal and to no server.

    Where trainings are started by torchrun, its first process waits in the queue for all.
    """
    train = ["-m", "model", "train", "--plan", str(folder.path.absolute() / "plan.json")]
    train += ["--insist", *options]
    here = [sys.executable, *train, "--nice", str(NICE), "--threads", str(threads())]
    elsewhere = settings.SETTINGS.train_with
    command = [*elsewhere, *train] if elsewhere else here
    try:
        child = folder.spawn(command)
    except OSError as error:
        failure = UserError("run_not_started", why=reason(error))
        folder.write_status(replace(folder.status(), state="failed", error=failure))
        raise failure from error
    _children[folder.path] = child


def threads() -> int:
    """Return how many threads a run gets: one processor is left to the page."""
    allowed = hasattr(os, "sched_getaffinity")
    cores = len(os.sched_getaffinity(0)) if allowed else os.cpu_count() or 1
    return max(1, cores - 1)


def letters_plan() -> Plan:
    """Return the plan of a small model that learns to reverse letters, as its form begins."""
    task = TASKS[LETTERS]
    settings = defaults(task.name, task.preset)
    name = free_name(task.name)
    return plan_of(task, name, ModelConfig.of(settings), TrainConfig.of(settings))


def needs(plan: Plan) -> Estimate:
    """Return parameters, memory and time of a plan, by how long the steps of other runs took here.

    A run that is timed needs the minutes that were asked for, and what comes before them.
    One plan has one figure: neither what else the machine does nor a run under way changes it.
    """
    needed = estimate(_sized(plan), plan.train, plan.pairs, held_bytes(), _slower(plan))
    if plan.minutes is None:
        return needed
    return replace(needed, seconds=SECONDS_TO_BEGIN + 60 * plan.minutes)


def _slower(plan: Plan) -> float:
    """Return how many times longer than guessed a step took here: of the run that is most alike."""
    guess = step_seconds(_sized(plan), plan.train)
    ran = [
        (run.plan.model.arch != plan.model.arch, abs(math.log(guessed / guess)), took / guessed)
        for run in runs()
        if (took := run.status.step_seconds) and not (run.alive or run.name.startswith(RECORDED))
        for guessed in [step_seconds(_sized(run.plan), run.plan.train)]
    ]
    return min(ran)[-1] if ran else 1.0


def _sized(plan: Plan) -> ModelConfig:
    """Return the model with no more pieces than a tokenizer finds in the pairs of its task."""
    pieces = TASKS[plan.task].pieces if plan.task in TASKS else None
    most = plan.model.vocab_size
    return replace(plan.model, vocab_size=min(most, pieces or most))
