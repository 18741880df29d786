"""Ends a training that was asked to stop but is held up by a long batch or validation."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from model.runs.worker import SECONDS_A_LOOK, Worker

SECONDS_TO_STOP: Final = 3.0


@contextmanager
def watchdog(worker: Worker, end: Callable[[int], None]) -> Iterator[None]:
    """Watch a worker that trains alone; `end` ends its process, as a thread cannot be interrupted.

    Processes that train together are not watched: they stop together, between two steps.
    """
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        yield
        return
    ended = threading.Event()
    thread = threading.Thread(target=_watch, args=(worker, end, ended), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _watch(worker: Worker, end: Callable[[int], None], ended: threading.Event) -> None:
    asked = math.inf
    while not ended.wait(SECONDS_A_LOOK):
        stuck = worker.asked_to_stop and not worker.ends
        asked = min(asked, time.monotonic()) if stuck else math.inf
        if time.monotonic() - asked > SECONDS_TO_STOP:
            status = worker.abandon()
            if status is not None:
                end(status)
