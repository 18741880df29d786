"""What the model should have said at the chosen position, one-hot and smoothed."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.board import Grid
from app.format import grouped, localized, short
from app.i18n import _
from app.inspector.arrays import arrays, grid, weights_grid
from app.ui.table import Columns, fold, table
from app.views.walk.learning import texts
from app.views.walk.learning.data import smoothing_of
from app.views.walk.learning.lesson import Lesson

BESIDE: Final = 4  # so many neighbours of the right token are drawn on either side of it


def target_text(lesson: Lesson) -> str:
    """Say what the model can answer, and what smoothing does to the target."""
    token = lesson.tokens[lesson.at]
    values = {"size": grouped(lesson.size), "word": lesson.word, "id": token.id}
    return f"{_(texts.VOCABULARY).format(**values)}\n\n{_smoothing_text(lesson)}"


def draw_target(lesson: Lesson) -> None:
    """Draw the target around its 1, one-hot and smoothed; offer vocabulary and answers whole."""
    one_hot = _around(lesson, lesson.walk.target(lesson.at, 0), _("one-hot"))
    smoothed = _around(lesson, lesson.target, f"ε = {short(lesson.smoothing)}")
    arrays(lesson.walk, [one_hot, smoothed], key="target")
    title, name = _("All {count} tokens").format(count=grouped(lesson.size)), "vocabulary"
    fold(title, name, ":material/dictionary:", lambda: table(_vocabulary(lesson), name))
    title = _("Both answers, one cell for each token")
    fold(title, "strips", ":material/apps:", lambda: _draw_strips(lesson))


def _smoothing_text(lesson: Lesson) -> str:
    own = smoothing_of(lesson.walk.translation.model)
    trained = (
        _(texts.NO_SMOOTHING) if own is None else _(texts.OWN_SMOOTHING).format(own=short(own))
    )
    if lesson.smoothing == 0:
        return f"{_(texts.NOT_SMOOTHED).format(word=lesson.word)} {trained}"
    share = lesson.smoothing / lesson.size
    other = localized(np.format_float_positional(share, precision=3, fractional=False))
    right = short(lesson.target[lesson.walk.targets[lesson.at]], 6)
    text = _(texts.SMOOTHED).format(word=lesson.word, right=right, other=other)
    return f"{text} {trained}"


def _around(lesson: Lesson, target: np.ndarray, note: str) -> Grid:
    """Return a target at the right token and its neighbours by id."""
    right = lesson.walk.targets[lesson.at]
    ids = range(max(right - BESIDE, 0), min(right + BESIDE + 1, lesson.size))
    labels = [lesson.walk.token(i).text for i in ids]
    title = _("the target, ids {first} to {last}").format(first=ids[0], last=ids[-1])
    return weights_grid(target[list(ids)], title, cols=labels, note=note)


def _draw_strips(lesson: Lesson) -> None:
    st.caption(_(texts.STRIPS))
    title, at = _("the model's probabilities"), (lesson.at, None)
    predicted = grid(lesson.walk, "probabilities", at, title, role="output")
    target = weights_grid(lesson.target, _("the target"), first=0)
    arrays(lesson.walk, [target, predicted], key="whole")


def _vocabulary(lesson: Lesson) -> Columns:
    tokenizer = lesson.walk.tokenizer
    tokens = tokenizer.tokens(range(tokenizer.vocab_size))
    return {
        _("id"): [str(token.id) for token in tokens],
        _("token"): [token.text for token in tokens],
        _("begins a word"): ["✓" if token.starts_word else "" for token in tokens],
    }
