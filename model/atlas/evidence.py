"""Is attention an explanation? A model's answers on many sentences, in aggregate numbers only.

R methods, L decoder layers, N tokens, S source tokens.
"""

import random
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from model.atlas.atlas import KeptRecord
from model.atlas.build import Arrays, Results, Track
from model.atlas.sample import Sample
from model.checkpoint import Checkpoint
from model.decoding.search import translate_ids
from model.files import sha256
from model.interpret.calculation.numbers import softmax
from model.interpret.calculation.parameters import Parameters, parameters
from model.interpret.capture import Capture
from model.interpret.experiments.changed import capture_changed
from model.interpret.experiments.changes import LookLike
from model.interpret.experiments.importance import importance
from model.interpret.experiments.other_attention import (
    LEAST,
    MOST,
    divergence_of,
    search,
    total_variation,
)
from model.interpret.experiments.plan import each_alone, plan
from model.interpret.recording import capture

NAME: Final = "evidence.json"
QUARTILES: Final = (0.25, 0.5, 0.75)


@dataclass(frozen=True)
class Agreement:
    """How one method agrees with leave-one-out on which source tokens matter.

    Spearman's rank correlation, its mean over the tokens and its QUARTILES; `same`: how often both
    put the same token first.
    """

    method: str
    mean: float
    quartiles: tuple[float, ...]
    same: float


@dataclass(frozen=True)
class LayerEvidence:
    """One layer's encoder-decoder attention, all heads: found other weights, and uniform ones.

    `found` is the share of `searched` tokens with other weights, at least LEAST away, whose output
    moved by a total variation of at most MOST, measured in a second run; `distance` the median of
    their divergence from the model's in bits, 0 to 1, and 0 where none was found. `uniform` is
    what log p of a token loses, in nats, when all rows of the layer are uniform.
    """

    found: float
    distance: float
    uniform: float


@dataclass(frozen=True)
class Evidence(KeptRecord):
    """What was measured on one token of each sentence.

    `correlations` are the mean rank correlations of every two `methods`, (R, R); `uniform` is the
    loss of log p when the rows of all layers are uniform.
    """

    name: ClassVar = NAME
    indent: ClassVar = 1
    sample: str
    tokens: int
    searched: int
    seed: int
    methods: tuple[str, ...]
    correlations: tuple[tuple[float, ...], ...]
    agreements: tuple[Agreement, ...]
    layers: tuple[LayerEvidence, ...]
    uniform: float


def measure(
    loaded: Checkpoint, sample: Sample, searched: int, seed: int, folder: Path, track: Track
) -> Evidence:
    """Ask all methods about one token that the model writes for each sentence, drawn by the seed.

    Of the first `searched` sentences, other attention is looked for in each layer. What was
    measured is kept in the folder, so that a killed run goes on.
    """
    learned = parameters(loaded.model)
    weights = sha256(loaded.folder / "weights.safetensors")
    parts = Results(folder / f"{weights[:16]}-{sample.name}-{seed}", len(sample.pairs), track)
    answers = []
    for i, pair in enumerate(sample.pairs):
        ask = partial(_ask, loaded, learned, pair.src, random.Random(f"{seed}/{i}"), i < searched)
        answers.append(parts.get(f"{i}-searched" if i < searched else str(i), ask))
    methods: list[str] = answers[0]["methods"].tolist()
    correlations = np.stack([one["correlations"] for one in answers])  # (N, R, R)
    uniform = np.mean([one["uniform"] for one in answers], axis=0)  # (L + 1,)
    found = np.stack([one["found"] for one in answers[:searched]])  # (searched, L)
    return Evidence(
        *(weights, sample.name, len(answers), len(found), seed, tuple(methods)),
        tuple(map(tuple, np.nanmean(correlations, axis=0).tolist())),
        tuple(
            _agreement(method, correlations[:, 0, i], [one["rows"][[0, i]] for one in answers])
            for i, method in enumerate(methods[1:], start=1)
        ),
        tuple(_layer(*one) for one in zip(found.T, uniform[:-1], strict=True)),
        float(uniform[-1]),
    )


def _written(loaded: Checkpoint, sentence: str) -> Capture:
    """Record the model's own translation, greedily decoded."""
    config, tokenizer = loaded.config, loaded.tokenizer
    src_ids = [*tokenizer.encode(sentence), config.eos_id]
    (tgt_ids,) = translate_ids(loaded.model, [src_ids], 1)
    tgt_in = [config.bos_id, *tgt_ids][: config.max_len]
    return capture(loaded.model, tokenizer, src_ids, tgt_in)


def _ask(
    loaded: Checkpoint, learned: Parameters, src: str, draw: random.Random, searching: bool
) -> Arrays:
    """Return the answers about one token, by method, under uniform rows, and of the searches."""
    model, original = loaded.model, _written(loaded, src)
    target, layers = draw.randrange(len(original.tgt)), range(original.n_layers("cross"))
    asked = importance(model, learned, original, target)
    uniform = [LookLike("uniform", "cross", layer) for layer in (*layers, None)]
    found = [_search(loaded, original, layer, target) for layer in layers if searching]
    return {
        "methods": np.array(asked.methods),
        "rows": asked.rows,
        "correlations": asked.correlations,
        "uniform": -each_alone(model, original, uniform)[:, target],
        "found": np.array(found),
    }


def _search(loaded: Checkpoint, original: Capture, layer: int, target: int) -> float:
    """Return how far found weights are from the model's, 0 if a second run has another output."""
    *_, found = search(loaded.model, original, layer, target)
    changed = plan(loaded.model, original, found.changes(layer, target))
    again = capture_changed(loaded.model, loaded.tokenizer, changed)
    before, after = (softmax(run.logits[target].astype(np.float64)) for run in (original, again))
    if total_variation(before, after) > MOST:
        return 0.0
    rows = (run.weights("cross", layer)[:, target] for run in (original, again))
    return divergence_of(*rows)


def _agreement(method: str, correlations: np.ndarray, pairs: list[np.ndarray]) -> Agreement:
    """Compare a method with leave-one-out: correlations (N,), their rows (2, S) of each token."""
    known = correlations[np.isfinite(correlations)]
    quartiles = tuple(np.quantile(known, QUARTILES).tolist())
    same = float(np.mean([pair[0].argmax() == pair[1].argmax() for pair in pairs]))
    return Agreement(method, float(known.mean()), quartiles, same)


def _layer(found: np.ndarray, uniform: float) -> LayerEvidence:
    others = found[found >= LEAST]
    distance = float(np.median(others)) if len(others) else 0.0
    return LayerEvidence(len(others) / len(found), distance, float(uniform))
