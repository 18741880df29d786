"""Sentence pairs for training: varied in the way people type, and grouped into batches."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.errors import UserError
from model.text.byte_level import BOS, EOS, PAD
from model.text.pairs import Pair
from model.text.tokenizer import Tokenizer


def without_accents(text: str) -> str:
    """Return the text as typed on a keyboard without accents: étudiant -> etudiant."""
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def without_final_mark(text: str) -> str:
    """Return the text without its opening and closing punctuation."""
    return text.strip(" .!?¡¿…")


def as_typed(text: str, rng: random.Random) -> str:
    """Return the text as typed in a hurry: some capitals, accents and punctuation are missing."""
    changes = [str.lower, without_accents, without_final_mark]
    if rng.random() < 0.5:
        changes = [change for change in changes if rng.random() < 0.5]
    for change in changes:
        text = change(text)
    return text


@dataclass(frozen=True)
class Batch:
    """Padded token ids: src (B, S), tgt_in (B, T) after <bos>, tgt_out (B, T) up to <eos>."""

    src: Tensor
    tgt_in: Tensor
    tgt_out: Tensor

    @property
    def n_tokens(self) -> int:
        """The number of source and target tokens, without padding."""
        return int((self.src != PAD).sum() + (self.tgt_out != PAD).sum())

    def to(self, device: torch.device) -> Batch:
        return Batch(self.src.to(device), self.tgt_in.to(device), self.tgt_out.to(device))

    def shard(self, rank: int, n_shards: int) -> Batch:
        """Return every n-th sentence pair, as the share of one of n processes."""
        return Batch(*(x[rank::n_shards] for x in (self.src, self.tgt_in, self.tgt_out)))


Example = tuple[list[int], list[int]]


class Dataset:
    """Encoded pairs, cut into different batches of similar length in each epoch.

    Order and variations depend on the seed and the epoch alone, so that a resumed run sees what
    an uninterrupted one sees.
    """

    def __init__(
        self,
        pairs: Sequence[Pair],
        tokenizer: Tokenizer,
        max_tokens: int = 100,
        vary: float = 0.0,
        subword_dropout: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.tokenizer, self.seed = tokenizer, seed
        self.vary, self.subword_dropout = vary, subword_dropout
        read = [tokenizer.read(pair.src).text for pair in pairs]
        src = tokenizer.encode_batch(read)
        tgt = tokenizer.encode_batch([pair.tgt for pair in pairs])
        fits = [i for i in range(len(pairs)) if max(len(src[i]), len(tgt[i])) < max_tokens]
        if not fits:
            raise UserError("pairs_too_long", "max_tokens", most=max_tokens)
        self.texts = [read[i] for i in fits]
        self.examples: list[Example] = [(src[i] + [EOS], tgt[i] + [EOS]) for i in fits]

    @property
    def n_tokens(self) -> int:
        """The number of source and target tokens in one pass over all pairs."""
        return sum(len(src) + len(tgt) for src, tgt in self.examples)

    def epoch(self, epoch: int, batch_tokens: int) -> list[list[Example]]:
        """Return the batches of one epoch, each of at most `batch_tokens` (or one pair)."""
        rng = random.Random(f"{self.seed}/{epoch}")
        examples = self._varied(rng) if self.vary else list(self.examples)
        if self.subword_dropout:
            examples = [(self._cut_apart(src, rng), tgt) for src, tgt in examples]
        rng.shuffle(examples)

        def shape(pair: Example) -> tuple[int, float]:
            # Neighbours of similar length on both sides need little padding (5 % of a batch; by the
            # sum of lengths 20 %); some noise mixes them differently in each epoch.
            src, tgt = map(len, pair)
            return max(src, tgt), src - tgt + 3 * rng.random()

        examples.sort(key=shape)
        batches = list(_cut(examples, batch_tokens))
        rng.shuffle(batches)
        return batches

    def _varied(self, rng: random.Random) -> list[Example]:
        chosen = [i for i in range(len(self.texts)) if rng.random() < self.vary]
        src = self.tokenizer.encode_batch([as_typed(self.texts[i], rng) for i in chosen])
        examples = list(self.examples)
        for i, ids in zip(chosen, src, strict=True):
            examples[i] = ([*ids, EOS], examples[i][1])
        return examples

    def _cut_apart(self, ids: Sequence[int], rng: random.Random) -> list[int]:
        """Undo merges at random, with the effect of BPE-dropout (Provilkov et al. 2020)."""
        merged_from, chance = self.tokenizer.merged_from, self.subword_dropout
        pieces, rest = [], list(reversed(ids))
        while rest:
            piece = rest.pop()
            if piece in merged_from and rng.random() < chance:
                left, right = merged_from[piece]
                rest += (right, left)
            else:
                pieces.append(piece)
        return pieces


def _cut(examples: Sequence[Example], batch_tokens: int) -> Iterator[list[Example]]:
    batch: list[Example] = []
    n_tokens = 0
    for src, tgt in examples:
        n_tokens += len(src) + len(tgt)
        if batch and n_tokens > batch_tokens:
            yield batch
            batch, n_tokens = [], len(src) + len(tgt)
        batch.append((src, tgt))
    yield batch


def pad(rows: Sequence[Sequence[int]], pad_id: int = PAD) -> Tensor:
    """Pad lists of ids into one tensor: (B, longest)."""
    longest = max(len(row) for row in rows)
    return torch.tensor([[*row, *([pad_id] * (longest - len(row)))] for row in rows])


def collate(examples: Sequence[Example], pad_id: int = PAD, bos_id: int = BOS) -> Batch:
    """Make one padded batch of encoded pairs."""
    src, tgt = [pair[0] for pair in examples], [pair[1] for pair in examples]
    rows = (src, [[bos_id, *row[:-1]] for row in tgt], tgt)
    return Batch(*(pad(one, pad_id) for one in rows))
