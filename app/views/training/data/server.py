"""The state of the server, for the teacher of a class."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass

from app.data import runs
from app.server.log import LATEST_ERRORS, Failure
from app.server.memory import memory
from app.server.metrics import STARTED, WAITED
from app.server.visitors import OPEN_PAGES
from model import __version__, files


@dataclass(frozen=True)
class ServerStatus:
    """What one server knows about itself and its shared disk; times are in seconds since 1970."""

    visitors: int  # with a page open
    pages: int
    median: float | None  # seconds per move, of the latest moves; None before any
    slow: float | None  # the 95th percentile of the same
    memory: int  # bytes
    free: int  # bytes of the disk
    training: int  # runs of the class
    waiting: int
    failures: Sequence[Failure]  # latest first
    version: str
    since: float


def server_status() -> ServerStatus:
    """Return the server's state; what it says about runs is for teachers only."""
    states = [owned.run.status.state for owned in runs.of_class()]
    place = next(path for path in (files.RUNS, *files.RUNS.parents) if path.exists())
    return ServerStatus(
        visitors=len(OPEN_PAGES.by_visitor),
        pages=WAITED.pages,
        median=WAITED.quantile(0.5),
        slow=WAITED.quantile(0.95),
        memory=memory(),
        free=shutil.disk_usage(place).free,
        training=len(states) - states.count("queued"),
        waiting=states.count("queued"),
        failures=[*reversed(LATEST_ERRORS.failures)],
        version=__version__,
        since=STARTED,
    )
