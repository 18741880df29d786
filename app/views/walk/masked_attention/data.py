"""The door to the masks: the model run again without them, and over a padded batch.

T target tokens.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final

import numpy as np

from app.data import attention
from app.data.cache import cached
from app.data.walk import Walk
from model.interpret.calculation.target import next_tokens
from model.interpret.experiments import masks
from model.interpret.experiments.masks import Effect, MaskedBatch, hide
from model.text.byte_level import Token

__all__ = ["Effect", "MaskedBatch", "hide"]

Pair = tuple[str, str]
MOST: Final = 5  # other words to choose from


def unmasked(walk: Walk) -> Mapping[str, np.ndarray]:
    """Return what a pass of the model without its causal mask makes of the sentence."""
    return _run(walk, walk.capture.tgt_ids, False)


def alternatives(walk: Walk, place: int) -> list[Token]:
    """Return the likeliest other words that the model itself would have put at a place."""
    likeliest = walk.capture.logits[place - 1].argsort()[::-1].tolist()
    never = walk.tokenizer.specials | {walk.capture.tgt[place].id}
    return [walk.token(i) for i in islice((i for i in likeliest if i not in never), MOST)]


def effect(walk: Walk, place: int, token: Token, causal: bool) -> Effect:
    """Return what the model predicts once a token stands at a place, with or without the mask."""
    ids = walk.capture.tgt_ids
    changed = [*ids[:place], token.id, *ids[place + 1 :]]
    before, after = (_run(walk, tgt, causal)["logits"] for tgt in (ids, changed))
    return masks.effect(before, after, next_tokens(walk.capture), place, walk.tokenizer)


def of_next(walk: Walk, causal: bool) -> np.ndarray:
    """Return the probability of each next token of the translation, with or without the mask."""
    return attention.of_next(walk, _run(walk, walk.capture.tgt_ids, causal)["logits"])


@cached()
def batch(walk: Walk, pairs: Sequence[Pair]) -> MaskedBatch:
    """Run the model on the sentence beside the first longer pair, else beside itself said twice.

    A sentence at the model's limit gets none longer than itself.
    """
    tokenizer, config = walk.tokenizer, walk.config
    longest = config.max_len
    own_src, own_tgt = walk.capture.src_ids, walk.capture.tgt_ids
    longer = [*own_src[:-1], *own_src][:longest], [*own_tgt, *own_tgt[1:]][:longest]
    for source, target in pairs:
        src = [*tokenizer.encode(source), config.eos_id]
        tgt = [config.bos_id, *tokenizer.encode_target(target)]
        if len(own_src) < len(src) <= longest and len(own_tgt) < len(tgt) <= longest:
            longer = src, tgt
            break
    return masks.run_beside(walk.model, tokenizer, walk.capture, longer)


@cached()
def _run(walk: Walk, tgt_ids: Sequence[int], causal: bool) -> Mapping[str, np.ndarray]:
    return masks.run(walk.model, walk.capture.src_ids, tgt_ids, causal)
