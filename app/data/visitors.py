"""Whose runs and models a page means, and what a visitor may keep: the door to both folders.

On one's own machine there is one owner, who may do everything. In a class each visitor has a
folder in that of runs and in that of models, and no name or path leads into another's; a teacher
may look into one. In an exhibit nothing is written.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final, Literal

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from app.data.queue import QUEUE
from app.server import limits, settings
from app.server.login import login_signer
from app.server.memory import BOUND
from app.server.pace import PACE
from app.server.visitors import DAY, NAME, SESSIONS_OF, Signer, network_of
from app.state import Param
from model import checkpoint, files
from model.errors import UserError, os_errors_as
from model.files import VISITORS, own, own_runs
from model.runs.folder import RunFolder, run_names
from model.runs.plan import ALIVE, Plan
from model.training.estimate import estimate, machine_bytes

# Whose runs a teacher looks at.
LOOKED_AT: Final = Param[str]("visitor", "", str)
NOBODY: Final = "nobody"  # whose browser sends no cookie: there is no such folder
SECRET: Final = ".secret"
OPENED: Final = ".opened"
BYTES_A_PARAMETER: Final = 16  # the best weights, and the last ones with what Adam keeps
HOUR: Final = 3600  # seconds
GRACE: Final = 12 * HOUR  # between being found long gone and being deleted

_long_gone: Final[dict[Path, float]] = {}  # since when visitors look so, in monotonic seconds

Mode = Literal["own", "class", "nobody", "guest", "exhibit", "teacher"]


@cache
def signer() -> Signer:
    """Return what signs the cookies of this server, and of all that share its runs."""
    given = settings.SETTINGS
    secret = given.secret.encode() or _kept_secret()
    kind = login_signer if given.login else Signer
    return kind(secret, given.teacher_key)


def _kept_secret() -> bytes:
    """Return the secret that lies with the runs, made by the first server that asks for it."""
    path = files.RUNS / SECRET
    if not path.exists():
        files.RUNS.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=files.RUNS, prefix=SECRET) as new:
            new.write(secrets.token_bytes(32))
            new.flush()
            with suppress(FileExistsError):  # another server was quicker
                os.link(new.name, path)
    return path.read_bytes()


def mode() -> Mode:
    """Return how this visitor is served."""
    serve = settings.SETTINGS.serve
    if serve != "class":
        return serve
    if not visitor():
        return "guest" if settings.SETTINGS.login else "nobody"
    return "teacher" if signer().is_teacher(st.context.cookies) else "class"


def visitor() -> str:
    """Return who asks, by their cookie; "" for nobody known."""
    return signer().visitor(st.context.cookies)


def _asker() -> str:
    """Return whose work this thread does: a visitor's, or where nobody is known, an address's."""
    known = settings.SETTINGS.serve == "class" and get_script_run_ctx() is not None
    return (visitor() if known else "") or _address()


def _address() -> str:
    """Return from where this thread's work was asked for; "" on this machine, and by nobody."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return ""  # a notebook or a command: Streamlit would warn that no page is drawn
    return network_of(st.context.ip_address or "")


QUEUE.who, QUEUE.where = _asker, _address
BOUND.n_bytes = machine_bytes()


def _whose() -> str:
    """Return whose runs and models are meant: of a class, never those of all."""
    if settings.SETTINGS.serve != "class":
        return ""
    return looked_at() or visitor() or NOBODY


files.follow(_whose)


def looked_at() -> str:
    """Return the visitor into whose folder a teacher looks."""
    name = LOOKED_AT.get()
    return name if NAME.fullmatch(name) and mode() == "teacher" else ""


def note_visit() -> None:
    """Remember whose this session is, and that they were here."""
    context = get_script_run_ctx()
    if settings.SETTINGS.serve != "class" or context is None or not visitor():
        return
    SESSIONS_OF.note(context.session_id, visitor())
    mark = files.RUNS / VISITORS / visitor() / OPENED
    with suppress(OSError):  # whoever only looks is not kept from it by a disk that takes nothing
        if abs(time.time() - mark.stat().st_mtime) > HOUR:
            mark.touch()


def seconds_to_wait() -> float:
    """Return in how many seconds a visitor who asks too often is answered again."""
    return PACE.wait(visitor()) if settings.SETTINGS.serve == "class" else 0.0


def may_keep() -> bool:
    """Tell whether this visitor may train, load, rename and delete."""
    return mode() not in ("exhibit", "nobody", "guest")


def refuse_keeping() -> None:
    """Raise UserError where nothing may be kept or changed."""
    if not may_keep():
        raise UserError("exhibit" if mode() == "exhibit" else "no_cookie")


def make_room(n_bytes: int) -> None:
    """Make the visitor's folder; raises UserError where that many more bytes are too many."""
    refuse_keeping()
    if settings.SETTINGS.serve != "class":
        return
    place, most = own_runs(), limits.LIMITS
    if not place.exists() and sum(1 for _ in _folders()) >= most.visitors:
        raise UserError("server_full", most=most.visitors)
    held = sum(map(_size, (place, own(checkpoint.MODELS))))
    if held + n_bytes > most.megabytes * 2**20:
        megabytes = (held + n_bytes) / 2**20
        raise UserError("over_disk", held=megabytes, most=most.megabytes)
    with os_errors_as(UserError("run_not_written")):
        place.mkdir(parents=True, exist_ok=True)
        (place / OPENED).touch()


def refuse_too_much(plans: Sequence[Plan]) -> None:
    """Raise UserError for trainings beyond what a visitor of a class may begin."""
    refuse_keeping()
    if settings.SETTINGS.serve != "class":
        return
    most = limits.LIMITS
    if len(plans) > most.runs:
        raise UserError("over_runs", most=most.runs)
    needed = [estimate(plan.model, plan.train, pairs=plan.pairs) for plan in plans]
    for plan, needs in zip(plans, needed, strict=True):
        if plan.train.steps > most.steps:
            raise UserError("too_large", "steps", value=plan.train.steps, most=most.steps)
        if needs.parameters > most.parameters:
            millions = needs.parameters / 1e6, most.parameters / 1e6
            raise UserError("over_parameters", value=millions[0], most=millions[1])
        minutes = needs.seconds / 60 if plan.minutes is None else plan.minutes
        if minutes > most.minutes:
            raise UserError("over_minutes", value=minutes, most=most.minutes)
    make_room(BYTES_A_PARAMETER * sum(needs.parameters for needs in needed))


def most_of(name: Literal["steps", "minutes"]) -> int | None:
    """Return how long a visitor's training may be; None where there is no such limit."""
    most: int = getattr(limits.LIMITS, name)
    return most if settings.SETTINGS.serve == "class" else None


def visitors() -> list[str]:
    """Return the visitors who keep anything."""
    return [folder.name for folder in _folders()]


def kept_by_all() -> list[tuple[str, int, float]]:
    """Return each visitor with their bytes on the disk and when they were here, the most first.

    Times are seconds since 1970. Only a teacher is told.
    """
    if mode() != "teacher":
        return []
    models = checkpoint.MODELS / VISITORS
    found = ((one.name, _size(one) + _size(models / one.name), _opened(one)) for one in _folders())
    return sorted(found, key=lambda kept: -kept[1])


def _folders() -> Iterator[Path]:
    """Yield the folders of the visitors' runs."""
    found = (files.RUNS / VISITORS).glob("*")
    return (folder for folder in found if NAME.fullmatch(folder.name) and folder.is_dir())


def _size(folder: Path) -> int:
    """Return what a folder takes up; a file that goes meanwhile counts nothing."""
    total = 0
    for place, _folders_in, names in os.walk(folder):
        for file in names:
            with suppress(OSError):
                total += (Path(place) / file).lstat().st_size
    return total


def _opened(folder: Path) -> float:
    """Return when a visitor was last here, seconds since 1970."""
    for place in (folder / OPENED, folder):
        with suppress(OSError):
            return place.stat().st_mtime
    return time.time()  # another server swept it, or the storage is lost: nothing looks old


def sweep() -> None:
    """Delete what visitors keep who have not been here for long.

    Where the clock jumps ahead, everybody looks long gone: so whoever does has to look so at every
    sweep of half a day, by a clock that never jumps.
    """
    now, long_gone = time.monotonic(), {}
    for folder in list(_folders()):
        is_at_rest = all(
            RunFolder.named(name, folder).status().state not in ALIVE for name in run_names(folder)
        )
        if time.time() - _opened(folder) < limits.LIMITS.days * DAY or not is_at_rest:
            continue
        long_gone[folder] = since = _long_gone.get(folder, now)
        if now - since >= GRACE:
            shutil.rmtree(checkpoint.MODELS / VISITORS / folder.name, ignore_errors=True)
            shutil.rmtree(folder, ignore_errors=True)
    _long_gone.clear()
    _long_gone.update(long_gone)
