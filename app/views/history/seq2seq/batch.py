"""Four proverbs as one padded batch: their ids, and their block of numbers."""

import numpy as np

from app.data.padding import Batch, Padded, embedded, ids_of, padded, padded_targets
from app.format import escape, number, visible
from app.i18n import _
from app.inspector import batch
from app.views.history.seq2seq import texts
from app.views.history.seq2seq.unrolled import Moment


def proverbs(moment: Moment) -> Batch:
    """Return the proverbs as one batch."""
    return padded(moment.walk, tuple(ids_of(moment.walk, text) for text in texts.PROVERBS))


def translations(moment: Moment) -> Padded:
    """Return their English halves as a block of their own."""
    return padded_targets(moment.walk, [ids_of(moment.walk, text) for text in texts.IN_ENGLISH])


def batch_text(moment: Moment) -> str:
    """Say how much of the batch is padding."""
    made, pad = proverbs(moment), moment.walk.config.pad_id
    return _(texts.BATCH).format(pad=pad, padding=made.padding, places=made.ids.size)


def draw_batch(moment: Moment) -> None:
    """Draw the ids of the batch, with the length of each sentence."""
    batch.draw_ids(proverbs(moment), "proverbs")


def target_text(moment: Moment) -> str:
    """Say how long both blocks are, and how much of the translations' is padding."""
    src, tgt = proverbs(moment), translations(moment)
    S, T = src.ids.shape[1], tgt.ids.shape[1]
    return _(texts.TARGET).format(S=S, T=T, padding=tgt.padding, places=tgt.ids.size)


def draw_target(moment: Moment) -> None:
    """Draw the ids of the translations, with the length of each."""
    batch.draw_ids(translations(moment), "proverbs-target")


def block_text(moment: Moment) -> str:
    """Say what shape the block has, which token has its vector twice, and what <pad> has."""
    made, walk = proverbs(moment), moment.walk
    (B, S), D = made.ids.shape, walk.config.d_model
    length = float(np.linalg.norm(embedded(walk, [walk.config.pad_id])))
    lines = [_(texts.BLOCK).format(B=B, S=S, D=D, shown=min(batch.NUMBERS, D)), *_twice(made)]
    lines.append(_(texts.PAD_ROW if length else texts.PAD_ZERO).format(length=number(length)))
    return " ".join(lines)


def draw_block(moment: Moment) -> None:
    """Draw the first numbers of each token's vector, one sentence after the other."""
    batch.draw_block(moment.walk, proverbs(moment), "proverbs-block")


def _twice(made: Batch) -> list[str]:
    """Name the longest token that stands twice in a sentence, if there is one."""
    found = [
        (token.text, row)
        for row, tokens in enumerate(made.tokens, start=1)
        for token in tokens
        if not token.special and sum(other.id == token.id for other in tokens) == 2
    ]
    if not found:
        return []
    word, row = max(found, key=lambda each: len(each[0]))
    return [_(texts.BLOCK_TWICE).format(word=escape(visible(word)), n=row)]
