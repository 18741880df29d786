"""One training at a time: the queue of the runs of a folder, in order of creation.

Imports no torch: a run that waits in the queue has to be small.
"""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout

from model.runs.folder import RunFolder, run_names


class Slot:
    """A folder's one place to train, held by one run at a time; the end of its process frees it."""

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder
        self._lock = FileLock(folder.path.parent / ".queue.lock", thread_local=False)

    @property
    def held(self) -> bool:
        return self._lock.is_locked

    def acquire(self) -> bool:
        """Take the slot if it is free and this run, queued, is the next one."""
        if self.held:
            return True
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            return False
        if waiting(self.folder.path.parent)[:1] == [self.folder.name]:
            return True
        self._lock.release()
        return False

    def release(self) -> None:
        self._lock.release()


def waiting(runs: Path | None = None) -> list[str]:
    """Return the names of the queued runs, the one that comes next first."""
    return [name for name in reversed(run_names(runs)) if _state(name, runs) == "queued"]


def place(name: str, runs: Path | None = None) -> int:
    """Return how many runs a queued one has to wait for, with the one that is running."""
    running = [other for other in run_names(runs) if _state(other, runs) == "running"]
    queued = waiting(runs)
    return len(running) + queued.index(name) if name in queued else 0


def _state(name: str, runs: Path | None) -> str:
    return RunFolder.named(name, runs).status().state
