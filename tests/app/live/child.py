"""Runs sentences as a browser does: the app's own code, with stand-ins for what is missing there.

Reads a pickled list of (model, text, method, changes), and writes one of `Found`.
"""

import pickle
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from app.data.walk import Walk

ROOT = Path(__file__).parents[3]
STAND_INS = ROOT / "app/live/stand_ins"
GRADIENTS = "gradients"
Task = tuple[str, str, str, str]


class Found(NamedTuple):
    """What a run wrote and computed; its check recomputes every array in double precision."""

    ids: tuple[list[int], list[int]]
    hypotheses: list[tuple[str, float]]
    arrays: dict[str, Any]
    passed: bool


def found(task: Task) -> Found:
    """Run a sentence in the app; the method "gradients" adds what each token did for the third."""
    import numpy as np

    from app.data.changed import run_walk
    from app.data.decoding import Decoding

    model, text, method, changes = task
    asked = Decoding("greedy" if method == GRADIENTS else method)  # type: ignore[arg-type]
    walk = run_walk(model, text, asked, changes)
    capture = walk.capture
    arrays = {name: np.asarray(array) for name, array in capture.arrays.items()}
    return Found(
        (capture.src_ids, capture.tgt_ids),
        [(one.text, one.score) for one in walk.translation.hypotheses],
        arrays | (_gradients(walk) if method == GRADIENTS else {}),
        walk.check(()).passed,
    )


def _gradients(walk: "Walk") -> dict[str, Any]:
    from model.interpret.calculation.target import next_tokens
    from model.interpret.experiments.importance import importance
    from model.interpret.experiments.interventions import attention_gradients

    capture, model = walk.capture, walk.model
    asked = importance(model, walk.parameters, capture, 2)
    slopes = attention_gradients(
        model, capture.src_ids, capture.tgt_ids, next_tokens(capture), smoothing=0.1
    )
    rows = dict(zip(asked.methods, asked.rows, strict=True))
    return rows | {f"gradient by {name}": array for name, array in slopes.arrays.items()}


if __name__ == "__main__":
    sys.path[:0] = [str(STAND_INS), str(ROOT)]
    import absent

    absent.install()
    import torch

    assert Path(torch.__file__).is_relative_to(STAND_INS)
    asked = pickle.load(sys.stdin.buffer)
    sys.stdout.buffer.write(pickle.dumps([tuple(found(task)) for task in asked]))
