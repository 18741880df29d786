"""Downloads and imports models, one at a time: `python -m model.hub.worker FOLDER`.

The folder, which is next to those of the models, holds the status, as a run's folder does, and what
has arrived, so that a stopped or killed download can continue. This process does not import torch
before a model is imported, so that waiting and downloading take little memory.
"""

import logging
import shutil
import sys
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from filelock import Timeout

from model.background import give_way
from model.errors import UserError, failure_of, is_full
from model.files import read_json
from model.hub.fetch import done, fetch
from model.hub.offer import HubOffer
from model.runs.folder import RunFolder
from model.runs.plan import Status
from model.runs.queue import only_slot

LOCK: Final = ".fetch.lock"
NICE: Final = 10
SECONDS_FOR_THE_LOCK: Final = 10.0  # a reader may hold it for an instant
_slot = partial(only_slot, name=LOCK)


def steps(folder: RunFolder) -> Generator[Status, None, None]:
    """Download and import the model of a prepared folder; yield each status, and write it there.

    Closing the generator stops the download but keeps what has arrived. Raises UserError, which is
    also written to the folder.
    """
    began = time.monotonic()
    status = folder.status()
    offer, name = asked(folder)

    def report(status: Status) -> Status:
        status = replace(status, seconds=time.monotonic() - began)
        folder.write_status(status)
        return status

    try:
        lock = folder.alive_lock().acquire(timeout=SECONDS_FOR_THE_LOCK)
    except Timeout as error:
        raise UserError("fetch_under_way", name=offer.repository) from error
    with lock:
        try:
            for status in _states(folder, offer, name):
                yield report(status)
        except GeneratorExit:
            report(replace(status, state="stopped"))
            raise
        except Exception as error:
            failure = failure_of(error, "fetch_not_written", "fetch_broke_off")
            report(replace(status, state="failed", error=failure))
            raise failure from error


def _states(folder: RunFolder, offer: HubOffer, name: str) -> Iterator[Status]:
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
    """Import the files and delete them, even if the import fails, unless the disk is full."""
    from model.imported import take_in  # only now, because it imports torch

    try:
        take_in(files, name, origin)
    except UserError as error:
        if is_full(error):
            raise
        shutil.rmtree(files)
        raise
    shutil.rmtree(files)


def asked(folder: RunFolder) -> tuple[HubOffer, str]:
    """Return the offer and the model name of a prepared folder; raises OSError or ValueError."""
    offer = HubOffer.from_dict(read_json(folder.path / "offer.json"))
    return offer, (folder.path / "name").read_text(encoding="utf-8")


if __name__ == "__main__":
    give_way(NICE)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    prepared = RunFolder(Path(sys.argv[1]))
    with closing(steps(prepared)) as states:
        for _status in states:
            if prepared.wishes().stop:
                break
