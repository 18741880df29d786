"""Words that stand near each other in the embedding table of a model."""

from typing import Final

from app.data.cache import cached
from app.data.padding import EMBED
from app.data.walk import Walk
from model.interpret.calculation.neighbours import Neighbour, nearest, word_vector

SHOWN: Final = 8  # neighbours


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
