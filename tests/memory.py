"""The most memory that this process has held since one asked last."""

import resource
import sys
from pathlib import Path

_LINUX = sys.platform.startswith("linux")


def begin_peak() -> int:
    """Forget the highest mark so far, where the system can, and return where it begins, in kB."""
    if _LINUX:
        Path("/proc/self/clear_refs").write_text("5")
    return peak()


def peak() -> int:
    """Return the highest mark, in kB."""
    if not _LINUX:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    lines = Path("/proc/self/status").read_text().splitlines()
    (mark,) = (line.split()[1] for line in lines if line.startswith("VmHWM:"))
    return int(mark)
