"""The perceptron at work: the line as it moves, and each update with its numbers."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from app.format import short
from app.i18n import _
from app.page.live_training import draw_live
from app.ui.chart import show_chart
from app.ui.table import Columns
from app.views.history.perceptron import texts
from app.views.history.perceptron.choice import Choice
from app.views.history.perceptron.data import Update, mistakes
from app.views.history.perceptron.picture import (
    best_line,
    last_mistake,
    line_before,
    line_now,
    points_figure,
)

# The rule is too fast for the eye: seconds to wait after an update, and after all at most.
PAUSE, LONGEST = 0.06, 12.0


def draw_training(choice: Choice) -> None:
    """Draw the training, and the line as it moves."""
    if choice.training is None:
        st.info(_(texts.NO_POINTS))
        return
    total = len(choice.updates)
    pause = min(PAUSE, LONGEST / total) if total else 0.0
    draw_live(choice.training, total, partial(_draw_update, choice), pause=lambda _count: pause)


def _draw_update(choice: Choice, so_far: Sequence[Update]) -> None:
    left, right = st.columns([0.58, 0.42], gap="medium", vertical_alignment="center")
    with left:
        lines = [line_now(so_far), *line_before(so_far), *best_line(choice.points)]
        figure = points_figure(choice.points, last_mistake(so_far), lines, height=270)
        alt = _("The points, the perceptron's line, and the line with the largest margin")
        numbers = partial(_columns, so_far) if so_far else None
        show_chart(figure, "perceptron", alt, numbers, file="updates")
    with right:
        st.latex(r"y\,(w \cdot x) \le 0 \;\Rightarrow\; w \leftarrow w + y\,x")
        if so_far:
            st.markdown(_update(so_far))
            st.latex(_sum(so_far[-1]))
        st.markdown(_left(choice, so_far))


def _update(so_far: Sequence[Update]) -> str:
    """Say which point was wrong, and how."""
    update = so_far[-1]
    point = update.point
    where = _(texts.WRONG_SIDE if update.score else texts.ON_LINE)
    numbers = {"x1": short(point.x1), "x2": short(point.x2), "score": short(update.score)}
    numbers |= {"side": side(point.side), "where": where}
    return _(texts.UPDATE).format(n=len(so_far), passes=update.passes + 1, **numbers)


def _sum(update: Update) -> str:
    """Write the update as a sum of columns, in LaTeX."""
    sign = "+" if update.point.side > 0 else "-"
    return (
        rf"\underset{{w}}{{{_column(update.before)}}} {sign}"
        rf" \underset{{x}}{{{_column(update.point.x)}}}"
        rf" = \underset{{w}}{{{_column(update.after)}}}"
    )


def _left(choice: Choice, so_far: Sequence[Update]) -> str:
    """Say how many points are still wrong."""
    if not so_far:
        return _(texts.NOT_YET)
    n = len(so_far)
    left = mistakes(so_far[-1].after, choice.points)
    text = texts.LEFT if left else texts.LEARNED
    if left and n == len(choice.updates):
        text = texts.STOPPED
    return _(text).format(left=left, n=len(choice.points), made=n)


def _columns(so_far: Sequence[Update]) -> Columns:
    return {
        _("update"): [str(n) for n in range(1, len(so_far) + 1)],
        _("pass"): [str(update.passes + 1) for update in so_far],
        "x": [vector(update.point.x) for update in so_far],
        "y": [side(update.point.side) for update in so_far],
        "w·x": [short(update.score) for update in so_far],
        _("w before"): [vector(update.before) for update in so_far],
        _("w after"): [vector(update.after) for update in so_far],
    }


def side(of: int) -> str:
    return "+1" if of > 0 else "−1"


def vector(numbers: Sequence[int]) -> str:
    return f"({', '.join(map(short, numbers))})"


def _column(numbers: Sequence[int]) -> str:
    rows = r" \\ ".join(map(str, numbers))
    return rf"\begin{{pmatrix}}{rows}\end{{pmatrix}}"
