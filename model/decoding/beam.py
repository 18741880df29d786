"""Beam search over a batch of sentences: hypotheses, and which of them are kept at each step.

B sentences, W hypotheses per sentence, n keys so far, V = size of the target vocabulary.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from model.config import ModelConfig
from model.nn.hooks import NO_HOOK, Hook
from model.nn.masks import padding_mask
from model.nn.translator import Cache, Translator
from model.text.batches import pad
from model.text.tokenizer import Tokenizer


@dataclass(frozen=True)
class Prefix:
    """The tokens that a translation begins with, and the letters that must follow them.

    Like `pieces`, `letters` are in the vocabulary's own alphabet of bytes. Any pieces except those
    in `never` may spell them, and the last piece may go on beyond them.
    """

    tokens: tuple[int, ...] = ()
    letters: str = ""
    pieces: tuple[str, ...] = ()
    never: frozenset[int] = frozenset()

    @classmethod
    def typed(cls, text: str, tokenizer: Tokenizer) -> Prefix:
        """Return the prefix for a typed text, whose last word may be incomplete.

        After a blank, a new word begins.
        """
        words, _, last = text.lstrip().rpartition(" ")
        tokens = tokenizer.encode_target(words) if words.strip() else ()
        letters = "".join(tokenizer.pieces[i] for i in tokenizer.encode_target(last))
        return cls(
            tuple(tokens), letters if text.strip() else "", tokenizer.pieces, tokenizer.specials
        )

    def allowed(self, written: Sequence[int]) -> list[int] | None:
        """Return the tokens that may follow those written so far, or None if any may."""
        if len(written) < len(self.tokens):
            return [self.tokens[len(written)]]
        if not self.letters:
            return None
        spelled = "".join(self.pieces[i] for i in written[len(self.tokens) :])
        left = self.letters[len(spelled) :]
        if not left:
            return None
        return [
            i
            for i, piece in enumerate(self.pieces)
            if i not in self.never and (piece.startswith(left) or left.startswith(piece))
        ]


FREE = Prefix()


# Sums of log-probabilities favour short translations; this exponent of the length corrects that.
LENGTH_PENALTY = 1.0
# The batch shrinks once at most this share of its sentences is unfinished.
SHRINK = 0.75
# The vocabulary is searched in chunks of this many tokens.
PIECE = 32


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A translation so far: `tokens` without <bos>, and with <eos> once it is finished.

    `parent` is the index of the hypothesis that it continues, among those of the previous step;
    `score` is what a beam ranks by. `captures` are the activations of this step alone, without
    batch dimension; `model.decoding.trace.captures` joins those of all steps so far.
    """

    tokens: tuple[int, ...]
    log_prob: float
    score: float
    parent: int | None = None
    finished: bool = False
    logits: Tensor | None = field(default=None, repr=False, compare=False)
    captures: Mapping[str, np.ndarray] = field(default_factory=dict, repr=False, compare=False)

    @property
    def log_probs(self) -> np.ndarray:
        """Log-probabilities (V,) over the vocabulary, from which the last token was chosen."""
        assert self.logits is not None, "only a step that was streamed knows its vocabulary"
        return torch.log_softmax(self.logits.float(), dim=-1).numpy()

    @property
    def probs(self) -> np.ndarray:
        """Probabilities (V,) over the vocabulary, from which the last token was chosen."""
        return np.exp(self.log_probs)

    def candidates(self, n: int) -> list[tuple[int, float]]:
        """Return the n likeliest tokens at this step, each with its probability."""
        probs = self.probs
        n = min(n, len(probs))
        least = np.partition(probs, -n)[-n]  # sorting all takes twenty times as long
        likely = np.flatnonzero(probs >= least)
        best = likely[np.argsort(-probs[likely], kind="stable")[:n]]
        return [(int(i), float(probs[i])) for i in best]


ROOT = Hypothesis((), 0.0, 0.0)


def start(model: Translator, sources: Sequence[Sequence[int]], hook: Hook = NO_HOOK) -> Cache:
    """Encode sentences, as ids ending with <eos>, and prepare to decode from their memories."""
    assert not model.training, "decoding is done without dropout"
    src = pad(sources, model.config.pad_id)  # (B, S)
    equal = all(len(ids) == src.shape[1] for ids in sources)
    src_mask = None if equal else padding_mask(src, model.config.pad_id)
    return model.start_cache(model.encode(src, src_mask, hook), src_mask)


def banned_ids(config: ModelConfig) -> Tensor:
    """Return the tokens that no translation may contain."""
    return torch.tensor([config.pad_id, config.bos_id])


class Beam:
    """The search for one sentence: its live hypotheses, the best first, and the finished ones.

    All of them begin with the `prefix`. The search ends when the `n_best` best ones are found,
    because no live hypothesis can score higher however it continues, or at the limit. `chosen` are
    all hypotheses that the last step made, and `rows` are the indices of the hypotheses that the
    live ones continue.
    """

    def __init__(
        self,
        limit: int,
        width: int,
        length_penalty: float = LENGTH_PENALTY,
        prefix: Prefix = FREE,
        n_best: int = 1,
    ) -> None:
        self.limit, self.width, self.length_penalty = limit, width, length_penalty
        self.prefix, self.n_best = prefix, n_best
        self.chosen = self.live = [ROOT]
        self.rows = [0]
        self.finished: list[Hypothesis] = []

    def restrict(self, log_probs: Tensor) -> None:
        """Mask log_probs (W, V) so that only tokens that the prefix allows remain."""
        for row, hypothesis in zip(log_probs, self.live, strict=True):
            if (allowed := self.prefix.allowed(hypothesis.tokens)) is not None:
                kept = row[allowed].clone()
                row.fill_(-math.inf)[allowed] = kept

    def end(self, log_probs: Tensor, eos_id: int) -> None:
        """Mask log_probs (W, V) so that each hypothesis can only end, with log-probability 0.

        The ForcedEOSTokenLogitsProcessor of transformers does so when one more token may follow.
        """
        if len(self.live[0].tokens) + 1 == self.limit:
            log_probs.fill_(-math.inf)[:, eos_id] = 0

    def choose(self, candidates: Iterable[tuple[float, int, int]], eos_id: int) -> None:
        """Continue with the best candidates (log_prob, token, row), given in order, best first.

        Of the first `width`, those that end are finished; the best `width` others stay alive.
        """
        parents = [i for i, parent in enumerate(self.chosen) if not parent.finished]
        before, self.chosen, self.live, self.rows = self.live, [], [], []
        norm = (len(before[0].tokens) + 1) ** self.length_penalty
        for rank, (log_prob, token, row) in enumerate(candidates):
            ends = token == eos_id
            if log_prob == -math.inf or (ends and rank >= self.width):
                continue
            tokens = (*before[row].tokens, token)
            parent = parents[row] if tokens[1:] else None
            hypothesis = Hypothesis(tokens, log_prob, log_prob / norm, parent, ends)
            self.chosen.append(hypothesis)
            if ends:
                self.finished.append(hypothesis)
                continue
            self.live.append(hypothesis)
            self.rows.append(row)
            if len(self.live) == self.width:
                return

    @property
    def ranked(self) -> list[Hypothesis]:
        """The finished hypotheses, or the live ones if none is finished; the best first."""
        return sorted(self.finished, key=lambda h: -h.score) or self.live

    @property
    def best(self) -> Hypothesis:
        return self.ranked[0]

    @property
    def done(self) -> bool:
        """Whether no live hypothesis can become one of the best, or all have the maximum length."""
        if not self.live or len(self.live[0].tokens) == self.limit:
            return True
        if len(self.finished) < self.n_best:
            return False
        if self.width == 1:  # greedy decoding stops at the first <eos>
            return True
        # Each token lowers log_prob, so the best possible score is this log_prob at full length.
        hope = self.live[0].log_prob / self.limit**self.length_penalty
        return self.ranked[self.n_best - 1].score >= hope


def search(
    model: Translator,
    cache: Cache,
    beams: Sequence[Beam],
    hook_of: Callable[[int], Hook] = lambda index: NO_HOOK,
) -> Iterator[tuple[Tensor, Tensor]]:
    """Search over all memories of a cache at once, step by step, until every beam is done.

    Yields each step's logits (B, W, V) for the sentences still in the batch, and the mask
    (B, 1, W, n), which is True for the keys of a hypothesis's own past.
    """
    config = model.config
    banned = banned_ids(config)
    beams = list(beams)
    tokens = torch.full((len(beams), 1), config.bos_id)  # (B, W)
    mask = torch.ones(len(beams), 1, 1, 1, dtype=torch.bool)
    totals = torch.zeros(len(beams), 1)  # (B, W)
    for index in itertools.count():
        logits = model.decode_step(tokens, cache, mask, hook_of(index))
        log_probs = torch.log_softmax(logits, dim=-1, dtype=torch.float32)  # (B, W, V)
        log_probs.index_fill_(-1, banned, -math.inf)
        for scored, beam in zip(log_probs, beams, strict=True):
            if beam.prefix is not FREE and not beam.done:
                beam.restrict(scored)
            if config.force_end and not beam.done:
                beam.end(scored, config.eos_id)
        best = (one.tolist() for one in top(log_probs, totals, 2 * beams[0].width))
        for beam, *candidates in zip(beams, *best, strict=True):
            if not beam.done:
                beam.choose(zip(*candidates, strict=True), config.eos_id)
        yield logits, mask
        open_ = [i for i, beam in enumerate(beams) if not beam.done]
        if not open_:
            return
        # Finished sentences stay in the batch until there are enough of them to drop.
        uneven = len({len(beam.live) for beam in beams}) > 1
        if uneven or len(open_) <= SHRINK * len(beams):
            cache, mask = cache.select(torch.tensor(open_)), mask[open_]
            beams = [beams[i] for i in open_]
        rows = torch.tensor([beam.rows for beam in beams])  # (B, W)
        cache.follow(rows)
        own = torch.eye(rows.shape[1], dtype=torch.bool).expand(len(beams), -1, -1)
        past = mask[:, 0][torch.arange(len(beams))[:, None], rows]  # (B, W, n)
        mask = torch.cat([past, own], dim=-1)[:, None]  # (B, 1, W, n + W)
        tokens = torch.tensor([[h.tokens[-1] for h in beam.live] for beam in beams])
        totals = torch.tensor([[h.log_prob for h in beam.live] for beam in beams])


def top(log_probs: Tensor, totals: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return each sentence's n best continuations, in order: sums, tokens, rows, each (B, n).

    They lie in the n chunks of the vocabulary with the highest maxima, and finding these first is
    several times faster than `topk` over all of (B, W, V); `totals`, (B, W), are the sums so far.
    """
    B, W, V = log_probs.shape
    size = math.gcd(V, PIECE)
    pieces = log_probs.view(B, W, -1, size)  # (B, W, V / size, size)
    maxima = (pieces.amax(dim=-1) + totals[..., None]).flatten(1)  # (B, W · V / size)
    piece = maxima.topk(min(n, maxima.shape[1])).indices  # (B, n)
    row = piece // (V // size)
    within = pieces.flatten(1, 2).gather(1, piece[..., None].expand(-1, -1, size))  # (B, n, size)
    sums = (within + totals.gather(1, row)[..., None]).flatten(1)  # (B, n · size)
    best, where = sums.topk(min(n, sums.shape[1]))  # (B, n)
    token = piece % (V // size) * size  # the first token of each chunk
    chosen = where // size
    return best, token.gather(1, chosen) + where % size, row.gather(1, chosen)
