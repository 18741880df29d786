"""What training looks at: the right translation, the loss, its moments, and the gradients.

T target tokens, S key tokens, H heads, V = size of the target vocabulary, N values of one score.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from app.data.attention import favourites, sharpest
from app.data.decoding import Decoding
from app.data.translation import load, model_names, readable, stamp_of, translate
from app.data.walk import Walk
from model.checkpoint import Checkpoint
from model.interpret.calculation.masks import allowed, scope_of
from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.target import (
    Losses,
    log_softmax,
    losses,
    next_tokens,
    target_distribution,
)
from model.interpret.capture import Capture, capture
from model.interpret.experiments.interventions import losses_by_score
from model.interpret.gradients import Gradients, attention_gradients
from model.nn.translator import n_parameters
from model.text.tokenizer import BOS, Token

__all__ = ["Losses", "allowed", "scope_of"]

USUAL_SMOOTHING: Final = 0.1  # section 5.4 of the paper


@dataclass(frozen=True, eq=False)
class Taught(Walk):
    """A sentence with the translation it is compared with; all numbers are those of that one.

    `reference` is what was typed, "" for the model's own translation.
    """

    reference: str = ""
    cut: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        return *super().key, self.reference

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

    def surprises(self, position: int) -> np.ndarray:
        """Return −log p of every piece of the vocabulary at a position, (V,)."""
        surprises: np.ndarray = -log_softmax(self.capture.logits[position])
        return surprises

    def tokens(self) -> tuple[Token, ...]:
        """Return the target tokens as people read them."""
        return self.tokenizer.tokens(self.targets)

    def vocabulary(self) -> tuple[Token, ...]:
        """Return every piece that the model can write."""
        return self.tokenizer.tokens(range(self.tokenizer.vocab_size))


@dataclass(frozen=True, eq=False)
class Moment:
    """A model at one moment of training, before a sentence and its right translation."""

    name: str
    steps: int
    parameters: int
    vocabulary: int
    output: str
    losses: Losses
    capture: Capture

    @property
    def sharpest(self) -> tuple[int, int]:
        """Return layer and head that look most at single words of the source, not at its end."""
        return sharpest(self.capture)

    @property
    def sharpness(self) -> float:
        """Return what the favourite word of the sharpest head gets, on average."""
        return float(favourites(self.capture).max())


def taught(walk: Walk, reference: str) -> Taught:
    """Compare a sentence with a typed translation; with the model's own where nothing is typed."""
    text = readable(reference)
    captured, too_long = walk.capture, False
    if text:
        name = walk.translation.model
        captured, too_long = _captured(name, walk.stamp, _source_ids(walk.capture), text)
    numbers = Numbers(captured, walk.parameters)
    return Taught(walk.translation, walk.stamp, numbers, walk.tokenizer, text, too_long)


def smoothing_of(name: str) -> float | None:
    """Return the ε that a model was trained with, where it says so."""
    train = load(name).metrics.get("train")
    found = train.get("label_smoothing") if isinstance(train, dict) else None
    return float(found) if isinstance(found, int | float) and 0 <= found < 1 else None


def moments_of(name: str, same: Sequence[str]) -> list[str]:
    """Return the snapshots among models of the `same` languages by age, then a trained model."""
    among = [other for other in model_names() if other in same]
    snapshots = [other for other in among if other.startswith("snapshots/")]
    shipped = [other for other in among if other not in snapshots]
    trained = [name] if name in shipped else shipped[:1]
    return [*snapshots, *trained]


def moment(name: str, walk: Taught) -> Moment:
    """Put a sentence and its right translation before a model; raises what `translate` raises."""
    if name == walk.translation.model:
        return _moment(load(name), name, walk.translation.output, walk.capture)
    decoding, text = walk.translation.decoding, walk.translation.text
    return _other_moment(name, stamp_of(name), text, decoding, walk.text)


def gradients_of(walk: Taught, smoothing: float, position: int | None) -> Gradients:
    """Return ∂loss/∂score of every attention, for all target tokens or the one at a position."""
    return _gradients(walk.key, smoothing, position, walk)


def losses_if(
    walk: Taught, name: str, index: Sequence[int], by: Sequence[float], smoothing: float,
    position: int | None,
) -> np.ndarray:  # fmt: skip
    """Return the loss after adding each of some numbers to one score, all else following: (N,).

    `name` and `index` (head, query, key) are the score's; the model itself stays as it is.
    """
    return _losses_if(walk.key, name, tuple(index), tuple(by), smoothing, position, walk)


def _source_ids(captured: Capture) -> tuple[int, ...]:
    return tuple(token.id for token in captured.src)


def _moment(loaded: Checkpoint, name: str, output: str, captured: Capture) -> Moment:
    step = loaded.metrics.get("step")
    return Moment(
        name=name,
        steps=step if isinstance(step, int) else 0,
        parameters=n_parameters(loaded.model),
        vocabulary=loaded.config.n_tgt_vocab,
        output=output,
        losses=losses(captured.logits, next_tokens(captured)),
        capture=captured,
    )


@st.cache_resource(max_entries=32, show_spinner=False)
def _other_moment(
    name: str, stamp: object, text: str, decoding: Decoding, reference: str
) -> Moment:
    translation = translate(name, text, decoding)
    captured, _ = _teach(load(name), _source_ids(translation.capture), reference)
    return _moment(load(name), name, translation.output, captured)


@st.cache_resource(max_entries=12, show_spinner=False)
def _captured(
    name: str, stamp: object, source: tuple[int, ...], reference: str
) -> tuple[Capture, bool]:
    return _teach(load(name), source, reference)


def _teach(loaded: Checkpoint, source: Sequence[int], reference: str) -> tuple[Capture, bool]:
    """Feed the decoder a translation instead of its own words; say if it was too long."""
    ids = loaded.tokenizer.encode(reference)
    longest = loaded.config.max_len - 1
    captured = capture(loaded.model, loaded.tokenizer, source, [BOS, *ids[:longest]])
    return captured, len(ids) > longest


@st.cache_resource(max_entries=12, show_spinner=False)
def _gradients(
    key: tuple[object, ...], smoothing: float, position: int | None, _walk: Taught
) -> Gradients:
    model = load(_walk.translation.model).model
    read = [token.id for token in _walk.capture.tgt]
    source = _source_ids(_walk.capture)
    return attention_gradients(model, source, read, _walk.targets, smoothing, position)


@st.cache_resource(max_entries=64, show_spinner=False)
def _losses_if(
    key: tuple[object, ...], name: str, index: tuple[int, ...], by: tuple[float, ...],
    smoothing: float, position: int | None, _walk: Taught,
) -> np.ndarray:  # fmt: skip
    model = load(_walk.translation.model).model
    read = [token.id for token in _walk.capture.tgt]
    return losses_by_score(
        model, _source_ids(_walk.capture), read, _walk.targets, name, index, by, smoothing, position
    )
