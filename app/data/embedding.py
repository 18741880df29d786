"""What is asked of a model's embedding table: padded batches, their vectors, and near words.

B sentences, S source tokens, D = d_model.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.data.cache import cached
from app.data.translation import readable
from app.data.walk import Walk
from model.interpret.calculation.neighbours import Neighbour, nearest, word_vector
from model.interpret.experiments.masks import EncodedBatch, Padded, encode_padded, pad_rows

__all__ = ["EncodedBatch", "Padded"]

EMBED: Final = "src_embed"
SHOWN: Final = 8  # neighbours


def ids_of(walk: Walk, text: str) -> tuple[int, ...]:
    """Return the ids of a sentence as the model would read it, <eos> last."""
    ids = walk.tokenizer.encode(walk.tokenizer.read(readable(text)).text)
    return (*ids[: walk.config.max_len - 1], walk.config.eos_id)


@cached()
def padded(walk: Walk, rows: tuple[tuple[int, ...], ...]) -> EncodedBatch:
    """Put sentences of ids into one batch, and encode it."""
    return encode_padded(walk.model, walk.tokenizer, rows)


def padded_targets(walk: Walk, rows: Sequence[tuple[int, ...]]) -> Padded:
    """Put translations into a block of their own; the encoder never reads them."""
    return pad_rows(walk.tokenizer, rows)


def embedded(walk: Walk, ids: ArrayLike) -> NDArray[np.floating]:
    """Return the vectors of ids, of any shape (..., D): their rows of the table, scaled."""
    return walk.parameters[EMBED][np.asarray(ids)] * walk.config.embedding_scale


@cached(by="stamp")
def words(walk: Walk) -> tuple[int, ...]:
    """Return the tokens that begin a word and are made of letters; the earliest learned first."""
    pieces = walk.tokenizer.tokens(range(walk.tokenizer.vocab_size))
    return tuple(
        piece.id
        for piece in pieces
        if piece.starts_word and piece.text.isalpha() and len(piece.text) > 1
    )


@cached(by="stamp")
def near(walk: Walk, token_id: int) -> tuple[Neighbour, ...]:
    """Return the words whose rows of the table point most nearly the same way as a token's."""
    return near_word(walk, (token_id,))


@cached(by="stamp")
def near_word(walk: Walk, ids: tuple[int, ...]) -> tuple[Neighbour, ...]:
    """Return the same for a word of several pieces: near to the mean of their rows."""
    table = walk.parameters[EMBED]
    return nearest(table, word_vector(table, ids), SHOWN, ids, words(walk))
