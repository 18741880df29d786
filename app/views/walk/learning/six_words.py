"""The example by hand: a vocabulary of six tokens, before training and after it."""

from typing import Final

import numpy as np

from app.components.board import Grid, Op
from app.format import number, percent
from app.i18n import _
from app.inspect.arrays import arrays, weights_grid
from app.ui.about import about
from app.views.walk.learning import texts
from app.views.walk.learning.lesson import Lesson

WORDS: Final = ("a", "am", "I", "thanks", "student", "<eos>")
SENTENCE: Final = ("I", "am", "a", "student", "<eos>")
# Made up, each row with the sum 1: what an untrained model says is chance, what a trained one says
# is nearly the target.
UNTRAINED_WORD: Final = (0.22, 0.18, 0.25, 0.08, 0.17, 0.10)
TRAINED_WORD: Final = (0.01, 0.01, 0.02, 0.94, 0.01, 0.01)
UNTRAINED: Final = (
    (0.14, 0.21, 0.12, 0.24, 0.17, 0.12),
    (0.23, 0.13, 0.19, 0.11, 0.20, 0.14),
    (0.11, 0.22, 0.18, 0.15, 0.13, 0.21),
    (0.19, 0.12, 0.22, 0.18, 0.14, 0.15),
    (0.16, 0.20, 0.13, 0.22, 0.18, 0.11),
)
TRAINED: Final = (
    (0.01, 0.02, 0.93, 0.01, 0.02, 0.01),
    (0.01, 0.91, 0.04, 0.01, 0.02, 0.01),
    (0.95, 0.01, 0.01, 0.01, 0.01, 0.01),
    (0.02, 0.01, 0.01, 0.02, 0.92, 0.02),
    (0.01, 0.01, 0.01, 0.01, 0.02, 0.94),
)


def one_hot(word: str) -> np.ndarray:
    """Return a 1 at a word's id and 0 elsewhere, (6,)."""
    return np.eye(len(WORDS))[WORDS.index(word)]


def cross_entropy(answers: np.ndarray, words: tuple[str, ...]) -> float:
    """Return −log p of the right words, added up over the rows of answers (T, 6)."""
    ids = [WORDS.index(word) for word in words]
    return float(-np.log(answers[np.arange(len(ids)), ids]).sum())


def six_text(_lesson: Lesson) -> str:
    """Say what a vocabulary and a one-hot target are."""
    return _by_hand(_(texts.SIX).format(word="am", n=len(WORDS), id=WORDS.index("am")))


@about(sentence="", place=())
def draw_six(lesson: Lesson) -> None:
    """Draw one of the six words one-hot, by their ids, and all of them."""
    ids = [f"{i} · {word}" for i, word in enumerate(WORDS)]
    items: list[Grid | Op] = [
        weights_grid(one_hot("am"), _("one-hot of “{word}”").format(word="am"), cols=ids),
        weights_grid(np.eye(len(WORDS)), _(texts.ALL_ONE_HOT), WORDS, ids, thumb=True),
    ]
    arrays(lesson.walk, items, key="six")


def word_text(_lesson: Lesson) -> str:
    """Say what one answer costs before training and after it."""
    before, after = (
        cross_entropy(np.array([answer]), ("thanks",)) for answer in (UNTRAINED_WORD, TRAINED_WORD)
    )
    p, q = (percent(answer[WORDS.index("thanks")]) for answer in (UNTRAINED_WORD, TRAINED_WORD))
    values = {"p": p, "q": q, "before": number(before), "after": number(after)}
    return _by_hand(_(texts.MERCI).format(source="merci", word="thanks", **values))


@about(sentence="", place=())
def draw_word(lesson: Lesson) -> None:
    """Draw the untrained answer, the target and the trained answer to one word."""
    answers = np.array([UNTRAINED_WORD, one_hot("thanks"), TRAINED_WORD])
    rows = [_(texts.UNTRAINED), _("the target"), _(texts.TRAINED)]
    title = _("answers to “{word}”").format(word="merci")
    arrays(lesson.walk, [weights_grid(answers, title, rows, WORDS)], key="six-word")


def whole_text(_lesson: Lesson) -> str:
    """Say what a whole sentence costs before training and after it."""
    before, after = (cross_entropy(np.array(all_), SENTENCE) for all_ in (UNTRAINED, TRAINED))
    values = {"n": len(SENTENCE), "before": number(before), "after": number(after)}
    return _by_hand(
        _(texts.WHOLE).format(source="je suis étudiant", sentence="I am a student", **values)
    )


@about(sentence="", place=())
def draw_whole(lesson: Lesson) -> None:
    """Draw the target, the untrained and the trained answers to a whole sentence."""
    target = np.array([one_hot(word) for word in SENTENCE])
    items: list[Grid | Op] = [
        weights_grid(target, _("the target"), SENTENCE, WORDS, thumb=True),
        weights_grid(np.array(UNTRAINED), _(texts.UNTRAINED), (), WORDS, thumb=True),
        weights_grid(np.array(TRAINED), _(texts.TRAINED), (), WORDS, thumb=True),
    ]
    arrays(lesson.walk, items, key="six-whole")


def _by_hand(text: str) -> str:
    return f"**{_(texts.BY_HAND)}** {text}"
