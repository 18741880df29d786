"""How a background process gives priority to the server that shows its progress."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

FIRST_TO_GO: Final = 1000  # the oom_score_adj of processes that the kernel kills first


def give_way(nice: int = 0) -> None:
    """Lower this process's priority, and let it be killed first if memory runs out.

    Then one visitor's training is lost, back to its last checkpoint, but no page of others.
    """
    if hasattr(os, "nice"):
        os.nice(nice)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(FIRST_TO_GO), encoding="ascii")
