"""The masks at work: a model run without them, and over a padded batch, with and without.

B sentences, T target tokens, S source tokens, V = size of the target vocabulary.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from model.interpret.calculation.numbers import softmax
from model.interpret.capture import Capture
from model.nn.hooks import Recorder
from model.nn.masks import Mask, causal_mask, padding_mask, target_mask
from model.nn.translator import Translator
from model.text.batches import pad
from model.text.byte_level import Token
from model.text.tokenizer import Tokenizer

Ids = Sequence[int]


@dataclass(frozen=True, eq=False)
class Hidden:
    """Three ways to hide the future from one word: each its weights, (T,)."""

    before: np.ndarray  # −∞ in place of the scores, before the softmax: what the model does
    after: np.ndarray  # 0 in place of the weights, after the softmax
    zero: np.ndarray  # 0 in place of the scores, before the softmax


@dataclass(frozen=True)
class ProbabilityChange:
    """After the token at `row`, the probability of `token` goes from `before` to `after`."""

    row: int
    token: Token
    before: float
    after: float

    @property
    def size(self) -> float:
        return abs(self.after - self.before)


@dataclass(frozen=True, eq=False)
class Effect:
    """What another word at one place does to the predictions, (T,).

    `before` and `after` are the probabilities of the word that really follows; `moved` is how
    much of all probability goes to other words, ½ Σ |after − before| over the vocabulary.
    `largest` is the change that is largest of all up to that place.
    """

    before: np.ndarray
    after: np.ndarray
    moved: np.ndarray
    largest: ProbabilityChange


@dataclass(frozen=True, eq=False)
class MaskedBatch:
    """The sentence (row 0) in one batch with a longer one (row 1), both padded to one length.

    Masks are True where one may look; weights are those of row 0, by name, with the padding
    mask and without it. `apart` and `apart_open` are the largest difference between the
    probabilities that the sentence gets in the batch and alone.
    """

    src: tuple[tuple[Token, ...], ...]  # (B, S)
    tgt: tuple[tuple[Token, ...], ...]  # (B, T)
    src_padding: np.ndarray  # (B, S)
    causal: np.ndarray  # (T, T)
    target: np.ndarray  # (B, T, T)
    weights: Mapping[str, np.ndarray]
    open_weights: Mapping[str, np.ndarray]
    apart: float
    apart_open: float


@torch.inference_mode()
def run(
    model: Translator, src_ids: Ids, tgt_ids: Ids, causal: bool = True
) -> Mapping[str, np.ndarray]:
    """Return weights and logits by name, with the causal mask or without any."""
    src, tgt = torch.tensor([src_ids]), torch.tensor([tgt_ids])
    tgt_mask = target_mask(tgt, model.config.pad_id) if causal else None
    return _first(model, src, tgt, padding_mask(src, model.config.pad_id), tgt_mask)


def hide(scaled: np.ndarray, word: int) -> Hidden:
    """Return a word's weights when the future in its scores, (T,), is hidden in three ways."""
    past = np.arange(scaled.size) <= word
    scores = scaled.astype(np.float64)
    return Hidden(
        before=softmax(np.where(past, scores, -np.inf)),
        after=np.where(past, softmax(scores), 0.0),
        zero=softmax(np.where(past, scores, 0.0)),
    )


def effect(
    before: np.ndarray, after: np.ndarray, targets: Ids, place: int, tokenizer: Tokenizer
) -> Effect:
    """Compare the logits (T, V) of two passes that differ in the word at a place."""
    former, latter = (softmax(logits.astype(np.float64)) for logits in (before, after))
    rows, follows = range(len(targets)), list(targets)
    difference = np.abs(latter - former)
    row, token_id = np.unravel_index(int(difference[:place].argmax()), difference.shape)
    return Effect(
        before=former[rows, follows],
        after=latter[rows, follows],
        moved=difference.sum(-1) / 2,
        largest=ProbabilityChange(
            row=int(row),
            token=tokenizer.token(int(token_id)),
            before=float(former[row, token_id]),
            after=float(latter[row, token_id]),
        ),
    )


@torch.inference_mode()
def run_beside(
    model: Translator, tokenizer: Tokenizer, capture: Capture, other: tuple[Ids, Ids]
) -> MaskedBatch:
    """Run a captured sentence in one batch with a longer one, with the padding mask and without."""
    own = capture.src_ids, capture.tgt_ids
    pad_id = model.config.pad_id
    src, tgt = (pad(rows, pad_id) for rows in zip(own, other, strict=True))
    src_mask, tgt_mask = padding_mask(src, pad_id), target_mask(tgt, pad_id)  # (B,1,1,S) (B,1,T,T)
    causal = causal_mask(tgt.shape[1])
    padded = _first(model, src, tgt, src_mask, tgt_mask)
    opened = _first(model, src, tgt, None, causal)
    return MaskedBatch(
        src=tuple(tokenizer.tokens(row) for row in src.tolist()),
        tgt=tuple(tokenizer.tokens(row) for row in tgt.tolist()),
        src_padding=src_mask[:, 0, 0].numpy(),
        causal=causal[0, 0].numpy(),
        target=tgt_mask[:, 0].numpy(),
        weights=padded,
        open_weights=opened,
        apart=_apart(capture.logits, padded["logits"]),
        apart_open=_apart(capture.logits, opened["logits"]),
    )


def _first(
    model: Translator, src: Tensor, tgt: Tensor, src_mask: Mask, tgt_mask: Mask
) -> Mapping[str, np.ndarray]:
    """Run a model with these masks; keep the first row's weights and logits."""
    recorder = Recorder()
    memory = model.encode(src, src_mask, recorder)
    model.logits(model.decode(tgt, memory, tgt_mask, src_mask, recorder), recorder)
    kept = ("logits", ".weights")
    return {name: array[0] for name, array in recorder.arrays.items() if name.endswith(kept)}


def _apart(alone: np.ndarray, batched: np.ndarray) -> float:
    """Return how far the probabilities of a sentence's own words are from those it gets alone."""
    probabilities = softmax(alone.astype(np.float64))  # (T, V)
    return float(np.abs(softmax(batched[: len(alone)].astype(np.float64)) - probabilities).max())


@dataclass(frozen=True, eq=False)
class Padded:
    """Sentences as one padded tensor of ids (B, S); `mask` (B, S) is True where one may look."""

    ids: np.ndarray
    tokens: tuple[tuple[Token, ...], ...]
    mask: np.ndarray

    @cached_property
    def padding(self) -> int:
        """How many places are padding."""
        return int((~self.mask).sum())


@dataclass(frozen=True, eq=False)
class EncodedBatch(Padded):
    """A padded batch that the encoder has read.

    `difference` is how far its output for row `shortest`, in this batch, is from its output for
    that sentence alone: the largest of all numbers, with the mask and without it.
    """

    shortest: int
    difference: float
    difference_unmasked: float


def pad_rows(tokenizer: Tokenizer, rows: Sequence[Sequence[int]]) -> Padded:
    """Fill up sentences of ids to the length of the longest."""
    ids = pad(rows, tokenizer.pad_id)  # (B, S)
    tokens = tuple(tokenizer.tokens(row) for row in ids.tolist())
    return Padded(ids.numpy(), tokens, (ids != tokenizer.pad_id).numpy())


@torch.inference_mode()
def encode_padded(
    model: Translator, tokenizer: Tokenizer, rows: Sequence[Sequence[int]]
) -> EncodedBatch:
    """Encode sentences of ids together, and the shortest one alone as well."""
    block = pad_rows(tokenizer, rows)
    ids = torch.from_numpy(block.ids)  # (B, S)
    shortest = min(range(len(rows)), key=lambda i: len(rows[i]))
    alone = model.encode(torch.tensor([rows[shortest]]), None)[0]

    def difference(src_mask: Mask) -> float:
        memory = model.encode(ids, src_mask)[shortest, : len(rows[shortest])]
        return float((memory - alone).abs().max())

    masked, unmasked = difference(padding_mask(ids, model.config.pad_id)), difference(None)
    return EncodedBatch(block.ids, block.tokens, block.mask, shortest, masked, unmasked)
