"""The memory of the server: how much it holds, in how many heaps, and how much it may hold."""

import ctypes
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

ARENA_MAX: Final = -8  # the number of <malloc.h>
# What a container may hold, by the kernel's second version of control groups, and by its first.
LIMITS_OF_CONTAINER: Final = (
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
)
FULL: Final = 0.85  # of what the container may hold: above it, nothing large begins


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


@cache
def memory_limit() -> float:
    """Return the bytes that the container of this process may hold; infinity outside of one."""
    for place in LIMITS_OF_CONTAINER:
        with suppress(OSError, ValueError):  # "max"
            return int(Path(place).read_text(encoding="ascii"))
    return float("inf")


def is_short() -> bool:
    """Tell whether this process holds nearly all that it may."""
    return memory() > FULL * memory_limit()
