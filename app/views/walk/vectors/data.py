"""The door to the embeddings: bytes and merges, a padded batch, and the table as a space."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.data.cache import cached
from app.data.embedding import EMBED, SHOWN, near, words
from app.data.translation import readable
from app.data.walk import Walk
from model.interpret.calculation import neighbours
from model.interpret.calculation.neighbours import Chance, Neighbour, Word
from model.text.byte_level import Token
from model.text.marian_tokenizer import MarianTokenizer
from model.text.merges import Merges, Replay

__all__ = ["Neighbour", "Replay", "near", "words"]

MOST_ON_MAP: Final = 400


@dataclass(frozen=True, eq=False)
class WordMap:
    """The flat map of the words seen most, (N, 2), and the sentence's tokens on it, (S, 2).

    `explained` is the share of the whole spread that each axis keeps.
    """

    words: tuple[Token, ...]
    points: NDArray[np.float64]
    sentence: NDArray[np.float64]
    explained: NDArray[np.float64]


@cached(by="stamp")
def merges(walk: Walk) -> Merges:
    """Return the merges that the model's tokenizer has learned."""
    return Merges(walk.tokenizer)


def scored(walk: Walk, word: str) -> list[tuple[str, float | None]] | None:
    """Return a word's pieces with log p, where a unigram model cuts it; None where merges do."""
    tokenizer = walk.tokenizer
    return tokenizer.scored(word) if isinstance(tokenizer, MarianTokenizer) else None


def pieces_of(walk: Walk, word: str) -> tuple[Token, ...]:
    """Return the tokens that a word is cut into; none for a text that cannot be seen."""
    clean = readable(word)
    return walk.tokenizer.tokens(walk.tokenizer.encode(clean)) if clean else ()


@cached(by="stamp")
def chance(walk: Walk) -> Chance:
    """Return what cosines two words of the table have by chance."""
    return neighbours.chance_cosine(walk.parameters[EMBED][list(words(walk))])


def similarity(walk: Walk, a: int, b: int) -> float:
    """Return the cosine between the rows of two tokens."""
    table = walk.parameters[EMBED]
    return neighbours.cosine(table[a], table[b])


def sums(walk: Walk, plus: Sequence[Word], minus: Sequence[Word]) -> tuple[Neighbour, ...]:
    """Return the words nearest to a sum of words, without the words in it."""
    return neighbours.analogy(walk.parameters[EMBED], plus, minus, SHOWN, among=words(walk))


def expected(
    walk: Walk, plus: Sequence[Word], minus: Sequence[Word], word: Word
) -> tuple[float, int]:
    """Return how near the word that was expected is to a sum, and its place among all words."""
    table = walk.parameters[EMBED]
    total = neighbours.word_sum(table, plus, minus)
    similarity = neighbours.cosine(neighbours.word_vector(table, word), total)
    others = neighbours.analogy(table, plus, minus, len(table), among=words(walk))
    nearer = sum(one.similarity > similarity for one in others if [one.token_id] != list(word))
    return similarity, nearer + 1


@cached()
def word_map(walk: Walk) -> WordMap | None:
    """Return the words seen most and the sentence's tokens on a flat map; None for too few."""
    shown, table = words(walk)[:MOST_ON_MAP], walk.parameters[EMBED]
    if len(shown) < 3:
        return None
    axes = neighbours.principal_components(table[list(shown)])
    sentence = axes.project(table[walk.capture.src_ids])
    return WordMap(walk.tokenizer.tokens(shown), axes.points, sentence, axes.explained)
