"""The door to the question whether attention explains: the sample's numbers, searches, runs.

H heads, L decoder layers, T target tokens, S source tokens, V = size of the target vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.data.cache import cached
from app.data.changed import Change, Changed, change_types, run_with
from app.data.translation import load
from app.data.walk import Walk
from model.atlas.evidence import NAME, Agreement, Evidence
from model.interpret.calculation.numbers import softmax
from model.interpret.experiments import other_attention
from model.interpret.experiments.other_attention import LEAST, MOST, STEPS, Found
from model.interpret.experiments.plan import each_alone

__all__ = ["LEAST", "MOST", "STEPS", "Agreement", "Evidence", "Found"]


@dataclass(frozen=True, eq=False)
class Other:
    """A second run with found weights beside the first: one row of all heads, and the next token.

    `rows` are (2, H, S), `outputs` (2, V): first the model's own. `distance` is the heads' mean
    divergence in bits, from 0 to 1; `moved` the total variation of the outputs.
    """

    changes: tuple[Change, ...]
    run: Changed
    rows: np.ndarray
    outputs: np.ndarray
    distance: float
    moved: float


def evidence_of(walk: Walk) -> Evidence | None:
    """Return what was measured of the model; None without any, or if it is of other weights."""
    folder = load(walk.translation.model).folder
    try:
        stamp = (folder / NAME).stat().st_mtime_ns
    except OSError:
        return None
    return _evidence(folder, stamp, walk.stamp)


@cached()
def _evidence(folder: Path, stamp: int, weights: object) -> Evidence | None:
    return Evidence.load_for(folder)


def search(walk: Walk, layer: int, at: int) -> Iterator[Found]:
    """Look for other weights of a row with the same output; whoever stops asking stops it."""
    return other_attention.search(walk.model, walk.capture, layer, at)


def other(walk: Walk, layer: int, at: int, found: Found) -> Other:
    """Run the sentence once more with found weights, and measure both distances there."""
    changes = found.changes(layer, at)
    run = run_with(walk, *changes)
    runs = walk.capture, run.forced
    rows = np.stack([one.weights("cross", layer)[:, at] for one in runs])
    outputs = np.stack([softmax(one.logits[at].astype(np.float64)) for one in runs])
    distance = other_attention.divergence_of(*rows)
    moved = other_attention.total_variation(*outputs)
    return Other(changes, run, rows, outputs, distance, moved)


@cached()
def uniform(walk: Walk) -> np.ndarray:
    """Return how log p of each token changes with uniform attention over the source, (L + 1, T).

    A row is one layer's attention made uniform; the last row is all of them.
    """
    layers = (*range(walk.config.n_decoder_layers), None)
    changes = [change_types.LookLike("uniform", "cross", layer) for layer in layers]
    return each_alone(walk.model, walk.capture, changes)
