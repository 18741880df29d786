"""Writing translations: greedily, by beam search or by sampling, step by step or in bulk.

B sentences, V = size of the target vocabulary.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

import torch
from torch import Tensor

from model.config import ModelConfig
from model.decoding.batch import SHRINK, banned_ids, search, start
from model.decoding.beam import FREE, ROOT, Beam, Hypothesis, Prefix, Step
from model.decoding.limits import limit, truncate
from model.decoding.sampling import Choose, likeliest
from model.decoding.trace import StepRecorder
from model.nn.hooks import NO_HOOK, Chain, Hook
from model.nn.masks import causal_mask
from model.nn.packed import packed
from model.nn.translator import Cache, Decodable, Translator
from model.text.reading import Reading
from model.text.tokenizer import Tokenizer

# Lines are sorted by length among this many batches.
WINDOW = 32
Output = TypeVar("Output")


def greedy(
    model: Decodable,
    src_ids: Sequence[int],
    max_len: int | None = None,
    hook: Hook = NO_HOOK,
    capture: bool = False,
) -> Iterator[Step]:
    """Yield the steps of greedy decoding, always the likeliest token; `src_ids` ends with <eos>."""
    return sample(model, src_ids, likeliest, max_len, hook, capture)


@torch.inference_mode()
def sample(
    model: Decodable,
    src_ids: Sequence[int],
    choose: Choose,
    max_len: int | None = None,
    hook: Hook = NO_HOOK,
    capture: bool = False,
) -> Iterator[Step]:
    """Yield the steps of writing token by token, each as `choose` says, such as a `sampler`."""
    recorder = StepRecorder()
    hook = Chain(hook, recorder) if capture else hook
    limits, banned = [limit(model.config, src_ids, max_len)], banned_ids(model.config)
    tokens: tuple[int, ...] = ()
    log_prob = 0.0
    steps = _write(model, start(model, [src_ids], hook), limits, choose, hook)
    for i, (_, (token,), (logits,)) in enumerate(steps):
        tokens = (*tokens, token)
        log_prob += float(torch.log_softmax(logits, dim=-1)[token])
        hypothesis = Hypothesis(
            tokens,
            log_prob,
            score=log_prob / len(tokens),
            parent=0 if i else None,
            finished=token == model.config.eos_id,
            logits=logits,
            captures=recorder.of_row(0),
        )
        first, second = logits.index_fill(-1, banned, -math.inf).topk(2).values.tolist()
        yield Step(i, (hypothesis,), first - second)


@torch.inference_mode()
def greedy_loop(model: Translator, src: list[int], most: int) -> list[int]:
    """Return the translation of `greedy`, computed without a cache."""
    memory = model.encode(torch.tensor([src]), None)  # (1, S, D), once
    tokens = [model.config.bos_id]
    while len(tokens) <= most:
        read, mask = torch.tensor([tokens]), causal_mask(len(tokens))
        x = model.decode(read, memory, mask, None)  # (1, T, D)
        logits = model.logits(x[0, -1])  # (V,)
        logits[banned_ids(model.config)] = -math.inf  # <pad>, <bos>
        forced = model.config.force_end and len(tokens) == most
        tokens.append(model.config.eos_id if forced else int(logits.argmax()))
        if tokens[-1] == model.config.eos_id:
            break
    return tokens[1:]


@torch.inference_mode()
def beam(
    model: Decodable,
    src_ids: Sequence[int],
    width: int = 4,
    max_len: int | None = None,
    prefix: Prefix = FREE,
    hook: Hook = NO_HOOK,
    capture: bool = False,
) -> Iterator[Step]:
    """Yield the steps of beam search, which keeps the `width` best hypotheses at each length.

    All of them begin with the prefix. The winner is the `best` of the steps.
    """
    recorder = StepRecorder()
    hook = Chain(hook, recorder) if capture else hook
    one = Beam(limit(model.config, src_ids, max_len), width, prefix)
    row_of = {0: 0}  # the row of each live hypothesis of the previous step
    rounds = search(model, start(model, [src_ids], hook), [one], hook)
    for i, (logits, mask) in enumerate(rounds):
        hypotheses = []
        for hypothesis in one.chosen:
            row = row_of[hypothesis.parent or 0]
            own = recorder.of_row(row, mask)
            hypotheses.append(replace(hypothesis, logits=logits[0, row], captures=own))
        yield Step(i, tuple(hypotheses), one.margin)
        living = (j for j, hypothesis in enumerate(one.chosen) if not hypothesis.finished)
        row_of = {j: row for row, j in enumerate(living)}


def _write(
    model: Decodable,
    cache: Cache,
    limits: Sequence[int],
    choose: Choose,
    hook: Hook = NO_HOOK,
) -> Iterator[tuple[list[int], list[int], Tensor]]:
    """Write a token of each unfinished sentence per step; yield indices, tokens and logits."""
    config = model.config
    banned = banned_ids(config)
    open_ = list(range(len(limits)))
    done = [False] * len(limits)
    tokens = torch.full((len(limits),), config.bos_id)  # (B,)
    for index in itertools.count():
        logits = model.decode_step(tokens[:, None], cache, None, hook.step(index))[:, 0]  # (B, V)
        tokens = choose(logits.index_fill(-1, banned, -math.inf))
        if config.force_end:
            at_limit = torch.tensor([index + 1 == limits[i] for i in open_])
            tokens = tokens.masked_fill(at_limit, config.eos_id)
        written = tokens.tolist()
        yield open_, written, logits
        for i, token in zip(open_, written, strict=True):
            done[i] = done[i] or token == config.eos_id or index + 1 == limits[i]
        keep = [row for row, i in enumerate(open_) if not done[i]]
        if not keep:
            return
        if len(keep) <= SHRINK * len(open_):
            rows = torch.tensor(keep)
            cache, tokens = cache.select(rows), tokens[rows]
            open_ = [open_[row] for row in keep]


@torch.inference_mode()
def translate_ids(
    model: Decodable, sources: Sequence[Sequence[int]], width: int = 4, max_len: int | None = None
) -> list[list[int]]:
    """Translate one batch of sentences, as ids that end with <eos>; return ids without <eos>."""
    if width == 1:
        limits = [limit(model.config, ids, max_len) for ids in sources]
        return greedy_ids(model, start(model, sources), limits)
    found = n_best(model, sources, width, 1, max_len)
    return [[t for t in best.tokens if t != model.config.eos_id] for best, *_ in found]


@torch.inference_mode()
def n_best(
    model: Decodable,
    sources: Sequence[Sequence[int]],
    width: int,
    n: int,
    max_len: int | None = None,
    text: Callable[[Sequence[int]], str] | None = None,
) -> list[list[Hypothesis]]:
    """Return the n best translations of each sentence of a batch, or as many as a beam found.

    Where `text` says what tokens are in letters, the best of each text counts alone: different
    pieces often spell the same words. The beam then finds as many translations as it is wide.
    """
    limits = [limit(model.config, ids, max_len) for ids in sources]
    beams = [Beam(most, width, n_best=width if text and n > 1 else n) for most in limits]
    for _ in search(model, start(model, sources), beams):
        pass
    if text is None:
        return [one.ranked[:n] for one in beams]
    eos = model.config.eos_id
    different: list[dict[str, Hypothesis]] = [{} for _ in beams]
    for found, beam in zip(different, beams, strict=True):
        for one in beam.ranked:
            found.setdefault(text([token for token in one.tokens if token != eos]), one)
    return [[*found.values()][:n] for found in different]


@torch.inference_mode()
def drawn(
    model: Decodable, sources: Sequence[Sequence[int]], choose: Choose, n: int
) -> list[list[Hypothesis]]:
    """Return n translations of each sentence, with tokens drawn by `choose`, likeliest first."""
    repeated = [ids for ids in sources for _ in range(n)]
    limits = [limit(model.config, ids) for ids in repeated]
    written = [ROOT] * len(repeated)
    for open_, tokens, logits in _write(model, start(model, repeated), limits, choose):
        log_probs = torch.log_softmax(logits.float(), dim=-1)  # (B, V)
        for i, token, row in zip(open_, tokens, log_probs, strict=True):
            before = written[i]
            if before.finished or len(before.tokens) == limits[i]:
                continue
            log_prob, ids = before.log_prob + float(row[token]), (*before.tokens, token)
            ends = token == model.config.eos_id
            written[i] = Hypothesis(ids, log_prob, log_prob / len(ids), finished=ends)
    groups = (written[first : first + n] for first in range(0, len(written), n))
    return [sorted(group, key=lambda one: -one.score) for group in groups]


def greedy_ids(model: Decodable, cache: Cache, limits: Sequence[int]) -> list[list[int]]:
    """Decode greedily from each memory of a cache, up to its limit; return ids without <eos>.

    The memories may be changed ones, as `start_cache` takes any memory.
    """
    eos_id = model.config.eos_id
    outputs: list[list[int]] = [[] for _ in limits]
    for open_, tokens, _ in _write(model, cache, limits, likeliest):
        for i, token in zip(open_, tokens, strict=True):
            outputs[i].append(token)
    limited = (ids[:most] for ids, most in zip(outputs, limits, strict=True))
    return [list(itertools.takewhile(eos_id.__ne__, ids)) for ids in limited]


def translate_lines(
    model: Decodable,
    tokenizer: Tokenizer,
    lines: Iterable[str],
    beam: int = 4,
    batch_size: int = 64,
    notices: list[str] | None = None,
) -> Iterator[str]:
    """Translate lines, in order, sentence by sentence; a blank line stays blank.

    `notices` lists lines that were truncated, or of which a sign was left out.
    """
    fast = packed(model)

    def translate(sources: Sequence[Sequence[int]]) -> list[str]:
        return [tokenizer.decode(ids) for ids in translate_ids(fast, sources, beam)]

    answers = in_batches(model.config, tokenizer, lines, translate, batch_size, notices)
    for answer in answers:
        yield " ".join(reading.restored(text) for reading, text in answer)


def in_batches(
    config: ModelConfig,
    tokenizer: Tokenizer,
    lines: Iterable[str],
    translate: Callable[[Sequence[Sequence[int]]], Sequence[Output]],
    batch_size: int = 64,
    notices: list[str] | None = None,
) -> Iterator[list[tuple[Reading, Output]]]:
    """Yield each line's sentences as they are read, with their results of `translate`, in order.

    `translate` gets batches of ids that end with <eos>. Lines are read a window at a time, and
    their sentences sorted so that batches have similar lengths. `notices` lists lines that were
    truncated, or of which a sign was left out.
    """
    numbered = enumerate(lines, start=1)
    while window := list(itertools.islice(numbered, WINDOW * batch_size)):
        readings: list[Reading] = []
        sources: list[list[int]] = []
        ends = []  # of each line's sentences among all
        for number, line in window:
            for reading in tokenizer.readings(line):
                ids = [*tokenizer.encode(reading.text), config.eos_id]
                kept, notice = truncate(ids, config.max_len)
                readings.append(reading)
                sources.append(kept)
                said = [notice, *(f"{sign} was left out." for sign in reading.left_out)]
                if notices is not None:
                    notices.extend(f"Line {number}: {one}" for one in said if one)
            ends.append(len(sources))
        outputs: dict[int, Output] = {}
        longest_first = sorted(range(len(sources)), key=lambda i: -len(sources[i]))
        for first in range(0, len(longest_first), batch_size):
            batch = longest_first[first : first + batch_size]
            outputs |= zip(batch, translate([sources[i] for i in batch]), strict=True)
        for first, end in itertools.pairwise([0, *ends]):
            yield [(readings[i], outputs[i]) for i in range(first, end)]
