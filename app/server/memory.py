"""The memory of the server: how much it holds, and in how many heaps."""

import ctypes
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

ARENA_MAX: Final = -8  # the number of <malloc.h>


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
