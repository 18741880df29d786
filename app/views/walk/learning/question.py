"""The task of the chapter on learning: to read the sign of a gradient."""

from typing import Final

from app.data.walk import Walk
from app.i18n import _
from app.page.quiz import Task
from app.views.walk.learning import texts
from app.views.walk.learning.gradients import slopes
from app.views.walk.learning.target import opened

EACH: Final = 3  # looks from either end of the scale


def task(walk: Walk) -> Task:
    """Ask which look would lower the loss most, among the strongest wishes of both signs."""
    now = slopes(opened(walk))
    order = now.values[now.mask].argsort(kind="stable")
    ends = sorted({*order[:EACH].tolist(), *order[-EACH:].tolist()})
    cells = [(int(q), int(k)) for q, k in zip(*now.mask.nonzero(), strict=True)]
    options = [cells[i] for i in ends]
    gradients = [float(now.values[cell]) for cell in options]
    lowest = min(gradients)
    best = options[gradients.index(lowest)]
    right = texts.RIGHT_STILL if now.flat else texts.RIGHT
    return Task(
        question=_(texts.QUESTION).format(layer=now.layer + 1, head=now.head + 1),
        options=[now.pair(*cell) for cell in options],
        answers=frozenset(i for i, gradient in enumerate(gradients) if gradient == lowest),
        right=_(right).format(
            pair=now.pair(*best), gradient=f"{lowest:+.4f}", size=f"{-lowest:.4f}"
        ),
        wrong=_(texts.WRONG),
    )
