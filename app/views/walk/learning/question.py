"""The task of the chapter on learning: to read the sign of a gradient."""

from dataclasses import replace
from typing import Final

from app.format import number, quoted, signed
from app.i18n import _
from app.page.quiz import Task
from app.views.walk.learning import texts
from app.views.walk.learning.gradients import Slopes, slopes
from app.views.walk.learning.lesson import Lesson

EACH: Final = 3  # looks from either end of the scale


def task(lesson: Lesson) -> Task:
    """Ask which look would lower the loss most, among the strongest wishes of both signs."""
    head = slopes(lesson)
    order = head.values[head.mask].argsort(kind="stable")
    ends = sorted({*order[:EACH].tolist(), *order[-EACH:].tolist()})
    cells = [(int(q), int(k)) for q, k in zip(*head.mask.nonzero(), strict=True)]
    options = [cells[i] for i in ends]
    gradients = [float(head.values[cell]) for cell in options]
    lowest = min(gradients)
    pairs = [_pair(head, cell) for cell in options]
    answers = [i for i, gradient in enumerate(gradients) if gradient == lowest]
    right = texts.RIGHT_STILL if head.flat else texts.RIGHT
    place = {"layer": head.layer + 1, "head": head.head + 1}
    values = {"pair": pairs[answers[0]], "gradient": signed(lowest, 4), "size": number(-lowest, 4)}
    asked = Task.of(texts.QUESTION, pairs, answers, right, texts.WRONG, **place, **values)
    return asked if head.flat else replace(asked, reasons=[*map(_reason, gradients)])


def _reason(gradient: float) -> str:
    """Say why a look is not the one that lowers the loss most."""
    text = texts.REASON_LESS if gradient < 0 else texts.REASON_MORE
    return _(text).format(gradient=signed(gradient, 4))


def _pair(head: Slopes, cell: tuple[int, int]) -> str:
    return " → ".join(map(quoted, head.words(*cell)))
