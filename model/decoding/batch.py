"""Beam search over a batch of sentences, in PyTorch.

B sentences, W hypotheses per sentence, n keys so far, V = size of the target vocabulary.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from model.config import ModelConfig
from model.decoding.beam import FREE, Beam
from model.nn.hooks import NO_HOOK, Hook
from model.nn.masks import padding_mask
from model.nn.translator import Cache, Decodable
from model.text.batches import pad

# The batch shrinks once at most this share of its sentences is unfinished.
SHRINK = 0.75
# The vocabulary is searched in chunks of this many tokens.
PIECE = 32


def start(model: Decodable, sources: Sequence[Sequence[int]], hook: Hook = NO_HOOK) -> Cache:
    """Encode sentences, as ids ending with <eos>, and prepare to decode from their memories."""
    assert not model.training, "decoding is done without dropout"
    src = pad(sources, model.config.pad_id)  # (B, S)
    equal = all(len(ids) == src.shape[1] for ids in sources)
    src_mask = None if equal else padding_mask(src, model.config.pad_id)
    return model.start_cache(model.encode(src, src_mask, hook), src_mask)


def banned_ids(config: ModelConfig) -> Tensor:
    """Return the tokens that no translation may contain."""
    return torch.tensor([config.pad_id, config.bos_id])


def search(
    model: Decodable,
    cache: Cache,
    beams: Sequence[Beam],
    hook: Hook = NO_HOOK,
) -> Iterator[tuple[Tensor, Tensor]]:
    """Search over all memories of a cache at once, step by step, until every beam is done.

    Yields each step's logits (B, W, V) for the sentences still in the batch, and the mask
    (B, 1, W, n), which is True for the keys of a hypothesis's own past.
    """
    config = model.config
    never = banned_ids(config)
    beams = list(beams)
    tokens = torch.full((len(beams), 1), config.bos_id)  # (B, W)
    mask = torch.ones(len(beams), 1, 1, 1, dtype=torch.bool)
    totals = torch.zeros(len(beams), 1)  # (B, W)
    for index in itertools.count():
        logits = model.decode_step(tokens, cache, mask, hook.step(index))
        log_probs = torch.log_softmax(logits, dim=-1, dtype=torch.float32)  # (B, W, V)
        log_probs.index_fill_(-1, never, -math.inf)
        for scored, beam in zip(log_probs.numpy(), beams, strict=True):
            if beam.prefix is not FREE and not beam.done:
                beam.restrict(scored)
            if config.force_end and not beam.done:
                beam.end(scored, config.eos_id)
        best = (one.tolist() for one in top(log_probs, totals, 2 * beams[0].width))
        for beam, *candidates in zip(beams, *best, strict=True):
            if not beam.done:
                beam.choose(list(zip(*candidates, strict=True)), config.eos_id)
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
