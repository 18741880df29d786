"""One gradient put to the test: its score is changed, and the whole model run again."""

from typing import Final

import numpy as np
import streamlit as st

from app.data.walk import Cell
from app.format import escape, localized, number, power, tex
from app.i18n import _
from app.state import Param, one_of
from app.ui.chart import show_chart
from app.ui.pickers import pick
from app.views.walk.learning import texts
from app.views.walk.learning.data import losses_if
from app.views.walk.learning.gradients import cell_of, slopes
from app.views.walk.learning.lesson import Lesson
from app.views.walk.learning.loss_chart import loss_curve
from app.views.walk.learning.picks import position_of

DELTAS: Final = ("0.01", "0.1", "1")
DELTA: Final = Param[str]("delta", "0.1", one_of(*DELTAS))
REACH: Final = 4.0  # how far the curve goes to either side, in units of the score
POINTS: Final = 9


def check_text(lesson: Lesson) -> str:
    """Say which score is changed."""
    head = slopes(lesson)
    cell = cell_of(head)
    query, key = map(escape, head.words(*cell))
    text = _(texts.CHECK).format(query=query, key=key)
    return text if head.mask[cell] else f"{text} {_(texts.MASKED)}"


def draw_check(lesson: Lesson) -> None:
    """Write both slopes: that of two runs of the model, and the gradient."""
    tip = _("How much is added to the score, and taken from it.")
    pick(DELTA, "δ", DELTAS, format_func=localized, help=tip)
    changes, losses = _tried(lesson)
    less, more = _pair(changes)
    delta = float(DELTA.get())
    measured = float(losses[more] - losses[less]) / (2 * delta)
    slope = _slope(lesson)
    formula = (
        rf"\begin{{aligned}} L(s+\delta) &= {number(losses[more], 6)} \\[4pt] "
        rf"L(s-\delta) &= {number(losses[less], 6)} \\[4pt] "
        rf"\frac{{L(s+\delta)-L(s-\delta)}}{{2\,\delta}} &= \mathbf{{{_tex(measured)}}} \\[8pt] "
        rf"\frac{{\partial L}}{{\partial s}} &= \mathbf{{{_tex(slope)}}}\end{{aligned}}"
    )
    st.latex(tex(formula))
    st.caption(_(texts.CHECKED_SLOPES).format(difference=power(abs(measured - slope))))


def draw_descent(lesson: Lesson) -> None:
    """Draw the loss as the score changes, and the line that has the gradient's slope."""
    changes, losses = _tried(lesson)
    title = _("The loss, as this one score changes")
    figure = loss_curve(changes, losses, _slope(lesson), _pair(changes), title)
    columns = {_("added to the score"): changes.tolist(), _("loss"): losses.tolist()}
    show_chart(figure, "slope", title, lambda: columns)


def _tried(lesson: Lesson) -> tuple[np.ndarray, np.ndarray]:
    """Return what is added to the score, and the loss that follows, (N,) each."""
    head, delta = slopes(lesson), float(DELTA.get())
    changes = np.unique([*np.linspace(-REACH, REACH, POINTS), -delta, delta])
    score = Cell(f"{head.scope}.scores", (head.head, *cell_of(head)))
    position = position_of(lesson)
    losses = losses_if(lesson.walk, score, changes.tolist(), lesson.smoothing, position)
    return changes, losses


def _pair(changes: np.ndarray) -> tuple[int, int]:
    """Return where −δ and +δ stand among the changes."""
    delta = float(DELTA.get())
    less, more = np.searchsorted(changes, [-delta, delta]).tolist()
    return less, more


def _slope(lesson: Lesson) -> float:
    head = slopes(lesson)
    return float(head.values[cell_of(head)])


def _tex(value: float) -> str:
    return number(value, 6) if abs(value) >= 1e-3 else power(value, 3)
