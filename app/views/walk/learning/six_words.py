"""The example by hand: a vocabulary of six tokens, before training and after it."""

from typing import Final

import numpy as np

from app.components.board import Grid, Op
from app.format import number
from app.i18n import _
from app.inspector.arrays import arrays, weights_grid
from app.ui.about import about
from app.views.walk.learning import texts
from app.views.walk.learning.lesson import Lesson

WORDS: Final = ("a", "am", "I", "thanks", "student", "<eos>")
SENTENCE: Final = ("I", "am", "a", "student", "<eos>")
# Made up, each row with the sum 1: what an untrained model says is chance, what a trained one says
# is nearly the target.
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


def whole_text(_lesson: Lesson) -> str:
    """Say what a whole sentence costs before training and after it."""
    before, after = (cross_entropy(np.array(all_), SENTENCE) for all_ in (UNTRAINED, TRAINED))
    losses = {"before": number(before), "after": number(after)}
    sizes = {"size": len(WORDS), "last": len(WORDS) - 1}
    names = {"source": "je suis étudiant", "sentence": "I am a student"}
    word = {"word": "am", "id": WORDS.index("am")}
    told = _(texts.WHOLE).format(**sizes, **names, **word, **losses)
    return f"**{_(texts.BY_HAND)}** {told}"


@about(sentence="", place=())
def draw_whole(lesson: Lesson) -> None:
    """Draw the target, the untrained and the trained answers to a whole sentence."""
    target = np.array([one_hot(word) for word in SENTENCE])
    ids = [f"{i} · {word}" for i, word in enumerate(WORDS)]
    items: list[Grid | Op] = [
        weights_grid(target, _("the target"), SENTENCE, ids, thumb=True),
        weights_grid(np.array(UNTRAINED), _(texts.UNTRAINED), (), WORDS, thumb=True),
        weights_grid(np.array(TRAINED), _(texts.TRAINED), (), WORDS, thumb=True),
    ]
    arrays(lesson.walk, items, key="six-whole")
