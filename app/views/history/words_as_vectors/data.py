"""What one chooses on the page, and what it asks: the small text, its training, the vectors."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.data.child import in_child
from app.data.translation import readable
from app.page.live_training import Live, training
from app.state import Param, one_of, up_to, whole
from model.history import word_vectors
from model.history.small_text import ANIMALS, LANDS, PEOPLE, VERBS, Sentence, sentences
from model.history.word_vectors import CONFIGS, Kind, WordVectorsReport
from model.interpret.calculation import neighbours
from model.interpret.calculation.neighbours import Neighbour, Projection, principal_components

__all__ = ["CONFIGS", "Kind", "Neighbour", "WordVectorsReport"]

SENTENCES: Final = 6000
FIRST: Final = 10  # reports made before the page is first seen
# The words of each topic, in the order of its table.
TOPICS: Final = {
    "people": [word for some in PEOPLE.values() for word in some],
    "lands": [word for land, city, *_others in LANDS for word in (land, city)],
    "animals": [word for animal, cub, _sound in ANIMALS for word in (animal, cub)],
    "verbs": [word for does, did, _what in VERBS for word in (does, did)],
}

# The sum of words of each topic: the one to start from, the one to subtract, the one to add.
SUMS: Final = {
    "people": ("king", "man", "woman"),
    "lands": ("paris", "france", "italy"),
    "animals": ("puppy", "dog", "cat"),
    "verbs": ("sang", "sings", "walks"),
}
MAX_CHARACTERS: Final = 40
WORD: Final = Param[str]("waword", "king", up_to(MAX_CHARACTERS))
KIND: Final = Param[Kind]("wakind", "skipgram", one_of("skipgram", "cbow"))
SEED: Final = Param[int]("waseed", 0, whole(0, 999))
TOPIC: Final = Param[str]("watopic", "people", one_of(*TOPICS))


@dataclass(frozen=True, eq=False)
class WordVectorsChoice:
    """The visitor's word (None if the small text lacks it), the training, and the sum of words."""

    word: str | None
    kind: Kind
    training: Live[WordVectorsReport]
    sum: tuple[str, str, str]


def choice() -> WordVectorsChoice:
    """Return the choice; start its training if there is none yet."""
    word, kind, seed = readable(WORD.get()).strip().lower(), KIND.get(), SEED.get()
    running = training("words", (kind, seed), training_of(kind, seed), FIRST, in_child)
    return WordVectorsChoice(word if word in words() else None, kind, running, SUMS[TOPIC.get()])


@st.cache_resource(show_spinner=False)
def text() -> tuple[Sentence, ...]:
    """Return the sentences of the small text."""
    return sentences(SENTENCES)


@st.cache_resource(show_spinner=False)
def words() -> tuple[str, ...]:
    """Return the words of the small text in alphabetical order; their index is their id."""
    return word_vectors.vocabulary(text())


def ids(*some: str) -> list[int]:
    """Return the ids of some words."""
    return [words().index(word) for word in some]


def training_of(kind: Kind, seed: int) -> Callable[[], Iterator[WordVectorsReport]]:
    """Return a function that starts a training on the small text; it can be pickled."""
    return partial(word_vectors.train, text(), replace(CONFIGS[kind], seed=seed))


def steps(kind: Kind) -> int:
    """Return how many reports a training yields."""
    return word_vectors.n_reports(text(), CONFIGS[kind])


def near(vectors: np.ndarray, word: str, n: int = 6) -> tuple[Neighbour, ...]:
    """Return the words whose vectors (V, D) have the largest cosine with a word's."""
    (at,) = ids(word)
    return neighbours.nearest(vectors, vectors[at], n, (at,))


def sums(
    vectors: np.ndarray, start: str, less: str, plus: str, n: int = 6
) -> tuple[Neighbour, ...]:
    """Return the words nearest to start − less + plus, without these three."""
    return neighbours.analogy(vectors, [ids(start), ids(plus)], [ids(less)], n)


def cosine(vectors: np.ndarray, one: str, other: str) -> float:
    """Return the cosine of two words' vectors."""
    first, second = vectors[ids(one, other)]
    return float(neighbours.cosines(first[None], second)[0])


def chance(vectors: np.ndarray) -> float:
    """Return the cosine that the nearest word would rarely exceed by chance, of vectors (V, D)."""
    return neighbours.chance_cosine(vectors).limit


def flat_map(vectors: np.ndarray, axes_of: Sequence[str], shown: Sequence[str]) -> Projection:
    """Place words, (N, 2), on the plane in which some of them differ most; two differ on a line.

    The first of these is at the upper right.
    """
    vectors = vectors.astype(np.float64)
    plane = principal_components(vectors[ids(*axes_of)])
    turn = np.where(plane.points[0] < 0, -1, 1)
    points = plane.project(vectors[ids(*shown)]) * turn
    return Projection(points, plane.axes * turn[:, None], plane.centre, plane.explained)


def rotated(vectors: np.ndarray) -> np.ndarray:
    """Return the vectors (V, D) after one rotation at random, which keeps lengths and angles."""
    return word_vectors.rotated(vectors)
