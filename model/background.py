"""How a process in the background gives way to the server that shows what it does."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

FIRST_TO_GO: Final = 1000  # the kernel's mark for whom it ends first


def give_way(nice: int = 0) -> None:
    """Take the processor after others, and be the first to go where memory runs out."""
    if hasattr(os, "nice"):
        os.nice(nice)
    go_first("self")


def go_first(process: int | str) -> None:
    """Let the kernel end this process, and not the server, where a container runs out of memory.

    One visitor's training is lost then, up to its last checkpoint, and no other page.
    """
    with suppress(OSError):
        Path(f"/proc/{process}/oom_score_adj").write_text(str(FIRST_TO_GO), encoding="ascii")
