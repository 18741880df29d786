"""The server's memory: how much it uses, in how many heaps, and how much it may use."""

import ctypes
import math
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

ARENA_MAX: Final = -8  # M_ARENA_MAX in <malloc.h>
FULL: Final = 0.85  # of the memory that this process may use; above it, nothing large starts
SECONDS_ALONE: Final = 100.0  # after the last sessions end
SECONDS_BETWEEN: Final = 60.0


def share_heaps() -> None:
    """Make all threads share two heaps; call this before any other thread starts.

    Each move of a visitor runs in its own thread. By default, glibc uses up to eight heaps per
    core, and each heap becomes fragmented.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").mallopt(ARENA_MAX, 2)


def memory() -> int:
    """Return the bytes of memory that this process uses (Linux), or 0 where that is unknown."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


class Bound:
    """The bytes that this process may use; `app.data`, which asks the machine, sets them."""

    n_bytes: float = math.inf


BOUND: Final = Bound()


def is_short() -> bool:
    """Return whether this process uses nearly all the memory that it may."""
    return memory() > FULL * BOUND.n_bytes


class Release:
    """Decides when to clear the caches: nobody has visited for a while, or memory is short.

    Where memory stays short, they are cleared only once a minute, as they would otherwise be
    recomputed again and again.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.visited, self.released = clock(), -math.inf  # times of the last visit and clearing

    def is_due(self, pages: int) -> bool:
        """Return whether to clear the caches now, with `pages` pages open."""
        now = self.clock()
        if pages:
            self.visited = now
        is_left = self.released < self.visited <= now - SECONDS_ALONE
        is_due = is_left or (now - self.released >= SECONDS_BETWEEN and is_short())
        if is_due:
            self.released = now
        return is_due
