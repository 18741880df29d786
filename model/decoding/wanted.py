"""The fate of a wanted translation in beam search: where it is lost, and which width keeps it.

W hypotheses read at once, V = size of the target vocabulary.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import torch
from torch import Tensor

from model.decoding.batch import banned_ids, search, start
from model.decoding.beam import Beam, Hypothesis, Prefix
from model.decoding.limits import limit
from model.decoding.search import beam
from model.nn.translator import Translator


@dataclass(frozen=True)
class WantedRank:
    """The rank of the wanted translation among all continuations at one step.

    It survives if its `rank`, from 1, is at most the width. `log_prob` is its sum of log p, and
    `last` that of the last continuation that a beam of this width keeps.
    """

    rank: int
    log_prob: float
    last: float


@dataclass(frozen=True)
class Fate:
    """The places of a wanted translation, up to the step that loses it or to its end.

    `lost` is that step, from 0; `kept` says that the beam finished it, and `won` that it is the
    best of all. It is neither lost nor kept if the search stopped before its end.
    """

    places: tuple[WantedRank, ...]
    lost: int | None = None
    kept: bool = False
    won: bool = False


def forced(
    model: Translator, src_ids: Sequence[int], wanted: Sequence[int], max_len: int | None = None
) -> list[Hypothesis]:
    """Force the wanted tokens, however unlikely, and return the hypothesis at each step."""
    only, most = Prefix(tuple(wanted)), max_len or len(wanted) + 1
    steps = beam(model, src_ids, 1, max_len=most, prefix=only)
    return [step.hypotheses[0] for step in islice(steps, len(wanted))]


@torch.inference_mode()
def follow(
    model: Translator,
    src_ids: Sequence[int],
    wanted: Sequence[int],
    width: int,
    max_len: int | None = None,
) -> Fate:
    """Search as `beam` does, and track the wanted tokens, which end with <eos>, at every step."""
    wanted = tuple(wanted)
    one = Beam(limit(model.config, src_ids, max_len), width)
    places: list[WantedRank] = []
    before = one.live
    for i, (logits, _) in enumerate(search(model, start(model, [src_ids]), [one])):
        if i < len(wanted):
            row = [hypothesis.tokens for hypothesis in before].index(wanted[:i])
            totals = torch.tensor([hypothesis.log_prob for hypothesis in before])
            places.append(_place(model, logits[0], totals, row, wanted[i], width))
            if all(hypothesis.tokens != wanted[: i + 1] for hypothesis in one.chosen):
                return Fate(tuple(places), lost=i)
        before = one.live
    kept = any(hypothesis.tokens == wanted for hypothesis in one.finished)
    return Fate(tuple(places), kept=kept, won=one.ranked[0].tokens == wanted)


def widths_tried(
    model: Translator,
    src_ids: Sequence[int],
    wanted: Sequence[int],
    widest: int,
    max_len: int | None = None,
) -> Iterator[tuple[int, bool]]:
    """Yield widths, and whether each finishes the wanted tokens, up to the first that does.

    Every width is tried, because a wider beam does not always keep all that a narrower one does.
    Widths are skipped only if the wanted hypothesis alone has too many likelier continuations.
    """
    eos_id = model.config.eos_id
    banned = banned_ids(model.config)
    alone = (
        _rank(_log_probs(one.logits[None], banned), 0, one.tokens[-1], eos_id)
        for one in forced(model, src_ids, wanted, max_len)
        if one.logits is not None
    )
    for width in range(max(alone), widest + 1):
        kept = follow(model, src_ids, wanted, width, max_len).kept
        yield width, kept
        if kept:
            return


def _place(
    model: Translator, logits: Tensor, totals: Tensor, row: int, token: int, width: int
) -> WantedRank:
    """Find a token's place among all continuations: logits (W, V), totals (W,)."""
    eos_id = model.config.eos_id
    sums = _log_probs(logits, banned_ids(model.config)) + totals[:, None]  # (W, V)
    rivals = _rivals(sums, token, eos_id).flatten()
    last = rivals.topk(min(width, len(rivals))).values[-1]
    return WantedRank(_rank(sums, row, token, eos_id), float(sums[row, token]), float(last))


def _log_probs(logits: Tensor, banned: Tensor) -> Tensor:
    log_probs = torch.log_softmax(logits, dim=-1, dtype=torch.float32)
    return log_probs.index_fill(-1, banned, -math.inf)


def _rank(sums: Tensor, row: int, token: int, eos_id: int) -> int:
    """Return the rank, from 1, of one of the sums (W, V) among its rivals."""
    return 1 + int((_rivals(sums, token, eos_id) > sums[row, token]).sum())


def _rivals(sums: Tensor, token: int, eos_id: int) -> Tensor:
    """Return the sums (W, V) that compete with a token for a place in the beam.

    Hypotheses that end do not compete with those that go on.
    """
    return sums if token == eos_id else sums.index_fill(-1, torch.tensor([eos_id]), -math.inf)
