"""The analogy test: man is to king as woman is to … (Mikolov et al. 2013, arXiv:1301.3781).

V rows of D numbers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Final

import numpy as np

from model.history.small_text import ANIMALS, LANDS, PEOPLE, VERBS
from model.interpret.calculation.neighbours import analogy
from model.text.byte_level import SPECIALS
from model.text.tokenizer import Tokenizer

Pair = tuple[str, str]
Question = tuple[str, str, str, str]  # a is to b as c is to d

# Pairs of words from our small text, by how the two are related.
PAIRS: Final[Mapping[str, Sequence[Pair]]] = {
    "gender": [pair for m, f, boy, girl in PEOPLE.values() for pair in ((m, f), (boy, girl))],
    "age": [pair for m, f, boy, girl in PEOPLE.values() for pair in ((m, boy), (f, girl))],
    "cubs": [(animal, cub) for animal, cub, _sound in ANIMALS],
    "capitals": [(land, city) for land, city, _tongue, _dish in LANDS],
    "tense": [(does, did) for does, did, _what in VERBS],
}


@dataclass(frozen=True)
class Answer:
    """A question, and the word that the vectors answer."""

    question: Question
    word: str

    @property
    def right(self) -> bool:
        return self.word == self.question[3]


@dataclass(frozen=True)
class Score:
    """How many questions were answered correctly, of those whose four words are all known."""

    right: int
    asked: int
    questions: int


def questions(pairs: Sequence[Pair]) -> list[Question]:
    """Make a question of any two pairs: (man, king), (woman, queen) -> man king woman queen."""
    return [(*one, *other) for one, other in permutations(pairs, 2)]


OURS: Final = {category: questions(pairs) for category, pairs in PAIRS.items()}


def read_questions(path: Path) -> dict[str, list[Question]]:
    """Read questions, four words a line, below lines ": category"; raises ValueError."""
    by_category: dict[str, list[Question]] = {}
    category = ""
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        if line.startswith(":"):
            category = line[1:].strip()
            continue
        match line.split():
            case []:
                continue
            case [a, b, c, d]:
                by_category.setdefault(category, []).append((a, b, c, d))
            case words:
                raise ValueError(f"Line {number} of {path} has {len(words)} words, not four.")
    if not by_category:
        raise ValueError(f"{path} holds no questions.")
    return by_category


def whole_words(tokenizer: Tokenizer) -> dict[str, int]:
    """Return the ids, by text, of the pieces that begin a word and consist of letters."""
    pieces = tokenizer.tokens(range(len(SPECIALS), tokenizer.vocab_size))
    return {piece.text: piece.id for piece in pieces if piece.starts_word and piece.text.isalpha()}


def without_capitals(words: Mapping[str, int]) -> dict[str, int]:
    """Return the words, with names also in lower case, as in our small text: "france"."""
    return {text.lower(): token_id for text, token_id in words.items()} | dict(words)


def answers(table: np.ndarray, words: Mapping[str, int], asked: Sequence[Question]) -> list[Answer]:
    """Answer the questions whose four words are known with the word nearest to b − a + c.

    `table` is (V, D). The three words of the question are never the answer.
    """
    texts = {token_id: text for text, token_id in words.items()}
    among = list(texts)
    answered = []
    for question in asked:
        if not all(word in words for word in question):
            continue
        a, b, c, expected = (words[word] for word in question)
        nearest = analogy(table, [[b], [c]], [[a]], 1, among=among)[0].token_id
        text = question[3] if nearest == expected else texts[nearest]
        answered.append(Answer(question, text))
    return answered


def score(answered: Sequence[Answer], asked: Sequence[Question]) -> Score:
    """Count the right answers among those given to some questions."""
    return Score(sum(answer.right for answer in answered), len(answered), len(asked))


def total(of: Iterable[Score]) -> Score:
    """Add up the scores of several categories."""
    counts = [(one.right, one.asked, one.questions) for one in of]
    return Score(*(sum(column) for column in zip(*counts, strict=True)))
