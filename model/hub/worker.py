"""Fetches a model and imports it, one at a time: `python -m model.hub.worker FOLDER`.

The folder, among the models, says where that stands, as a run's folder does, and keeps what came:
one that was stopped or killed goes on from there. Imports no torch until something is imported:
what waits or downloads has to be small.
"""

from __future__ import annotations

import logging
import shutil
import sys
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from model.background import give_way
from model.errors import UserError, is_full, reason
from model.files import read_json
from model.hub.fetch import done, fetch
from model.hub.offer import Offer
from model.runs.folder import RunFolder
from model.runs.plan import Status
from model.runs.queue import shared

LOCK: Final = ".fetch.lock"
NICE: Final = 10
SECONDS_FOR_THE_LOCK: Final = 10.0  # a reader may hold it for an instant
SECONDS_A_LOOK: Final = 0.2


def steps(folder: RunFolder) -> Generator[Status, None, None]:
    """Fetch and import what a folder is prepared for; yield where that stands, and write it there.

    Closing it stops, and keeps what came. Raises UserError, which the folder keeps too.
    """
    began = time.monotonic()
    status = folder.status()
    offer, name = asked(folder)

    def report(status: Status) -> Status:
        status = replace(status, seconds=time.monotonic() - began)
        folder.write_status(status)
        return status

    with _alone(folder, offer):
        try:
            for status in _states(folder, offer, name):
                yield report(status)
        except GeneratorExit:
            report(replace(status, state="stopped"))
            raise
        except Exception as error:
            failure = _failure(error)
            report(replace(status, state="failed", error=failure))
            raise failure from error


@contextmanager
def _alone(folder: RunFolder, offer: Offer) -> Iterator[None]:
    """Hold a folder's lock; raises UserError where another process works on it."""
    try:
        lock = folder.alive_lock().acquire(timeout=SECONDS_FOR_THE_LOCK)
    except Timeout as error:
        raise UserError("fetch_under_way", name=offer.repository) from error
    with lock:
        yield


def _states(folder: RunFolder, offer: Offer, name: str) -> Iterator[Status]:
    waiting = Status("queued", done(folder.path, offer), offer.size)
    with _slot(folder.path.parent) as is_free:
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
    from model.imported import take_in  # only now: it brings PyTorch along

    try:
        take_in(files, name, origin)
    except UserError as error:
        if is_full(error):
            raise
        shutil.rmtree(files)
        raise
    shutil.rmtree(files)


@contextmanager
def _slot(models: Path) -> Iterator[Callable[[], bool]]:
    """Give what tells whether no other model is being fetched by now: one at a time for all."""
    lock = FileLock(shared(models) / LOCK, thread_local=False)

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


def asked(folder: RunFolder) -> tuple[Offer, str]:
    """Return what a folder is prepared for; raises OSError or ValueError."""
    offer = Offer.from_dict(read_json(folder.path / "offer.json"))
    return offer, (folder.path / "name").read_text(encoding="utf-8")


def run(folder: RunFolder) -> None:
    """Do what a folder is prepared for, until it is done or a visitor wants no more of it."""
    with closing(steps(folder)) as states:
        for _status in states:
            if folder.wishes().stop:
                return


if __name__ == "__main__":
    give_way(NICE)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    run(RunFolder(Path(sys.argv[1])))
