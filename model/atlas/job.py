"""An atlas made in the background: a process of its own, one at a time, that a page can watch.

Its folder, below that of the runs, says where it stands, as a run's folder does, and keeps what
was measured: a job that was stopped or killed goes on from there. `python -m
model.atlas.job MODEL` is the process.
"""

import logging
import os
import shutil
import sys
import time
from typing import Final

import torch

from model import checkpoint
from model.atlas.atlas import NAME
from model.atlas.build import Size, build
from model.atlas.sample import sample_for
from model.background import give_way
from model.checkpoint import OF_IMPORT, OF_RUN
from model.errors import UserError, failure_of, os_errors_as
from model.files import own, own_runs, safe_name
from model.runs.folder import RunFolder
from model.runs.plan import ALIVE, State, Status
from model.runs.queue import only_slot

log = logging.getLogger(__name__)
NICE: Final = 10
SENTENCES: Final = 300
SIZE: Final = Size(bleu=50)
LOCK: Final = ".atlas.lock"
SECONDS_FOR_THE_LOCK: Final = 10.0  # a reader may hold it for an instant


class Stopped(Exception):  # noqa: N818 - no error: it was asked to
    """A visitor wants no more of it."""


def can_measure(model: str) -> bool:
    """Return whether a model is one that pages may write an atlas beside."""
    return model.startswith((OF_RUN, OF_IMPORT))


def status(model: str) -> Status | None:
    """Return where the job of a model stands; None where there never was one."""
    folder = _folder(model)
    return folder.status() if folder.path.is_dir() else None


def start(model: str, threads: int = 1) -> None:
    """Begin to measure a model, or go on where the last job ended; nothing if one is under way.

    Raises UserError for a run that is still going, and for a folder that cannot be written.
    """
    name = model.removeprefix(OF_RUN)
    if model.startswith(OF_RUN) and RunFolder.named(name).status().state in ALIVE:
        raise UserError("alive", name=repr(name))
    folder = _folder(model)
    if folder.status().state in ALIVE:
        return
    # The process asks no cookie: its folders are those of whoever wants the atlas.
    folders = {"RUNS_DIR": str(own_runs()), "MODELS_DIR": str(own(checkpoint.MODELS))}
    command = [sys.executable, "-m", "model.atlas.job", model, str(threads)]
    with os_errors_as(UserError("atlas_not_written")):
        folder.path.mkdir(parents=True, exist_ok=True)
        folder.wish(stop=False)
        folder.write_status(Status("queued"))
        folder.spawn(command, os.environ | folders)


def stop(model: str) -> None:
    """Let a job end after what it measures at the moment; what is measured is kept."""
    _folder(model).wish(stop=True)


def run(model: str) -> None:
    """Measure a model and write its atlas beside it, unless another process does or did."""
    folder = _folder(model)
    with folder.alive_lock().acquire(timeout=SECONDS_FOR_THE_LOCK):
        if folder.status().state == "queued":
            _Job(model, folder).run()


class _Job:
    def __init__(self, model: str, folder: RunFolder) -> None:
        self.model, self.folder = model, folder
        self._began = time.monotonic()
        self._done, self._total = 0, 0

    def run(self) -> None:
        try:
            with only_slot(own_runs(), LOCK) as is_free:
                while not is_free():
                    self._go_on()
                self._measure()
        except Stopped:
            self._report("stopped")
        except Exception as error:
            log.exception("The atlas of %s was not made.", self.model)
            self._report("failed", failure_of(error, "atlas_not_written", "atlas_broke_off"))
        else:
            self._report("finished")

    def _measure(self) -> None:
        self._report("running")
        loaded = checkpoint.load(self.model)
        sample = sample_for(loaded, SENTENCES, seed=0)
        parts = self.folder.path / "parts"
        build(loaded, sample, (), parts, 0, self._track, SIZE).save(loaded.folder / NAME)
        shutil.rmtree(parts)

    def _track(self, done: int, total: int) -> None:
        self._done, self._total = done, total
        self._go_on()
        self._report("running")

    def _go_on(self) -> None:
        if self.folder.wishes().stop:
            raise Stopped

    def _report(self, state: State, error: UserError | None = None) -> None:
        seconds = time.monotonic() - self._began
        self.folder.write_status(Status(state, self._done, self._total, seconds, error=error))


def _folder(model: str) -> RunFolder:
    """Return the folder of a model's job; raises UserError for a name that no such model has."""
    kind, _, name = model.partition("/")
    if not can_measure(model):
        raise UserError("no_model", name=repr(model[:100]))
    return RunFolder(own_runs() / ".atlas" / kind / safe_name(name))


if __name__ == "__main__":
    give_way(NICE)
    torch.set_num_threads(int(sys.argv[2]))
    run(sys.argv[1])
