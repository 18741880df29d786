"""Decoding as the page shows it: every step with its candidates, and the beam as a tree."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.data.queue import giving_way
from model.checkpoint import Checkpoint
from model.config import ModelConfig
from model.decoding import batch, beam, limits, search
from model.decoding.beam import FREE, Prefix
from model.decoding.sampling import sampler, sampling_probs
from model.interpret.calculation import target
from model.interpret.experiments.changed import writer
from model.interpret.experiments.plan import ChangePlan
from model.nn.hooks import NO_HOOK, Hook
from model.nn.translator import Decodable
from model.text.byte_level import Token
from model.text.tokenizer import Tokenizer

TOP = 10
# The packed model's sums of log p differ from the plain one's by less than a fifth of this. So both
# choose the same if no choice was closer.
MIN_MARGIN = 2e-4
Method = Literal["greedy", "beam", "sample"]
Status = Literal["kept", "pruned", "finished", "candidate"]


@dataclass(frozen=True)
class Decoding:
    """How to choose the next token; settings of another method stay at their defaults."""

    method: Method = "beam"
    beam: int = 4
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0


@dataclass(frozen=True)
class Candidate:
    """A token that could come next: its probability, and the one it was drawn with."""

    token: Token
    probability: float
    drawn_with: float | None = None


@dataclass(frozen=True)
class DecodingStep:
    """One step of the hypothesis that won: its best candidates and which of them was taken."""

    candidates: tuple[Candidate, ...]
    chosen: int

    @property
    def taken(self) -> Candidate:
        return self.candidates[self.chosen]


@dataclass(frozen=True)
class WeighedTranslation:
    """One translation that was weighed; `score` is what the beam ranks by."""

    text: str
    log_prob: float
    score: float
    finished: bool
    tokens: tuple[int, ...] = ()


@dataclass(frozen=True)
class TreeNode:
    """One token of the beam's tree; `log_prob` is its own, `score` that of all so far.

    `tokens` are all up to this one, `branch` is the branch that the hypothesis belongs to.
    """

    id: int
    parent: int | None
    token: str
    log_prob: float
    score: float
    status: Status
    best: bool = False
    tokens: tuple[int, ...] = ()
    branch: str = ""


@dataclass(frozen=True)
class Decoded:
    """A decoding: `ids` without <bos> and <eos>; not `finished` if it was stopped at the limit."""

    ids: tuple[int, ...]
    finished: bool
    steps: tuple[DecodingStep, ...]
    hypotheses: tuple[WeighedTranslation, ...]
    tree: tuple[TreeNode, ...]


def decode(
    loaded: Checkpoint,
    source: list[int],
    decoding: Decoding,
    prefix: Prefix = FREE,
    plan: ChangePlan | None = None,
) -> Decoded:
    """Decode ids that end with <eos>, and look at every step on the way to the best hypothesis.

    A beam begins with the prefix. With a plan, as the model does under its changes.
    """
    steps = _steps(loaded, source, decoding, prefix, plan)
    best = beam.best(steps)
    path = beam.path(steps, best)
    forced = loaded.config.force_end and len(best.tokens) == longest(loaded.config, source)
    return Decoded(
        ids=best.tokens[:-1] if best.finished else best.tokens,
        finished=best.finished and not forced,
        steps=tuple(giving_way(_step(loaded, hypothesis, decoding) for hypothesis in path)),
        hypotheses=_hypotheses(loaded.tokenizer, steps),
        tree=_tree(loaded.tokenizer, steps, path),
    )


def running(steps: Sequence[DecodingStep]) -> NDArray[np.floating]:
    """Return p of every token that was taken, log p, and the sum of these so far, (3, T)."""
    return target.running([step.taken.probability for step in steps])


def longest(config: ModelConfig, source: Sequence[int]) -> int:
    """Return how many tokens a translation may have, <eos> included.

    One place is kept free: the capture reads <bos> besides all that was written.
    """
    return min(limits.limit(config, source), config.max_len - 1)


def _steps(
    loaded: Checkpoint,
    source: list[int],
    decoding: Decoding,
    prefix: Prefix,
    plan: ChangePlan | None,
) -> list[beam.Step]:
    """Decode with the packed model, or with the plain one if it is changed or might differ."""
    if plan is not None:
        return list(giving_way(_run(*writer(loaded.model, plan), source, decoding, prefix)))
    if decoding.method != "sample" and loaded.packed is not loaded.model:
        steps = list(giving_way(_run(loaded.packed, NO_HOOK, source, decoding, prefix)))
        if beam.margin(steps) >= MIN_MARGIN * (1 + len(steps) / 50):  # rounding adds up
            return steps
    return list(giving_way(_run(loaded.model, NO_HOOK, source, decoding, prefix)))


def _run(
    model: Decodable,
    hook: Hook,
    source: list[int],
    decoding: Decoding,
    prefix: Prefix,
) -> Iterator[beam.Step]:
    most = longest(model.config, source)
    if decoding.method == "greedy":
        return search.greedy(model, source, most, hook=hook)
    if decoding.method == "beam":
        width = decoding.beam
        return search.beam(model, source, width, max_len=most, prefix=prefix, hook=hook)
    draw = sampler(decoding.temperature, decoding.top_k, decoding.top_p, decoding.seed)
    return search.sample(model, source, draw, most, hook)


def _step(loaded: Checkpoint, hypothesis: beam.Hypothesis, decoding: Decoding) -> DecodingStep:
    """Return the likeliest tokens of a step, and the one taken even if it was not among them."""
    taken, found = hypothesis.tokens[-1], dict(hypothesis.candidates(TOP))
    if taken not in found:
        found[taken] = float(hypothesis.probs[taken])
    drawn_with = None
    if decoding.method == "sample" and hypothesis.logits is not None:
        # What may never be written is left out before a token is drawn.
        allowed = hypothesis.logits.index_fill(-1, batch.banned_ids(loaded.config), -math.inf)
        chance = decoding.temperature, decoding.top_k, decoding.top_p
        drawn_with = np.asarray(sampling_probs(allowed, *chance))
    return DecodingStep(
        tuple(
            Candidate(
                loaded.tokenizer.token(i),
                probability,
                None if drawn_with is None else float(drawn_with[i]),
            )
            for i, probability in found.items()
        ),
        list(found).index(taken),
    )


def _hypotheses(tokenizer: Tokenizer, steps: list[beam.Step]) -> tuple[WeighedTranslation, ...]:
    """Return the finished hypotheses and those that lived to the last step, the best first."""
    finished = [one for step in steps for one in step.hypotheses if one.finished]
    alive = [one for one in steps[-1].hypotheses if not one.finished]
    return tuple(
        WeighedTranslation(
            tokenizer.decode(one.tokens), one.log_prob, one.score, one.finished, one.tokens
        )
        for one in sorted(finished, key=lambda one: -one.score) + alive
    )


def _tree(
    tokenizer: Tokenizer, steps: list[beam.Step], path: list[beam.Hypothesis]
) -> tuple[TreeNode, ...]:
    """Return every hypothesis as a node below the one it continues, <bos> first."""
    nodes = [TreeNode(0, None, tokenizer.token(tokenizer.bos_id).text, 0.0, 0.0, "kept", True)]
    before, log_probs = [0], {0: 0.0}
    for step, winner, following in zip_longest(steps, path, steps[1:]):
        # In the last step, all live on.
        lives_on = {one.parent or 0 for one in following.hypotheses} if following else None
        ids = []
        for i, hypothesis in enumerate(step.hypotheses):
            parent, is_kept = before[hypothesis.parent or 0], lives_on is None or i in lives_on
            node = TreeNode(
                id=len(nodes),
                parent=parent,
                token=tokenizer.token(hypothesis.tokens[-1]).text,
                log_prob=hypothesis.log_prob - log_probs[parent],
                score=hypothesis.score,
                status="finished" if hypothesis.finished else "kept" if is_kept else "pruned",
                best=hypothesis is winner,
                tokens=hypothesis.tokens,
            )
            nodes.append(node)
            log_probs[node.id] = hypothesis.log_prob
            ids.append(node.id)
        before = ids
    return tuple(nodes)
