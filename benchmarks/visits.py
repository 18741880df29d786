"""Reruns and visitors during a training: `python -m benchmarks.visits [RERUNS SESSIONS]`.

The server's memory may grow by less than 20 MB; no thread and no process may be left.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.data.runs import NICE
from model.runs.folder import RunFolder
from tests.app.tiny import make_models
from tests.app.visitor import Load, load_of, visit
from tests.browser.conftest import ROOT, serve
from tests.model.runs.run_samples import new_run

MOST_GROWTH = 20 * 2**20
WARM_UP = 30
QUERY = "run=long"


@contextmanager
def training(runs: Path) -> Iterator[RunFolder]:
    """Train a run by the command line until the context is left."""
    folder = new_run(runs, "long", steps=1_000_000, validate_every=50)
    command = [sys.executable, "-m", "model", "train", "--plan", str(folder.path / "plan.json")]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "RUNS_DIR": str(runs)}
    child = subprocess.Popen(
        [*command, "--threads", "1"],
        cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        while folder.status().step < 5:
            assert child.poll() is None, "the training broke off"
            time.sleep(0.2)
        os.setpriority(os.PRIO_PROCESS, child.pid, NICE)  # like the runs that the page starts
        yield folder
    finally:
        child.terminate()
        child.wait(60)


def measure(address: str, reruns: int, sessions: int, warm_up: int) -> tuple[Load, Load]:
    """Return the server's load before and after some reruns and visitors."""
    with visit(address) as visitor:
        for _ in range(warm_up):
            visitor.look(query=QUERY)
        before = _settled(address)
        for _ in range(reruns):
            visitor.look(query=QUERY)
        for _ in range(sessions):
            with visit(address) as other:
                other.look(query=QUERY)
        return before, _settled(address)


def _settled(address: str) -> Load:
    """Return the server's load once the threads of the last scripts have ended."""
    found = load_of(address)
    for _ in range(20):
        time.sleep(0.25)
        now = load_of(address)
        if now.threads >= found.threads:
            return now
        found = now
    return found


def visits(work: Path, reruns: int, sessions: int, warm_up: int = WARM_UP) -> tuple[Load, Load]:
    """Measure a new server while a new run trains."""
    models = make_models(work / "pretrained")
    runs = work / "runs"
    with training(runs) as folder:
        with serve(work, PRETRAINED_DIR=str(models), RUNS_DIR=str(runs)) as address:
            found = measure(address, reruns, sessions, warm_up)
        assert folder.status().state == "running"
    return found


def main() -> None:
    """Print what has grown; raises SystemExit if it is too much."""
    reruns, sessions = map(int, sys.argv[1:] or ("500", "100"))
    with tempfile.TemporaryDirectory() as work:
        before, after = visits(Path(work), reruns, sessions)
    grown = after.memory - before.memory
    print(
        f"{reruns} reruns and {sessions} visitors during a training: memory "
        f"{before.memory / 2**20:.0f} -> {after.memory / 2**20:.0f} MB (goal: less than "
        f"{MOST_GROWTH / 2**20:.0f} more), threads {before.threads} -> {after.threads}, "
        f"processes {before.children} -> {after.children}"
    )
    if grown >= MOST_GROWTH or after.threads > before.threads or after.children > before.children:
        raise SystemExit("The server keeps too much.")


if __name__ == "__main__":
    main()
