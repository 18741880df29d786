"""Runs sentences as a browser does: the app's own code, with stand-ins for what is missing there.

Reads a pickled list of (model, text, method, changes), and writes one of `Found`.
"""

import pickle
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[3]
STAND_INS = ROOT / "app/live/stand_ins"
Task = tuple[str, str, str, str]


class Found(NamedTuple):
    """What a run wrote and computed; its check recomputes every array in double precision."""

    ids: tuple[list[int], list[int]]
    hypotheses: list[tuple[str, float]]
    arrays: dict[str, Any]
    passed: bool


def found(task: Task) -> Found:
    """Run a sentence in the app."""
    import numpy as np

    from app.data.changed import run_walk
    from app.data.decoding import Decoding

    model, text, method, changes = task
    walk = run_walk(model, text, Decoding(method=method), changes)  # type: ignore[arg-type]
    capture = walk.capture
    return Found(
        (capture.src_ids, capture.tgt_ids),
        [(one.text, one.score) for one in walk.translation.hypotheses],
        {name: np.asarray(array) for name, array in capture.arrays.items()},
        walk.check(()).passed,
    )


if __name__ == "__main__":
    sys.path[:0] = [str(STAND_INS), str(ROOT)]
    import absent

    absent.install()
    import torch

    assert Path(torch.__file__).is_relative_to(STAND_INS)
    asked = pickle.load(sys.stdin.buffer)
    sys.stdout.buffer.write(pickle.dumps([tuple(found(task)) for task in asked]))
