"""The sentences on which the heads of a model are measured, and which pieces make which words.

Where nobody names any, they are what the model's own task held out.

B sentences, T target tokens, S source tokens; a word is what stands between blanks.
"""

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import torch

from model.checkpoint import Checkpoint
from model.config import KINDS, Kind, ModelConfig
from model.errors import UserError
from model.languages import languages_of
from model.nn.translator import Translator
from model.runs.folder import RunFolder
from model.runs.plan import Plan
from model.tasks import TASKS, make_pairs, phrases
from model.tasks.task import Task
from model.text.batches import Batch, Example, collate
from model.text.byte_level import Token
from model.text.pairs import AlignedPair, Pair, read_pairs
from model.text.tokenizer import Tokenizer

NO_WORD = -1  # of <bos>, <eos> and punctuation that is written together with a word


@dataclass(frozen=True, order=True)
class HeadId:
    """One head; the order of `heads_of` is that of every array with an axis of heads."""

    kind: Kind
    layer: int
    head: int


def heads_of(config: ModelConfig) -> tuple[HeadId, ...]:
    """Return all heads of a model: the encoder's, the decoder's own, those over the source."""
    return tuple(
        HeadId(kind, layer, head)
        for kind in KINDS
        for layer in range(config.n_attentions(kind))
        for head in range(config.n_heads)
    )


@dataclass(frozen=True)
class Sample:
    """Sentence pairs with their names; `gold` are their true alignments, where these are known."""

    name: str
    pairs: tuple[Pair, ...]
    gold: tuple[AlignedPair, ...] = ()


def phrase_sample(
    source: str, count: int, seed: int, known: Collection[str] = (), target: str = "en"
) -> Sample:
    """Draw different sentences of the phrase book that say at least one word for word.

    Those in `known`, which a model was trained on, are left out; the rest may be fewer than asked
    for. Raises UserError if the book has not so many.
    """
    if count > phrases.SIZE:
        raise UserError("too_large", "sentences", value=count, most=phrases.SIZE)
    order = random.Random(f"atlas/{source}/{seed}").sample(phrases.lines(), phrases.SIZE)
    gold: dict[str, AlignedPair] = {}  # by what is translated: some sentences share their English
    for line in order:
        one = phrases.aligned(line, source, target)
        if one.sure and one.pair.src not in known:
            gold.setdefault(one.pair.src, one)
        if len(gold) == count:
            break
    name = f"phrases-{source}" if target == "en" else f"phrases-{source}-{target}"
    return Sample(name, tuple(one.pair for one in gold.values()), tuple(gold.values()))


class Pieces:
    """What each piece of a vocabulary is, (V,)."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        tokens = tokenizer.tokens(range(tokenizer.vocab_size))
        self.punctuation = torch.tensor([punctuation(token) for token in tokens])
        special = torch.tensor([token.special for token in tokens])
        lettered = ~self.punctuation & ~special
        starts = torch.tensor([token.starts_word for token in tokens])
        self.word_start, self.inside = lettered & starts, lettered & ~starts


class Encoded:
    """A sample in a model's tokens; pairs that are too long for it are left out."""

    def __init__(self, model: Translator, tokenizer: Tokenizer, sample: Sample) -> None:
        self.config, self.tokenizer = model.config, tokenizer
        src = tokenizer.encode_batch([pair.src for pair in sample.pairs])
        tgt = [tokenizer.encode_target(pair.tgt) for pair in sample.pairs]
        most = self.config.max_len
        fits = [i for i in range(len(src)) if max(len(src[i]), len(tgt[i])) < most]
        if not fits:
            raise ValueError("No pair of the sample is short enough for the model.")
        self.pairs = [sample.pairs[i] for i in fits]
        self.gold = [sample.gold[i] for i in fits] if sample.gold else []
        end = tokenizer.eos_id
        self.examples: list[Example] = [([*src[i], end], [*tgt[i], end]) for i in fits]

    def __len__(self) -> int:
        return len(self.examples)

    def chunks(self, size: int, among: Sequence[int] | None = None) -> Iterator[list[int]]:
        """Yield the numbers of sentences of similar lengths, `size` at a time."""
        numbers = range(len(self)) if among is None else among
        order = sorted(numbers, key=lambda i: (len(self.examples[i][0]), len(self.examples[i][1])))
        yield from (order[first : first + size] for first in range(0, len(order), size))

    def batch(self, numbers: Sequence[int]) -> Batch:
        """Return some sentences as one padded batch."""
        of = self.tokenizer
        return collate([self.examples[i] for i in numbers], of.pad_id, of.bos_id)

    @cached_property
    def pieces(self) -> Pieces:
        return Pieces(self.tokenizer)

    @cached_property
    def words(self) -> list[tuple[list[int], list[int]]]:
        """The word that each piece of a source and of a target is part of, or NO_WORD."""
        pieces = {
            i: self.tokenizer.token(i) for pair in self.examples for i in {*pair[0], *pair[1]}
        }
        return [
            (words_of([pieces[i] for i in src]), words_of([pieces[i] for i in tgt]))
            for src, tgt in self.examples
        ]

    def gold_cells(self, numbers: Sequence[int], shape: tuple[int, ...]) -> np.ndarray:
        """Return where a written piece and a piece of the source are linked, (B, T, S)."""
        cells = np.zeros(shape, dtype=bool)
        for row, number in enumerate(numbers):
            src, tgt = self.words[number]
            for s, t in self.gold[number].possible:
                cells[row, : len(tgt), : len(src)] |= np.outer(np.equal(tgt, t), np.equal(src, s))
        return cells


def punctuation(token: Token) -> bool:
    """Return whether a piece has neither letters nor digits."""
    return not token.special and not any(char.isalnum() for char in token.text)


def words_of(tokens: Sequence[Token]) -> list[int]:
    """Return the number of each piece's word; a full stop is one only where it stands alone."""
    words, number = list[int](), NO_WORD
    for token in tokens:
        number += token.starts_word and not token.special
        words.append(NO_WORD if token.special else number)
    lettered = {w for w, token in zip(words, tokens, strict=True) if not punctuation(token)}
    return [
        NO_WORD if punctuation(token) and word in lettered else word
        for word, token in zip(words, tokens, strict=True)
    ]


def sample_for(loaded: Checkpoint, count: int, seed: int) -> Sample:
    """Return held-out pairs of the task that a model was trained on; else the phrase book's.

    Raises UserError where the model tells neither its task nor that it translates between English
    and Spanish or French.
    """
    plan = plan_of(loaded)
    if plan is not None and plan.valid:
        return Sample("own", tuple(read_pairs([_run(loaded) / plan.valid], "valid")[:count]))
    if plan is not None and plan.task in TASKS:
        return _of_task(plan, count, seed)
    source, target = languages_of(loaded.metrics, loaded.folder.name)
    if (source, target) in phrases.DIRECTIONS:
        return phrase_sample(source, count, seed, target=target)
    raise UserError("no_sample")


def plan_of(loaded: Checkpoint) -> Plan | None:
    """Return the plan of the run in whose folder a model lies, or the one that came with it."""
    folder = RunFolder(_run(loaded))
    if folder.exists():
        return folder.plan()
    values = loaded.metrics.get("plan")
    return Plan.from_dict(values | {"valid": ""}) if values else None


def _run(loaded: Checkpoint) -> Path:
    return loaded.folder.parent


def _of_task(plan: Plan, count: int, seed: int) -> Sample:
    """Draw the pairs of a plan once more, and take those that were held out."""
    train, held_out = make_pairs(plan.task, plan.pairs, plan.train.validate_pairs, plan.train.seed)
    task = TASKS[plan.task]
    kind, _, source = plan.task.partition("-")
    if kind == "phrases":
        return phrase_sample(source, count, seed, {pair.src for pair in train})
    gold = tuple(aligned(task, held_out))[:count]
    return Sample(plan.task, tuple(one.pair for one in gold) or tuple(held_out[:count]), gold)


def aligned(task: Task, pairs: Iterable[Pair]) -> Iterator[AlignedPair]:
    """Yield the true links of a task's pairs, of those whose links it knows."""
    if task.align is None:
        return
    for pair in pairs:
        src, tgt = _words(pair.src), _words(pair.tgt)
        if links := frozenset((src[s], tgt[t]) for t, s in task.align(pair)):
            yield AlignedPair(pair, links, links)


def _words(text: str) -> list[int]:
    """Return the word between blanks that each part is of: tasks count the parts by hyphens."""
    return [i for i, word in enumerate(text.split()) for _part in word.split("-")]
