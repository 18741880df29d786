"""The rules of beam search: hypotheses, the steps that they connect, and which are kept at each.

W hypotheses per sentence, V = size of the target vocabulary. This file does not import torch.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from model.text.byte_level import ByteLevel

if TYPE_CHECKING:
    from torch import Tensor


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
    def typed(cls, text: str, tokenizer: ByteLevel) -> Prefix:
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


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A translation so far: `tokens` without <bos>, and with <eos> once it is finished.

    `parent` is the index of the hypothesis that it continues, among those of the previous step;
    `score` is what a beam ranks by. `logits` (V,) are those of its last token, and `captures`
    the activations of its step alone, which `trace.captures` joins with those of the steps before.
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
        return self.logits.float().log_softmax(dim=-1).numpy()

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


@dataclass(frozen=True)
class Step:
    """One decoding step of one sentence: its new hypotheses, several for a beam, the best first.

    `margin` is the smallest difference of scores that decided about them.
    """

    index: int
    hypotheses: tuple[Hypothesis, ...]
    margin: float = field(default=math.inf, compare=False)


def best(steps: Sequence[Step]) -> Hypothesis:
    """Return the finished hypothesis with the highest score, or the best live one if none is."""
    finished = [one for step in steps for one in step.hypotheses if one.finished]
    return max(finished, key=lambda one: one.score) if finished else steps[-1].hypotheses[0]


def margin(steps: Sequence[Step]) -> float:
    """Return the smallest difference of scores that decided about the steps or about the best."""
    scores = sorted(one.score for step in steps for one in step.hypotheses if one.finished)
    gaps = (high - low for low, high in itertools.pairwise(scores[-2:]))
    return min(*gaps, *(step.margin for step in steps), math.inf)


def path(steps: Sequence[Step], hypothesis: Hypothesis) -> list[Hypothesis]:
    """Return the hypothesis and all its predecessors, the first token first."""
    back = [hypothesis]
    while (parent := back[-1].parent) is not None:
        back.append(steps[len(back[-1].tokens) - 2].hypotheses[parent])
    return back[::-1]


class Beam:
    """The search for one sentence: its live hypotheses, the best first, and the finished ones.

    All of them begin with the `prefix`. The search ends when the `n_best` best ones are found,
    because no live hypothesis can score higher however it continues, or at the limit. `chosen` are
    all hypotheses that the last step made, and `rows` are the indices of the hypotheses that the
    live ones continue.
    """

    def __init__(self, limit: int, width: int, prefix: Prefix = FREE, n_best: int = 1) -> None:
        self.limit, self.width, self.prefix, self.n_best = limit, width, prefix, n_best
        self.chosen = self.live = [ROOT]
        self.rows = [0]
        self.finished: list[Hypothesis] = []
        self.sums: tuple[float, ...] = ()  # of all that the last step chose from

    def restrict(self, log_probs: np.ndarray) -> None:
        """Mask log_probs (W, V) so that only tokens that the prefix allows remain."""
        for row, hypothesis in zip(log_probs, self.live, strict=True):
            if (allowed := self.prefix.allowed(hypothesis.tokens)) is not None:
                kept = row[allowed]
                row.fill(-math.inf)
                row[allowed] = kept

    def end(self, log_probs: np.ndarray, eos_id: int) -> None:
        """Mask log_probs (W, V) so that each hypothesis can only end, with log-probability 0.

        The ForcedEOSTokenLogitsProcessor of transformers does so when one more token may follow.
        """
        if len(self.live[0].tokens) + 1 == self.limit:
            log_probs.fill(-math.inf)
            log_probs[:, eos_id] = 0

    def choose(self, candidates: Sequence[tuple[float, int, int]], eos_id: int) -> None:
        """Continue with the best candidates (log_prob, token, row), given in order, best first.

        Of the first `width`, those that end are finished; the best `width` others stay alive.
        """
        parents = [i for i, parent in enumerate(self.chosen) if not parent.finished]
        before, self.chosen, self.live, self.rows = self.live, [], [], []
        norm = (len(before[0].tokens) + 1) ** LENGTH_PENALTY
        self.sums = tuple(log_prob for log_prob, _, _ in candidates)
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
    def done(self) -> bool:
        """Whether no live hypothesis can become one of the best, or all have the maximum length."""
        if not self.live or len(self.live[0].tokens) == self.limit:
            return True
        if len(self.finished) < self.n_best:
            return False
        if self.width == 1:  # greedy decoding stops at the first <eos>
            return True
        return self._lead >= 0

    @property
    def _lead(self) -> float:
        """How much better the last of the n best is than any live hypothesis can become."""
        # Each token lowers log_prob, so the best possible score is this log_prob at full length.
        hope = self.live[0].log_prob / self.limit**LENGTH_PENALTY
        return self.ranked[self.n_best - 1].score - hope

    @property
    def margin(self) -> float:
        """The smallest difference of scores that decided about the last step."""
        possible = [log_prob for log_prob in self.sums if log_prob > -math.inf]
        gaps = [better - worse for better, worse in itertools.pairwise(possible)]
        if self.live and len(self.finished) >= self.n_best:
            gaps.append(abs(self._lead))
        return min(gaps, default=math.inf)
