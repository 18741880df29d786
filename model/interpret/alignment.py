"""Which source word each target word was written from, as the cross-attention says.

With the weights of the last layer but one, averaged over its heads, Garg et al. 2019 ("Jointly
Learning to Align and Translate with Transformer Models") found the fewest errors.
"""

from collections.abc import Sequence

import numpy as np

from model.config import ModelConfig
from model.errors import UserError
from model.interpret.recording import capture
from model.nn.translator import Translator
from model.tasks.task import Alignment
from model.text.tokenizer import Tokenizer


def layer_of(config: ModelConfig) -> int:
    """Return the layer that is read: the last but one, or the only one; UserError without any."""
    n = config.n_attentions("cross")
    if n == 0:
        raise UserError("not_for_arch", "alignments", arch=config.arch)
    return max(0, n - 2)


def align(
    model: Translator, tokenizer: Tokenizer, src_ids: Sequence[int], tgt_ids: Sequence[int]
) -> Alignment:
    """Return (source, target) places of words between blanks, in the order of the target's.

    `src_ids` end with <eos>, `tgt_ids` have neither <bos> nor <eos>. Each target word goes with the
    source word that its pieces look at most, in sum.
    """
    config = model.config
    tgt_in = [config.bos_id, *tgt_ids][: config.max_len]
    weights = capture(model, tokenizer, src_ids, tgt_in).weights("cross", layer_of(config))
    looks = weights.mean(axis=0)  # (T, S); row t is what was looked at to write the token t
    src_words, tgt_words = _words(tokenizer, src_ids[:-1]), _words(tokenizer, tgt_ids)
    sums = np.zeros((max(tgt_words, default=-1) + 1, max(src_words) + 1))
    for row, tgt_word in zip(looks, tgt_words, strict=False):
        np.add.at(sums[tgt_word], src_words, row[: len(src_words)])
    return tuple((int(row.argmax()), word) for word, row in enumerate(sums))


def _words(tokenizer: Tokenizer, ids: Sequence[int]) -> list[int]:
    """Return the place of each piece's word, as whoever splits the text at its blanks counts."""
    counts = (len(tokenizer.decode(ids[:end]).split()) for end in range(1, len(ids) + 1))
    return [max(0, count - 1) for count in counts]
