"""Where each head looked at moments of a training, and since when it has had its role.

B sentences, K heads.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor

from model.atlas.measures import (
    THRESHOLD,
    attentions,
    distribution_measures,
    joined,
    record,
)
from model.atlas.sample import Encoded, Sample, aligned
from model.checkpoint import Checkpoint
from model.nn.transformer import Transformer
from model.runs.film import Frame
from model.runs.folder import RunFolder
from model.tasks import TASKS
from model.text.pairs import Pair

FILM: Final = "film"  # the sample's name: the one sentence that a run films
CHUNK: Final = 50  # sentences measured at once
Line = tuple[float, ...]


@dataclass(frozen=True)
class OverTraining:
    """Means of measures of the weights at each of some steps of a training.

    `measures` has, for each head in the atlas' order, a value a step, by the measure's name.
    """

    sample: str
    sentences: int
    steps: tuple[int, ...]
    measures: tuple[Mapping[str, Line], ...]


def found_at(steps: Sequence[int], line: Line, threshold: float = THRESHOLD) -> int | None:
    """Return the step from which a share is at least the threshold, to the end; None without."""
    below = [i for i, value in enumerate(line) if value < threshold]
    first = below[-1] + 1 if below else 0
    return steps[first] if first < len(steps) else None


def of_snapshots(snapshots: Sequence[Checkpoint], sample: Sample) -> OverTraining:
    """Measure models of one training, of one shape, on a sample."""
    ordered = sorted(snapshots, key=lambda one: int(one.metrics["step"]))
    values = []
    for one in ordered:
        assert isinstance(one.model, Transformer)
        encoded = Encoded(one.model, one.tokenizer, sample)
        chunks = [
            _measures(record(one.model, encoded.batch(part)), encoded, part)
            for part in encoded.chunks(CHUNK)
        ]
        values.append({name: np.concatenate([part[name] for part in chunks]) for name in chunks[0]})
    steps = tuple(int(one.metrics["step"]) for one in ordered)
    return OverTraining(sample.name, len(sample.pairs), steps, _lines(values))


def of_film(folder: RunFolder, loaded: Checkpoint) -> OverTraining | None:
    """Measure the sentence that a run filmed, at each filmed step; None without a film.

    Frames of another sentence, or of a model of another shape, are passed over.
    """
    plan = folder.plan()
    if not any(plan.probe):
        return None
    pair = Pair(*plan.probe)
    gold = tuple(aligned(TASKS[plan.task], [pair])) if plan.task in TASKS else ()
    encoded = Encoded(loaded.model, loaded.tokenizer, Sample(FILM, (pair,), gold))
    src, tgt = encoded.examples[0]
    steps, values = list[int](), list[dict[str, np.ndarray]]()
    for step in folder.frames():
        with suppress(ValueError):
            frame = Frame.load(folder.frame_file(step))
            shown = frame.capture
            filmed = (shown.config, shown.src_ids, frame.target_ids.tolist())
            if filmed == (loaded.config, src, tgt):
                weights = {name: torch.tensor(a)[None] for name, a in shown.arrays.items()}
                values.append(_measures(weights, encoded, [0]))
                steps.append(step)
    return OverTraining(FILM, 1, tuple(steps), _lines(values)) if steps else None


def _measures(
    kept: Mapping[str, Tensor], encoded: Encoded, numbers: Sequence[int]
) -> dict[str, np.ndarray]:
    """Measure the weights of all heads in some sentences, (B, K) each."""
    found = [
        distribution_measures(kept[f"{scope}.weights"], sides, cells)
        for scope, sides, cells in attentions(encoded, numbers)
    ]
    return joined(found)


def _lines(values: Sequence[Mapping[str, np.ndarray]]) -> tuple[Mapping[str, Line], ...]:
    """Turn the measures of each step into a line of each head and measure that it has."""
    heads = range(next(iter(values[0].values())).shape[1])
    return tuple(
        {
            name: tuple(float(np.nanmean(one[name][:, k])) for one in values)
            for name in values[0]
            if not np.isnan(values[0][name][:, k]).all()
        }
        for k in heads
    )
