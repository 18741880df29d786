"""Fetching a model, and importing it: one at a time, in the background or at the command line.

Its folder, among the models, says where it stands, as a run's folder does, and keeps what came:
one that was stopped or killed goes on from there. `python -m model.hub.job` is the process.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from model import checkpoint
from model.errors import UserError, is_full, os_errors_as, reason
from model.files import ROOT, read_json, replace_text, write_json
from model.hub.fetch import TOKEN, done, fetch
from model.hub.offer import Offer
from model.imported import take_in
from model.runs.folder import RunFolder, free_name, own
from model.runs.plan import ALIVE, Status
from model.runs.queue import shared

log = logging.getLogger(__name__)
FOLDER: Final = ".fetch"
LOCK: Final = ".fetch.lock"
NICE: Final = 10
SECONDS_FOR_THE_LOCK: Final = 10.0  # a reader may hold it for an instant
SECONDS_A_LOOK: Final = 0.2
MEGABYTE: Final = 1e6


@dataclass(frozen=True)
class Fetching:
    """What is fetched, what it will be called, where that stands, and the bytes that are there."""

    offer: Offer
    name: str
    status: Status
    there: int


def current() -> Fetching | None:
    """Return what was fetched last, or is; None where there is nothing."""
    folder = _folder()
    try:
        offer, name = _asked(folder)
    except (OSError, ValueError):
        return None
    return Fetching(offer, name, folder.status(), done(folder.path, offer))


def prepare(offer: Offer, name: str = "") -> RunFolder:
    """Return the folder to fetch an offer into, with what came of its files before.

    Raises UserError for a name that is taken, without the space, and while another is under way.
    """
    folder, models = _folder(), own(checkpoint.MODELS)
    if (former := current()) is not None and former.status.state in ALIVE:
        raise UserError("fetch_under_way", name=former.offer.repository)
    name = name or free_name(_stem(offer), models)
    if RunFolder.named(name, models).path.exists():
        raise UserError("model_name_taken", "name", name=name)
    with os_errors_as(UserError("fetch_not_written")):
        if former is not None and former.offer.files != offer.files:
            shutil.rmtree(folder.path)
        folder.path.mkdir(parents=True, exist_ok=True)
        _refuse_without_space(folder.path, offer)
        write_json(folder.path / "offer.json", offer.to_dict())
        replace_text(folder.path / "name", name)
    folder.wish(stop=False)
    folder.write_status(Status("queued", steps=offer.size))
    return folder


def _stem(offer: Offer) -> str:
    name = offer.repository.partition("/")[2]
    return "".join(char if char.isalnum() else "-" for char in name).strip("-")


def _refuse_without_space(folder: Path, offer: Offer) -> None:
    needed, free = 2 * offer.size - done(folder, offer), shutil.disk_usage(folder).free
    if needed > free:
        raise UserError("hub_no_space", needed=needed / MEGABYTE, free=free / MEGABYTE)


def start(offer: Offer, name: str = "", anonymous: bool = False) -> None:
    """Begin to fetch an offer, or go on with it, in the background; raises what `prepare` does."""
    folder = prepare(offer, name)
    # The process asks no cookie: its folder is that of whoever wants the model.
    environment = os.environ | {"MODELS_DIR": str(own(checkpoint.MODELS))}
    if anonymous:
        environment.pop(TOKEN, None)
    with (
        os_errors_as(UserError("fetch_not_written")),
        (folder.path / "output.log").open("ab") as output,
    ):
        subprocess.Popen(
            [sys.executable, "-m", "model.hub.job"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


def stop() -> None:
    """Let what is fetched end; what came is kept."""
    _folder().wish(stop=True)


def discard() -> None:
    """Forget what was fetched, and what came of it; raises UserError while it is under way."""
    if (former := current()) is not None and former.status.state in ALIVE:
        raise UserError("fetch_under_way", name=former.offer.repository)
    with os_errors_as(UserError("fetch_not_written")):
        shutil.rmtree(_folder().path, ignore_errors=not _folder().path.exists())


def steps(folder: RunFolder) -> Iterator[Status]:
    """Fetch and import what a folder is prepared for; yield where that stands, and write it there.

    Closing it stops, and keeps what came. Raises UserError, which the folder keeps too.
    """
    began = time.monotonic()
    status = folder.status()

    def report(status: Status) -> Status:
        status = replace(status, seconds=time.monotonic() - began)
        folder.write_status(status)
        return status

    try:
        with folder.alive_lock().acquire(timeout=SECONDS_FOR_THE_LOCK):
            offer, name = _asked(folder)
            for status in _states(folder, offer, name):
                yield report(status)
    except GeneratorExit:
        report(replace(status, state="stopped"))
        raise
    except Exception as error:
        failure = _failure(error)
        report(replace(status, state="failed", error=failure))
        raise failure from error


def _states(folder: RunFolder, offer: Offer, name: str) -> Iterator[Status]:
    waiting = Status("queued", done(folder.path, offer), offer.size)
    with _slot() as is_free:
        while not is_free():
            yield waiting
        start, began = waiting.step, time.monotonic()
        for there in fetch(folder.path, offer):
            came, seconds = there - start, time.monotonic() - began
            left = (offer.size - there) * seconds / came if came else None
            yield Status("running", there, offer.size, seconds_left=left)
        origin = {"repository": offer.repository, "commit": offer.commit}
        _import(folder.path / "files", name, origin)
        yield Status("finished", offer.size, offer.size)


def _import(files: Path, name: str, origin: Mapping[str, str]) -> None:
    """Import files, and delete them, also where that can never be done."""
    try:
        take_in(files, name, origin)
    except UserError as error:
        if is_full(error):
            raise
        shutil.rmtree(files)
        raise
    shutil.rmtree(files)


@contextmanager
def _slot() -> Iterator[Callable[[], bool]]:
    """Give what tells whether no other model is being fetched by now: one at a time for all."""
    lock = FileLock(shared(own(checkpoint.MODELS)) / LOCK, thread_local=False)

    def is_free() -> bool:
        try:
            lock.acquire(timeout=SECONDS_A_LOOK)
        except Timeout:
            return False
        return True

    try:
        yield is_free
    finally:
        lock.release()


def _failure(error: Exception) -> UserError:
    if isinstance(error, UserError):
        return error
    if isinstance(error, OSError):
        return UserError("fetch_not_written", why=reason(error))
    return UserError("fetch_broke_off", what=f"{type(error).__name__}: {error}")


def _folder() -> RunFolder:
    return RunFolder(own(checkpoint.MODELS) / FOLDER)


def _asked(folder: RunFolder) -> tuple[Offer, str]:
    """Return what a folder is prepared for; raises OSError or ValueError."""
    offer = Offer.from_dict(read_json(folder.path / "offer.json"))
    return offer, (folder.path / "name").read_text(encoding="utf-8")


def run() -> None:
    """Do what the folder is prepared for, until it is done or a visitor wants no more of it."""
    folder = _folder()
    with closing(steps(folder)) as states:
        for _status in states:
            if folder.wishes().stop:
                return


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(NICE)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    run()
