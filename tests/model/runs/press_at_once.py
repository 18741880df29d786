"""Begin several runs of the same name at the same instant, each in a process of its own.

`python -m tests.model.runs.press_at_once RUNS N` prints the names that they got. Processes are
forked, because starting Python and PyTorch takes seconds.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import torch
import torch._dynamo

from model.runs.folder import create_run
from model.runs.worker import Worker
from tests.model.runs.run_samples import Visitor, tiny_files, tiny_plan


def press(runs: Path, start: float) -> None:
    """Create a run at an instant, under the next free name, and train it."""
    time.sleep(max(0.0, start - time.time()))
    folder = create_run(tiny_plan("same", steps=1, validate_pairs=1), tiny_files(), runs)
    os.write(sys.stdout.fileno(), f"{folder.name}\n".encode())
    os._exit(Worker(folder, [], Visitor({}), threads=1).train(resume=False))


def main() -> None:
    """Wait until all have finished."""
    torch.set_num_threads(1)
    start = time.time() + 0.3
    children = []
    for _ in range(int(sys.argv[2])):
        child = os.fork()
        if child == 0:
            press(Path(sys.argv[1]), start)
        children.append(child)
    ends = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert ends == [0] * len(children), ends


if __name__ == "__main__":
    main()
