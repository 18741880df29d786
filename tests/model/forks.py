"""Children of the process that tests: to start Python and PyTorch anew takes seconds."""

import os
import time
import traceback
from collections.abc import Callable


def fork(work: Callable[[], object]) -> int:
    """Let a child work, and return its id; it ends with 0, or with 1 if that raises."""
    if child := os.fork():
        return child
    status = 1
    try:
        work()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def ends(*children: int) -> list[int]:
    """Wait for children, and return the exit status of each."""
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


def wait_for(holds: Callable[[], object], seconds: float = 240) -> None:
    """Wait until something holds; raises AssertionError where it never does."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
