"""The memory of the server: how much it holds, in how many heaps, and how much it may hold."""

import ctypes
import math
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

ARENA_MAX: Final = -8  # the number of <malloc.h>
FULL: Final = 0.85  # of what this process may hold: above it, nothing large begins
SECONDS_ALONE: Final = 100.0  # once the last sessions are gone
SECONDS_BETWEEN: Final = 60.0


def share_heaps() -> None:
    """Let all threads take memory from two heaps; before any other thread begins.

    Each visitor's move has a thread of its own. glibc gives threads eight heaps a core, and each
    heap keeps holes.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").mallopt(ARENA_MAX, 2)


def memory() -> int:
    """Return the bytes of memory that this process holds (Linux), 0 where nobody says so."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


class Bound:
    """The bytes that this process may hold: `app.data` says them, which asks the machine."""

    n_bytes: float = math.inf


BOUND: Final = Bound()


def is_short() -> bool:
    """Tell whether this process holds nearly all that it may."""
    return memory() > FULL * BOUND.n_bytes


class Release:
    """When to let go of what was computed: nobody was here for a while, or memory is short.

    Where it stays short, that happens once a minute: all of it would be computed again and again.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.visited, self.released = clock(), -math.inf  # when somebody was here, and at the last

    def is_due(self, pages: int) -> bool:
        """Tell whether to let go now, where so many pages are open."""
        now = self.clock()
        if pages:
            self.visited = now
        is_left = self.released < self.visited <= now - SECONDS_ALONE
        is_due = is_left or (now - self.released >= SECONDS_BETWEEN and is_short())
        if is_due:
            self.released = now
        return is_due
