"""The slowest tests of the suite: `python -m benchmarks.slowest [MORE_OF_PYTEST…]`."""

import subprocess
import sys
from pathlib import Path

N_TESTS = 30


def main() -> None:
    """Run the tests, and print which of them took longest."""
    command = [sys.executable, "-m", "pytest", "--quiet", "--numprocesses", "auto"]
    command += ["--dist", "worksteal", "--durations", str(N_TESTS), *sys.argv[1:]]
    root = Path(__file__).parents[1]
    done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, check=False, text=True)
    _tests, _head, slowest = done.stdout.partition("slowest")
    print(f"slowest{slowest}")
    if done.returncode:
        raise SystemExit("Some tests failed.")


if __name__ == "__main__":
    main()
