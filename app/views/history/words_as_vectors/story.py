"""The small text: its sentences, what is guessed from what in them, and a story as vectors."""

from typing import Final

import numpy as np

from app.charts.boxes import Box
from app.components.board import array_grid
from app.format import grouped
from app.i18n import _
from app.inspector.arrays import draw_board
from app.ui.pickers import pick
from app.ui.vectors_html import show, stacked
from app.views.history.words_as_vectors import data, texts
from app.views.history.words_as_vectors.choice import KIND, Choice
from app.views.history.words_as_vectors.data import CONFIGS, SENTENCES, words

TOLD: Final = "the old king lives in the palace the queen wears a golden crown"
STORY: Final = tuple(TOLD.split())
AGAIN: Final = "the"
EXAMPLES: Final = ("throne", "hat", "speak")  # of each, the first sentence with it is shown
QUEEN: Final = ("the", "queen", "wears", "a", "golden", "crown")
MIDDLE: Final = 2  # of its words, from 0: what the examples are about


def pick_way(_choice: Choice) -> None:
    """Draw the choice of skip-gram or CBOW."""
    pick(KIND, _("Way of learning"), texts.KINDS, help=_(texts.KIND_HELP))


def story_text(choice: Choice) -> str:
    """Say how large the matrix is."""
    size, times = choice.report.vectors.shape[1], STORY.count(AGAIN)
    return _(texts.STORY).format(n=len(STORY), size=size, word=AGAIN, times=times)


def draw_story(choice: Choice) -> None:
    """Draw the story's words as the rows of a matrix."""
    rows = np.stack([choice.report.vectors[words().index(word)] for word in STORY])
    title, look = _(texts.STORY_NAME), {"row_labels": STORY, "height": 200}
    grid = array_grid(rows, title, "input", **look)
    draw_board([grid], "words-story")


def text_text(_choice: Choice) -> str:
    """Say how many sentences there are."""
    return _(texts.TEXT).format(sentences=grouped(SENTENCES))


def draw_text(_choice: Choice) -> None:
    """Draw a few sentences of the small text."""
    sentences = (next(each for each in data.text() if one in each) for one in EXAMPLES)
    rows = ([Box(word, str(words().index(word))) for word in sentence] for sentence in sentences)
    show("".join(map(stacked, rows)))


def pairs_text(choice: Choice) -> str:
    """Say what is guessed, and from what."""
    config = CONFIGS[choice.kind]
    way = texts.SKIPGRAM if choice.kind == "skipgram" else texts.CBOW
    text = _(way).format(
        window=config.window, pairs=len(data.examples_around(choice.kind, QUEEN, MIDDLE))
    )
    return f"{text} {_(texts.NEGATIVES).format(negatives=config.negatives)}"


def draw_pairs(choice: Choice) -> None:
    """Draw each example of one word: what is given, and what is to be guessed."""
    for given, target in data.examples_around(choice.kind, QUEEN, MIDDLE):
        roles = {i: _(texts.GIVEN_BOX) for i in given} | {target: _(texts.GUESSED_BOX)}
        show(stacked([Box(word, roles.get(i, "·")) for i, word in enumerate(QUEEN)]))
