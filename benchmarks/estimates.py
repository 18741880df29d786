"""How long a run takes, against what was said before: `python -m benchmarks.estimates`.

Runs of several tasks, sizes and architectures, started as the page starts them, one after the
other: what the form says before Train, what the run says a second after its first step, and how
long it took; as ratios to the truth. In the first round the form knows few runs of this machine; in
the next ones it knows those of the rounds before. The form speaks of a machine with nothing else to
do; what keeps it busy makes a run longer, by more than a factor of two: so the last column is what
the form said, against the seconds that the processor computed, whatever it had to wait for.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from app.data.runs import NICE, needs, threads
from app.views.training.data import defaults, make_plan
from model import files as kept
from model.runs.folder import RunFolder, create_run
from tests.browser.conftest import ROOT

GOAL = 2.0
FIRST = 1.0  # seconds after the first step
# Task, preset, architecture, and changes, with as many steps as take about half a minute.
CASES: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("reverse", "tiny", "transformer", {}),
    ("sort", "tiny", "transformer", {"steps": 300}),
    ("numbers-es", "tiny", "transformer", {"steps": 200}),
    ("phrases-es", "tiny", "transformer", {"steps": 200}),
    ("copy", "tiny", "rnn", {"steps": 300}),
    ("digits-fr", "tiny", "rnnsearch", {"steps": 200}),
    ("reverse", "small", "transformer", {"steps": 40, "warmup": 5, "validate_every": 20}),
    ("phrases-fr", "small", "transformer", {"steps": 30, "validate_every": 30}),
    ("phrases-es", "small", "rnnsearch", {"steps": 30, "validate_every": 30}),
    ("reverse", "base", "transformer", {"batch_tokens": 2048, "steps": 15, "warmup": 2}),
    ("reverse", "tiny", "transformer", {"batch_tokens": 256, "steps": 400}),
    ("copy", "tiny", "transformer", {"d_model": 128, "n_encoder_layers": 3, "steps": 150}),
)


def measure(name: str, task: str, preset: str, arch: str, changes: dict[str, Any]) -> list[float]:
    """Return the seconds that a run took, and the two estimates and that of the work as ratios."""
    settings = defaults(task, preset, arch) | changes  # type: ignore[arg-type]
    plan = make_plan(name, task, settings)
    said = needs(plan).seconds
    computed = _computed()
    folder, began = create_run(plan, {}), time.monotonic()
    command = [sys.executable, "-m", "model", "train", "--plan", str(folder.path / "plan.json")]
    command += ["--nice", str(NICE), "--threads", str(threads()), "--insist"]
    child = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, start_new_session=True)
    said_later, later, ended = _watch(folder, child)
    work = said / (_computed() - computed)
    return [ended - began, said / (ended - began), said_later / (ended - later), work]


def _computed() -> float:
    """Return the processor seconds of all runs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _watch(folder: RunFolder, child: subprocess.Popen[bytes]) -> tuple[float, float, float]:
    """Return the estimate a second after the first step, the time of that, and the run's end."""
    first, told = 0.0, (0.0, 0.0)
    while child.poll() is None:
        status, now = folder.status(), time.monotonic()
        if status.step and not first:
            first = now
        if status.state == "finished" and told[1]:
            child.wait()
            return *told, now
        if first and now - first > FIRST and not told[1] and status.seconds_left:
            told = status.seconds_left, now
        time.sleep(0.05)
    raise SystemExit(f"{folder.name} broke off, or was too short to measure.")


def main() -> None:
    """Measure all cases several times, and print each round when it is done."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", type=int, nargs="*", default=range(len(CASES)))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as runs:
        setattr(kept, "RUNS", Path(runs))  # noqa: B010
        titles = "| run | seconds | before Train | after a second | work |"
        print(f"{titles}\n|---|---|---|---|---|", flush=True)
        for n in range(options.rounds):
            for i in options.only:
                task, preset, arch, changes = CASES[i]
                took, *ratios = measure(f"{n}-{i}", *CASES[i])
                what = f"{task} {preset} {arch} {changes or ''}"
                told = " | ".join(f"{ratio:.2f}" for ratio in ratios)
                print(f"| {what} | {took:.0f} | {told} |", flush=True)


if __name__ == "__main__":
    main()
