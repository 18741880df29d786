"""Whose runs and models a page means, and what a visitor may keep: the door to both folders.

On one's own machine there is one owner, who may do everything. In a class each visitor has a
folder in that of runs and in that of models, and no name or path leads into another's; a teacher
may look into one. In an exhibit nothing is written.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal, Self

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
OPENED: Final = ".opened"  # when a visitor was here last, and from which network they came
DIGITS_OF_NETWORK: Final = 16
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
    place, most, network = own_runs(), limits.LIMITS, _network()
    _sweep_folders(place, own(checkpoint.MODELS))
    everybody = [Place.of(folder) for folder in _folders()]
    if not place.exists():
        gone = _who_makes_place(everybody, network)
        everybody = [one for one in everybody if one not in gone]
        for one in gone:
            _delete(one.folder)
    held = sum(map(_size, (place, own(checkpoint.MODELS))))
    _refuse_beyond(most.megabytes, held + n_bytes, "over_disk")
    others = [one for one in everybody if one.folder != place]
    held += n_bytes + sum(one.size for one in others if one.network == network)
    _refuse_beyond(most.address_megabytes, held, "over_network_disk")
    held += sum(one.size for one in others if one.network != network)
    _refuse_beyond(most.all_megabytes, held, "over_server_disk")
    with os_errors_as(UserError("run_not_written")):
        place.mkdir(parents=True, exist_ok=True)
        files.replace_text(place / OPENED, network)


@dataclass(frozen=True)
class Place:
    """What a visitor keeps: whose network it is, its bytes, and for how many seconds they are away.

    The network of a folder that does not name one is its own.
    """

    folder: Path
    network: str
    size: int
    away: float

    @classmethod
    def of(cls, folder: Path) -> Self:
        """Look at a visitor's folder."""
        network = ""
        with suppress(OSError, ValueError):
            network = (folder / OPENED).read_text(encoding="ascii")[:DIGITS_OF_NETWORK]
        size = _size(folder) + _size(checkpoint.MODELS / VISITORS / folder.name)
        return cls(folder, network or folder.name, size, time.time() - _opened(folder))

    @property
    def is_at_rest(self) -> bool:
        """Whether none of their runs trains or waits."""
        runs = (RunFolder.named(name, self.folder) for name in run_names(self.folder))
        return all(run.status().state not in ALIVE for run in runs)


def _network() -> str:
    """Return digits for this visitor's address, which tell nobody without the secret what it is."""
    digits = hmac.new(signer().secret, _address().encode(), hashlib.sha256).hexdigest()
    return digits[:DIGITS_OF_NETWORK]


def _who_makes_place(everybody: Sequence[Place], network: str) -> list[Place]:
    """Return who goes for a newcomer: nobody where there is room; raises UserError for no room.

    It is one of the network that has most places, if that is not the newcomer's own, or else one
    who was away for more than a day: the one who was so for the most days, and keeps least.
    """
    most, counts = limits.LIMITS, Counter(one.network for one in everybody)
    if counts[network] >= most.address_visitors:
        refusal = UserError("network_full", most=most.address_visitors)
        found = [one for one in everybody if one.network == network and one.away > DAY]
    elif len(everybody) >= most.visitors:
        refusal = UserError("server_full", most=most.visitors)
        crowd, count = counts.most_common(1)[0]
        is_fair = count <= counts[network] + 1
        found = [one for one in everybody if (one.away > DAY if is_fair else one.network == crowd)]
    else:
        return []
    for one in sorted(found, key=lambda one: (-(one.away // DAY), one.size, -one.away)):
        if one.is_at_rest:
            return [one]
    raise refusal


def _refuse_beyond(most: int, held: int, code: str) -> None:
    """Raise UserError where more bytes would be kept than as many megabytes."""
    if held > most * 2**20:
        raise UserError(code, held=held / 2**20, most=most)


def _delete(folder: Path) -> None:
    """Delete all that a visitor keeps."""
    shutil.rmtree(checkpoint.MODELS / VISITORS / folder.name, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)


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
    found = ((one.name, Place.of(one).size, _opened(one)) for one in _folders())
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
            path = Path(place) / file
            with suppress(OSError):
                total += 0 if files.is_half(path) else path.lstat().st_size
    return total


def _opened(folder: Path) -> float:
    """Return when a visitor was last here, seconds since 1970."""
    for place in (folder / OPENED, folder):
        with suppress(OSError):
            return place.stat().st_mtime
    return time.time()  # another server swept it, or the storage is lost: nothing looks old


def sweep() -> None:
    """Delete what killed processes left, and what visitors keep who have not been here for long."""
    folders = [(files.RUNS, checkpoint.MODELS)]
    folders += [(runs, checkpoint.MODELS / VISITORS / runs.name) for runs in _folders()]
    for runs, models in folders:
        _sweep_folders(runs, models)
    if settings.SETTINGS.serve == "class":
        _sweep_visitors()


def _sweep_folders(runs: Path, models: Path) -> None:
    """Delete what killed processes left in the folders of somebody's runs and models."""
    files.sweep(runs)
    files.sweep(models)
    for name in run_names(runs):
        run = RunFolder.named(name, runs)
        if not run.is_alive():
            run.sweep()


def _sweep_visitors() -> None:
    """Delete what visitors keep who have not been here for long.

    Where the clock jumps ahead, everybody looks long gone: so whoever does has to look so at every
    sweep of half a day, by a clock that never jumps.
    """
    now, long_gone = time.monotonic(), {}
    for folder in list(_folders()):
        place = Place.of(folder)
        if place.away < limits.LIMITS.days * DAY or not place.is_at_rest:
            continue
        long_gone[folder] = since = _long_gone.get(folder, now)
        if now - since >= GRACE:
            _delete(folder)
    _long_gone.clear()
    _long_gone.update(long_gone)
