"""Which source word each target word was written from, as the cross-attention says.

Where nothing was measured, the weights of the last layer but one, averaged over its heads, are
taken: there Garg et al. 2019 ("Jointly Learning to Align and Translate with Transformer Models")
found the fewest errors. One head that is known to align may do better by far.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.config import ModelConfig
from model.errors import UserError
from model.interpret.recording import capture
from model.nn.translator import Translator
from model.tasks.task import Alignment
from model.text.tokenizer import Tokenizer


@dataclass(frozen=True)
class AlignmentHead:
    """The weights that are read: of a layer's head, or of all its heads, if None.

    `late`: a token's row is that of the next step, which has read it, not of its own.
    """

    layer: int
    head: int | None = None
    late: bool = False


def default_for(config: ModelConfig) -> AlignmentHead:
    """Return the last layer but one, or the only one; raises UserError where there is none."""
    n = config.n_attentions("cross")
    if n == 0:
        raise UserError("not_for_arch", "alignments", arch=config.arch)
    return AlignmentHead(max(0, n - 2))


def align(
    model: Translator,
    tokenizer: Tokenizer,
    src_ids: Sequence[int],
    tgt_ids: Sequence[int],
    aligner: AlignmentHead,
) -> Alignment:
    """Return (source, target) places of words between blanks, in the order of the target's.

    `src_ids` end with <eos>, `tgt_ids` have neither <bos> nor <eos>. Each target word goes with the
    source word that its pieces look at most, in sum.
    """
    config = model.config
    tgt_in = [config.bos_id, *tgt_ids][: config.max_len]
    weights = capture(model, tokenizer, src_ids, tgt_in).weights(
        "cross", aligner.layer, aligner.head
    )
    looks = weights if aligner.head is not None else weights.mean(axis=0)  # (T, S)
    src_words, tgt_words = _words(tokenizer, src_ids[:-1]), _words(tokenizer, tgt_ids)
    sums = np.zeros((max(tgt_words, default=-1) + 1, max(src_words) + 1))
    for row, tgt_word in zip(looks[int(aligner.late) :], tgt_words, strict=False):
        np.add.at(sums[tgt_word], src_words, row[: len(src_words)])
    return tuple((int(row.argmax()), word) for word, row in enumerate(sums))


def _words(tokenizer: Tokenizer, ids: Sequence[int]) -> list[int]:
    """Return the place of each piece's word, as whoever splits the text at its blanks counts."""
    counts = (len(tokenizer.decode(ids[:end]).split()) for end in range(1, len(ids) + 1))
    return [max(0, count - 1) for count in counts]
