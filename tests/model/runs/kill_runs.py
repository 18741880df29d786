"""Train a planned run in children that are killed at random moments, until it is finished.

`python -m tests.model.runs.kill_runs RUNS ROUNDS` prints the step it stands at after each kill.
Children are forked, because starting Python and PyTorch takes seconds.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
import torch._dynamo

from model.runs.folder import RunFolder
from model.runs.worker import Worker
from tests.model.runs.run_samples import Visitor, new_run

# A run that is never finished in these rounds; it is stopped at last.
STEPS, MOST_STEPS = 1500, 6


def fork(folder: RunFolder, told: int, end: int | None = None) -> int:
    """Go on with the run in a child, which writes a byte after each step; return its id."""
    child = os.fork()
    if child:
        return child

    def tell() -> None:
        os.write(told, b".")

    at: dict[int, Callable[[], object]] = dict.fromkeys(range(STEPS), tell)
    if end:
        at[end] = lambda: folder.wish(stop=True)
    os._exit(Worker(folder, [], Visitor(at), threads=1).train(resume=True))


def kill_once(folder: RunFolder, rng: random.Random) -> None:
    """Let the run take some steps, and kill it a moment later."""
    tells, told = os.pipe()
    child = fork(folder, told)
    os.close(told)
    for _ in range(rng.randint(0, MOST_STEPS)):
        os.read(tells, 1)
    time.sleep(rng.uniform(0, 0.03))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(tells)


def main() -> None:
    """Kill the run in each round; then let it take some more steps, and stop it."""
    torch.set_num_threads(1)
    runs, rng = Path(sys.argv[1]), random.Random()
    folder = new_run(runs, "killed", steps=STEPS, validate_every=9)
    for i in range(int(sys.argv[2])):
        kill_once(folder, rng)
        # Killed before it had begun, it is taken for one that is about to begin.
        assert folder.status().state in ("interrupted", "queued"), folder.status()
        print(folder.status().step, flush=True)
        if i == 2:
            folder.wish(learning_rate=1e-3)
        if i == 3:
            for name in ("log.jsonl", "samples.jsonl"):
                with (folder.path / name).open("a") as file:
                    file.write('{"step": 3, "lo')  # a line that was cut by a full disk
    end = folder.status().step + 9
    child = fork(folder, os.open(os.devnull, os.O_WRONLY), end)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert (folder.status().state, folder.status().step) == ("stopped", end)


if __name__ == "__main__":
    main()
