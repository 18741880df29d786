"""What training looks at: the right translation, the loss, its moments, and the gradients.

T target tokens, S key tokens, H heads, V = size of the target vocabulary, N values of one score.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from app.data.cache import cached
from app.data.translation import load, readable, stamp_of, translate
from app.data.walk import Cell, Walk
from model.interpret.calculation.numbers import softmax
from model.interpret.calculation.target import (
    Losses,
    divergence,
    log_softmax,
    losses,
    next_tokens,
    surprise,
    target_distribution,
)
from model.interpret.capture import Capture
from model.interpret.experiments import interventions
from model.interpret.experiments.interventions import Gradients
from model.interpret.recording import capture
from model.nn.translator import n_parameters
from model.text.byte_level import Token

__all__ = ["Losses", "surprise"]

USUAL_SMOOTHING: Final = 0.1  # section 5.4 of the paper


@dataclass(frozen=True, eq=False)
class Taught(Walk):
    """A sentence with the translation it is compared with; all numbers are those of that one.

    `reference` is what was typed, "" for the model's own translation; `truncated` says that
    it was too long for the model.
    """

    reference: str = ""
    truncated: bool = False

    @property
    def targets(self) -> tuple[int, ...]:
        """The token that should follow each one the decoder has read: (T,)."""
        return next_tokens(self.capture)

    @property
    def text(self) -> str:
        """The translation it is compared with, as text."""
        return self.tokenizer.decode(self.targets[:-1])

    def losses(self, smoothing: float) -> Losses:
        """Return the loss of each target token, by NumPy in float64."""
        return losses(self.capture.logits, self.targets, smoothing)

    def target(self, position: int, smoothing: float) -> np.ndarray:
        """Return what the model should have said at a position, (V,)."""
        return target_distribution(self.targets[position], self.config.n_tgt_vocab, smoothing)

    def divergence(self, position: int, smoothing: float) -> tuple[float, float]:
        """Return the entropy of the target at a position, and KL(target ‖ the model), in nats."""
        return divergence(self.target(position, smoothing), self.capture.logits[position])

    def surprises(self, position: int) -> np.ndarray:
        """Return −log p of every token of the vocabulary at a position, (V,)."""
        return -log_softmax(self.capture.logits[position])

    def tokens(self) -> tuple[Token, ...]:
        """Return the target tokens as people read them."""
        return self.tokenizer.tokens(self.targets)


@dataclass(frozen=True, eq=False)
class LearningStep:
    """A model at one moment of training, before a sentence and its right translation.

    `a_word` and `a_character` are the loss of all, shared out among those of the translation.
    `answers` has the probabilities (T, K) of its `columns`, each different token of the right
    translation. Of the capture only the encoder-decoder weights are kept.
    """

    name: str
    steps: int
    parameters: int
    vocabulary: int
    output: str
    losses: Losses
    a_word: float
    a_character: float
    answers: np.ndarray
    columns: tuple[Token, ...]
    capture: Capture

    @property
    def target(self) -> np.ndarray:
        """The one-hot targets, among the columns: (T, K)."""
        ids = np.array([token.id for token in self.columns])
        return (self.losses.targets[:, None] == ids).astype(float)


def taught(walk: Walk, reference: str) -> Taught:
    """Compare a sentence with a typed translation; with the model's own where nothing is typed."""
    text = readable(reference)
    captured, truncated = _captured(walk, text) if text else (walk.capture, False)
    read = walk.translation.read_as(captured, walk.key) if text else walk.translation
    return Taught(read, walk.parameters, walk.tokenizer, walk.plan, text, truncated)


def smoothing_of(name: str) -> float | None:
    """Return the ε that a model was trained with, where it says so."""
    smoothing = load(name).metric("train", "label_smoothing")
    return None if smoothing is None or smoothing >= 1 else smoothing


def moments_of(name: str, same: Sequence[str]) -> list[str]:
    """Return the snapshots among models of the `same` languages by age, then a trained model."""
    snapshots = [other for other in same if other.startswith("snapshots/")]
    shipped = [other for other in same if other not in snapshots]
    return [*snapshots, *([name] if name in shipped else shipped[:1])]


def moment(name: str, walk: Taught) -> LearningStep:
    """Put a sentence and its right translation before a model; raises what `translate` raises."""
    return _moment(name, stamp_of(name), walk)


@cached()
def gradients_of(walk: Taught, smoothing: float, position: int | None) -> Gradients:
    """Return ∂loss/∂score of every attention, for all target tokens or the one at a position."""
    src, tgt = walk.capture.src_ids, walk.capture.tgt_ids
    return interventions.attention_gradients(
        walk.model, src, tgt, walk.targets, smoothing, position
    )


@cached()
def losses_if(
    walk: Taught, cell: Cell, by: Sequence[float], smoothing: float, position: int | None
) -> np.ndarray:
    """Return the loss after adding each of some numbers to one score, all else following: (N,)."""
    src, tgt = walk.capture.src_ids, walk.capture.tgt_ids
    return interventions.losses_by_score(
        walk.model, src, tgt, walk.targets, cell.name, cell.index, by, smoothing, position
    )


@cached()
def _moment(name: str, stamp: object, walk: Taught) -> LearningStep:
    loaded, translation, captured = load(name), walk.translation, walk.capture
    if name != translation.model:
        translation = translate(name, translation.text, translation.decoding)
        ids, _ = _ids(name, walk.text)
        captured = capture(loaded.model, loaded.tokenizer, translation.capture.src_ids, ids)
    targets, arrays = next_tokens(captured), captured.arrays.items()
    ids, found = list(dict.fromkeys(targets)), losses(captured.logits, targets)
    shown = {key: array for key, array in arrays if key.endswith("cross_attn.weights")}
    return LearningStep(
        name=name,
        steps=loaded.steps or 0,
        parameters=n_parameters(loaded.model),
        vocabulary=loaded.config.n_tgt_vocab,
        output=translation.output,
        losses=found,
        a_word=found.total / max(len(walk.text.split()), 1),
        a_character=found.total / max(len(walk.text), 1),
        answers=softmax(captured.logits.astype(np.float64))[:, ids],
        columns=loaded.tokenizer.tokens(ids),
        capture=replace(captured, arrays=shown),
    )


@cached()
def _captured(walk: Walk, reference: str) -> tuple[Capture, bool]:
    ids, truncated = _ids(walk.translation.model, reference)
    return walk.read(ids), truncated


def _ids(name: str, reference: str) -> tuple[list[int], bool]:
    """Return what a decoder reads in place of its own words, and whether that was too long."""
    loaded = load(name)
    ids, longest = loaded.tokenizer.encode_target(reference), loaded.config.max_len - 1
    return [loaded.config.bos_id, *ids[:longest]], len(ids) > longest
