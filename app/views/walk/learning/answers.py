"""What the model should have said beside what it said: everywhere, and at one position."""

from typing import Final

import numpy as np

from app.charts.target import target_bars
from app.components.board import Grid, Op
from app.format import grouped, probability
from app.i18n import _
from app.inspector.arrays import arrays, grid, weights_grid
from app.ui.chart import show_chart
from app.views.walk.learning import texts
from app.views.walk.learning.lesson import Lesson

FAVOURITES: Final = 5  # of the model at the chosen position


def answers_text(lesson: Lesson) -> str:
    """Say what the two pictures are, and what the tokens without a column have."""
    rest = np.delete(lesson.walk.array("probabilities"), _columns(lesson), axis=1).sum(1)
    return _(texts.COMPARE).format(most=probability(float(rest.max())))


def draw_answers(lesson: Lesson) -> None:
    """Draw for each position what should be said and what is said."""
    walk, ids = lesson.walk, _columns(lesson)
    labels = [walk.token(i).text for i in ids]
    rows = [token.text for token in walk.capture.tgt]
    target = np.stack([walk.target(t, lesson.smoothing) for t in range(len(rows))])
    look = {"cols": tuple(ids), "col_labels": labels, "row_labels": (), "thumb": True}
    title = _("the model's probabilities")
    answers: list[Grid | Op] = [
        weights_grid(target[:, ids], _("the target"), rows, labels, thumb=True),
        grid(walk, "probabilities", (None, None), title, role="output", **look),
    ]
    arrays(walk, answers, key="answers")


def position_text(lesson: Lesson) -> str:
    """Say what stands beside the target."""
    p = lesson.losses.probabilities[lesson.at]
    best = int(lesson.walk.surprises(lesson.at).argmin())
    if best == lesson.walk.targets[lesson.at]:
        return _(texts.AT_RIGHT).format(word=lesson.word, p=probability(p))
    return _(texts.AT_WRONG).format(word=lesson.word, p=probability(p), other=lesson.text_of(best))


def draw_position(lesson: Lesson) -> None:
    """Draw the target beside the model's answer at the chosen position."""
    walk, at = lesson.walk, lesson.at
    best = walk.surprises(at).argsort(kind="stable")[:FAVOURITES].tolist()
    ids = list(dict.fromkeys([walk.targets[at], *best]))
    rest = _("{count} others").format(count=grouped(lesson.size - len(ids), " "))
    title = _("At the chosen position: “{word}”").format(word=lesson.tokens[at].text)
    labels = [*(walk.token(i).text for i in ids), rest]
    both = (lesson.target, np.asarray(walk.array("probabilities", (at,))))
    target, predicted = (np.append(p[ids], np.delete(p, ids).sum()) for p in both)
    figure = target_bars(target, predicted, labels, title)
    columns = {
        _("token"): labels,
        _("the target"): target.tolist(),
        _("the model"): predicted.tolist(),
    }
    show_chart(figure, "target", title, lambda: columns)


def _columns(lesson: Lesson) -> list[int]:
    """Return the ids of the tokens of the right translation, each once."""
    return list(dict.fromkeys(lesson.walk.targets))
