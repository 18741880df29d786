"""The masks at work: the model run again without them, and over a padded batch.

B sentences, T target tokens, S source tokens, V = size of the target vocabulary.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
import torch
from numpy.typing import NDArray

from app.data.translation import load
from app.data.walk import Walk
from model.interpret.calculation.numbers import softmax
from model.interpret.calculation.target import next_tokens
from model.nn.hooks import Recorder
from model.nn.masks import causal_mask, padding_mask, target_mask
from model.text.tokenizer import BOS, EOS, SPECIALS, Token

Floats = NDArray[np.floating]
Bools = NDArray[np.bool_]
Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Hidden:
    """Three ways to hide the future from one word: each its weights, (T,)."""

    before: Floats  # −∞ in place of the scores, before the softmax: what the model does
    after: Floats  # 0 in place of the weights, after the softmax
    zero: Floats  # 0 in place of the scores, before the softmax


@dataclass(frozen=True)
class Change:
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

    before: Floats
    after: Floats
    moved: Floats
    largest: Change


@dataclass(frozen=True, eq=False)
class Batch:
    """The sentence (row 0) in one batch with a longer one (row 1), both padded to one length.

    Masks are True where one may look; weights are those of row 0, by name, with the padding
    mask and without it. `apart` and `apart_open` are the largest difference between the
    probabilities that the sentence gets in the batch and alone.
    """

    src: tuple[tuple[Token, ...], ...]  # (B, S)
    tgt: tuple[tuple[Token, ...], ...]  # (B, T)
    src_padding: Bools  # (B, S)
    tgt_padding: Bools  # (B, T)
    causal: Bools  # (T, T)
    target: Bools  # (B, T, T)
    weights: Mapping[str, Floats]
    open_weights: Mapping[str, Floats]
    apart: float
    apart_open: float


def unmasked(walk: Walk) -> Mapping[str, Floats]:
    """Return what a pass of the model without its causal mask makes of the sentence."""
    return _run(walk.key, _ids(walk.capture.tgt), False, walk)


def hidden(scaled: Floats, word: int) -> Hidden:
    """Return a word's weights when the future in its scores, (T,), is hidden in three ways."""
    past = np.arange(scaled.size) <= word
    scores = scaled.astype(np.float64)
    return Hidden(
        before=softmax(np.where(past, scores, -np.inf)),
        after=np.where(past, softmax(scores), 0.0),
        zero=softmax(np.where(past, scores, 0.0)),
    )


def alternatives(walk: Walk, place: int, count: int = 5) -> tuple[Token, ...]:
    """Return the likeliest other words that the model itself would have put at a place."""
    likeliest = walk.capture.logits[place - 1].argsort()[::-1]
    own = walk.capture.tgt[place].id
    ids = (int(i) for i in likeliest[: count + 1 + len(SPECIALS)])
    others = [walk.token(i) for i in ids if i != own and i >= len(SPECIALS)]
    return tuple(others[:count])


def effect(walk: Walk, place: int, token: Token, causal: bool) -> Effect:
    """Return what the model predicts once a token stands at a place, with or without the mask."""
    ids = _ids(walk.capture.tgt)
    changed = (*ids[:place], token.id, *ids[place + 1 :])
    before, after = (
        softmax(_run(walk.key, tgt, causal, walk)["logits"].astype(np.float64))  # (T, V)
        for tgt in (ids, changed)
    )
    rows, follows = range(len(ids)), list(next_tokens(walk.capture))
    difference = np.abs(after - before)
    row, token_id = np.unravel_index(int(difference[:place].argmax()), difference.shape)
    return Effect(
        before=before[rows, follows],
        after=after[rows, follows],
        moved=difference.sum(-1) / 2,
        largest=Change(
            row=int(row),
            token=walk.token(int(token_id)),
            before=float(before[row, token_id]),
            after=float(after[row, token_id]),
        ),
    )


def batch(walk: Walk, pairs: Sequence[Pair]) -> Batch:
    """Run the model on the sentence beside the first longer pair, else beside itself said twice."""
    return _batch(walk.key, tuple(pairs), walk)


def _ids(tokens: Sequence[Token]) -> tuple[int, ...]:
    return tuple(token.id for token in tokens)


@st.cache_resource(max_entries=32, show_spinner=False)
def _run(
    key: tuple[object, ...], tgt_ids: tuple[int, ...], causal: bool, _walk: Walk
) -> Mapping[str, Floats]:
    """Return weights and logits of the sentence with some decoder input."""
    src, tgt = torch.tensor([_ids(_walk.capture.src)]), torch.tensor([tgt_ids])
    pad = _walk.config.pad_id
    src_mask = padding_mask(src, pad)
    return _pass(_walk, src, tgt, src_mask, target_mask(tgt, pad) if causal else None)


@torch.inference_mode()
def _pass(
    walk: Walk,
    src: torch.Tensor,
    tgt: torch.Tensor,
    src_mask: torch.Tensor | None,
    tgt_mask: torch.Tensor | None,
) -> Mapping[str, Floats]:
    """Run the model with the masks given, None for open; keep row 0's weights and logits."""
    model, recorder = load(walk.translation.model).model, Recorder()
    memory = model.encode(src, src_mask, recorder)
    model.logits(model.decode(tgt, memory, tgt_mask, src_mask, recorder), recorder)
    kept = ("logits", ".weights")
    return {name: array[0] for name, array in recorder.arrays.items() if name.endswith(kept)}


@st.cache_resource(max_entries=16, show_spinner=False)
def _batch(key: tuple[object, ...], pairs: tuple[Pair, ...], _walk: Walk) -> Batch:
    pad = _walk.config.pad_id
    own = (_ids(_walk.capture.src), _ids(_walk.capture.tgt))
    src, tgt = (_padded(rows, pad) for rows in zip(own, _longer(_walk, own, pairs), strict=True))
    src_mask, tgt_mask = padding_mask(src, pad), target_mask(tgt, pad)  # (B,1,1,S), (B,1,T,T)
    causal = causal_mask(tgt.shape[1])
    kept = _pass(_walk, src, tgt, src_mask, tgt_mask)
    opened = _pass(_walk, src, tgt, None, causal)
    return Batch(
        src=tuple(_walk.tokenizer.tokens(row) for row in src.tolist()),
        tgt=tuple(_walk.tokenizer.tokens(row) for row in tgt.tolist()),
        src_padding=src_mask[:, 0, 0].numpy(),
        tgt_padding=padding_mask(tgt, pad)[:, 0, 0].numpy(),
        causal=causal[0, 0].numpy(),
        target=tgt_mask[:, 0].numpy(),
        weights=kept,
        open_weights=opened,
        apart=_apart(_walk, kept["logits"]),
        apart_open=_apart(_walk, opened["logits"]),
    )


def _padded(rows: Sequence[Sequence[int]], pad: int) -> torch.Tensor:
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[pad] * (longest - len(row))] for row in rows])  # (B, longest)


def _longer(
    walk: Walk, own: tuple[tuple[int, ...], tuple[int, ...]], pairs: Sequence[Pair]
) -> tuple[list[int], list[int]]:
    """Return a pair's tokens; a sentence at the model's limit gets none longer than itself."""
    encode, longest = walk.tokenizer.encode, walk.config.max_len
    for source, target in pairs:
        src, tgt = [*encode(source), EOS], [BOS, *encode(target)]
        if len(own[0]) < len(src) <= longest and len(own[1]) < len(tgt) <= longest:
            return src, tgt
    return [*own[0][:-1], *own[0]][:longest], [*own[1], *own[1][1:]][:longest]


def _apart(walk: Walk, logits: Floats) -> float:
    """Return how far the probabilities of the sentence's own words are from those it gets alone."""
    alone = softmax(walk.capture.logits.astype(np.float64))  # (T, V)
    return float(np.abs(softmax(logits[: len(alone)].astype(np.float64)) - alone).max())
