"""One training at a time: the queue of the runs in a folder, in order of creation.

A server's visitors share one queue: next comes the first run of the visitor whose last turn is
longest ago. This file does not import torch, so that a run waiting in the queue takes little
memory.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from model.files import VISITORS, own_runs
from model.runs.folder import RunFolder, run_names

SECONDS_A_LOOK: Final = 0.2
SERVED: Final = ".served"  # in a visitor's folder, touched when one of their runs gets the slot


class Slot:
    """A queue's only training slot, held by one run at a time and freed when its process ends."""

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder
        self.runs = folder.path.parent
        self._lock = FileLock(shared(self.runs) / ".queue.lock", thread_local=False)

    @property
    def held(self) -> bool:
        return self._lock.is_locked

    def acquire(self) -> bool:
        """Take the slot if it is free and this queued run is next."""
        if self.held:
            return True
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            return False
        if [run.path for run in waiting(self.runs)[:1]] == [self.folder.path]:
            if _is_visitors(self.runs):
                (self.runs / SERVED).touch()
            return True
        self._lock.release()
        return False

    def release(self) -> None:
        self._lock.release()


@contextmanager
def only_slot(runs: Path, name: str) -> Iterator[Callable[[], bool]]:
    """Give a function that takes the only slot for jobs of a kind, and returns whether it is free.

    `name` is the lock file's, in the folder that all who share the queue have in common.
    """
    lock = FileLock(shared(runs) / name, thread_local=False)

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


def shared(runs: Path) -> Path:
    """Return the folder that all visitors who share a queue have in common."""
    return runs.parent if _is_visitors(runs) else runs


def folders(runs: Path | None = None) -> list[Path]:
    """Return the folders of runs that share a queue: those of all visitors, or just one."""
    runs = runs or own_runs()
    if not _is_visitors(runs):
        return [runs]
    return [path for path in runs.parent.glob("*") if path.is_dir()]


def _is_visitors(runs: Path) -> bool:
    return runs.parent.name == VISITORS


def waiting(runs: Path | None = None) -> list[RunFolder]:
    """Return the queued runs of all who share the queue, in the order of their turns."""
    queues = [_of_state("queued", path) for path in sorted(folders(runs), key=_served)]
    longest = max(map(len, queues), default=0)
    return [queue[i] for i in range(longest) for queue in queues if i < len(queue)]


def place(name: str, runs: Path | None = None) -> int:
    """Return how many runs a queued one has to wait for, including the running one."""
    running = [run for path in folders(runs) for run in _of_state("running", path)]
    queued = [run.path for run in waiting(runs)]
    path = RunFolder.named(name, runs).path
    return len(running) + queued.index(path) if path in queued else 0


def _of_state(state: str, runs: Path) -> list[RunFolder]:
    """Return the runs of a folder that are in the given state, in order of creation."""
    found = (RunFolder.named(name, runs) for name in reversed(run_names(runs)))
    return [run for run in found if run.status().state == state]


def _served(runs: Path) -> tuple[float, float]:
    """Return a sort key for visitors' turns: their last training, then their longest wait."""
    try:
        last = (runs / SERVED).stat().st_mtime
    except OSError:
        last = 0.0
    queued = _of_state("queued", runs)
    return last, queued[0].created if queued else 0.0
