"""All benchmarks, one after the other: `python -m benchmarks`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

NAMES = (
    *("capture", "training", "decoding", "shipped", "page", "walk", "busy"),
    *("visits", "visitors", "traffic", "slowest"),
)
ROOT = Path(__file__).parents[1]


def main() -> None:
    """Run each benchmark in a process of its own, and end with an error if one fails."""
    failed = []
    for name in sys.argv[1:] or NAMES:
        print(f"\n## {name}\n", flush=True)
        command = [sys.executable, "-m", f"benchmarks.{name}"]
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            failed.append(name)
    if failed:
        raise SystemExit(f"Failed: {', '.join(failed)}.")


if __name__ == "__main__":
    main()
