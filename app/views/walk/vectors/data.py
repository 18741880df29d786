"""The door to the embeddings: bytes and merges, a padded batch, and the table as a space."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app.data.translation import Stamp, load, readable
from app.data.walk import Walk
from model.interpret.calculation.neighbours import (
    Neighbour,
    analogy,
    cosines,
    nearest,
    random_cosine,
    word_vector,
)
from model.interpret.calculation.projection import principal_components
from model.interpret.experiments.padding import Batch, encode_padded
from model.text.merges import Merges, Replay
from model.text.tokenizer import EOS, SPECIALS, Token, Tokenizer

__all__ = ["Batch", "Neighbour", "Replay"]

EMBED: Final = "src_embed"
MOST_ON_MAP: Final = 400


@dataclass(frozen=True)
class Expected:
    """Where a word that was expected stands: its cosine, and its place among all words."""

    similarity: float
    place: int


@dataclass(frozen=True, eq=False)
class WordMap:
    """The flat map of the words seen most, (N, 2), and the sentence's tokens on it, (S, 2).

    `explained` is the share of the whole spread that each axis keeps.
    """

    words: tuple[Token, ...]
    points: NDArray[np.float64]
    sentence: NDArray[np.float64]
    explained: NDArray[np.float64]


def merges(walk: Walk) -> Merges:
    """Return the merges that the model's tokenizer has learned."""
    return _merges(walk.stamp, walk.tokenizer)


def pieces_of(walk: Walk, word: str) -> tuple[Token, ...]:
    """Return the pieces that a word is cut into; none for a text that cannot be seen."""
    clean = readable(word)
    return walk.tokenizer.tokens(walk.tokenizer.encode(clean)) if clean else ()


def batch(walk: Walk, others: Sequence[str]) -> Batch:
    """Put the visitor's sentence and others into one batch, and encode it."""
    return _batch(walk.key, tuple(others), walk)


def words(walk: Walk) -> tuple[int, ...]:
    """Return the pieces that begin a word and are made of letters; the earliest learned first."""
    return _words(walk.stamp, walk.tokenizer)


def by_chance(walk: Walk) -> float:
    """Return the cosine that the nearest word would hardly pass if all rows were pure chance."""
    return random_cosine(len(words(walk)), walk.config.d_model)


def near(walk: Walk, token_id: int, n: int = 8) -> tuple[Neighbour, ...]:
    """Return the words whose rows of the table point most nearly the same way as a piece's."""
    return _near(walk.stamp, token_id, n, walk)


def sums(
    walk: Walk, plus: Sequence[Sequence[int]], minus: Sequence[Sequence[int]], n: int = 8
) -> tuple[Neighbour, ...]:
    """Return the words nearest to a sum of words (each its pieces), without the words in it."""
    return analogy(walk.parameters[EMBED], plus, minus, n, among=words(walk))


def expected(
    walk: Walk,
    plus: Sequence[Sequence[int]],
    minus: Sequence[Sequence[int]],
    word: Sequence[int],
) -> Expected:
    """Return how near the word that was expected is to a sum, and its place among all words."""
    table = walk.parameters[EMBED]
    all_words = analogy(table, plus, minus, len(table), among=words(walk))
    similarity = float(cosines(word_vector(table, word)[None], _sum(table, plus, minus))[0])
    nearer = sum(one.similarity > similarity for one in all_words if (one.token_id,) != tuple(word))
    return Expected(similarity, nearer + 1)


def word_map(walk: Walk) -> WordMap | None:
    """Return the words seen most and the sentence's tokens on a flat map; None for too few."""
    if len(words(walk)) < 3:
        return None
    return _map(walk.key, walk)


def _sum(
    table: np.ndarray, plus: Sequence[Sequence[int]], minus: Sequence[Sequence[int]]
) -> np.ndarray:
    """Add and take away words, each of length 1, as `analogy` does."""
    vector = np.zeros(table.shape[1])
    for sign, some in ((1, plus), (-1, minus)):
        for word in some:
            row = word_vector(table, word)
            vector += sign * row / (np.linalg.norm(row) or 1.0)
    return vector


@st.cache_resource(max_entries=8, show_spinner=False)
def _merges(stamp: Stamp, _tokenizer: Tokenizer) -> Merges:
    return Merges(_tokenizer)


@st.cache_resource(max_entries=8, show_spinner=False)
def _words(stamp: Stamp, _tokenizer: Tokenizer) -> tuple[int, ...]:
    pieces = _tokenizer.tokens(range(len(SPECIALS), _tokenizer.vocab_size))
    return tuple(
        piece.id
        for piece in pieces
        if piece.starts_word and piece.text.isalpha() and len(piece.text) > 1
    )


@st.cache_data(max_entries=512, show_spinner=False)
def _near(stamp: Stamp, token_id: int, n: int, _walk: Walk) -> tuple[Neighbour, ...]:
    table = _walk.parameters[EMBED]
    return nearest(table, table[token_id], n, (token_id,), words(_walk))


@st.cache_resource(max_entries=32, show_spinner=False)
def _map(key: tuple[object, ...], _walk: Walk) -> WordMap:
    shown = words(_walk)[:MOST_ON_MAP]
    table = _walk.parameters[EMBED]
    found = principal_components(table[list(shown)])
    sentence = found.project(table[[token.id for token in _walk.capture.src]])
    return WordMap(_walk.tokenizer.tokens(shown), found.points, sentence, found.explained)


@st.cache_resource(max_entries=32, show_spinner=False)
def _batch(key: tuple[object, ...], others: tuple[str, ...], _walk: Walk) -> Batch:
    longest, encode = _walk.config.max_len, _walk.tokenizer.encode
    rows = [
        [token.id for token in _walk.capture.src],
        *([*encode(readable(text))[: longest - 1], EOS] for text in others),
    ]
    return encode_padded(load(_walk.translation.model).model, _walk.tokenizer, rows)
