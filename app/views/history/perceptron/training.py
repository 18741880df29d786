"""The perceptron at work: each update with its numbers, and the line as it moves."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from app.charts.plane import Dots, Line, plane
from app.format import short
from app.i18n import _
from app.page.live_training import draw_live
from app.ui.chart import show_chart
from app.ui.table import Columns, table, table_fold
from app.views.history.perceptron import texts
from app.views.history.perceptron.choice import Choice
from app.views.history.perceptron.data import Points, Update, bound, mistakes
from app.views.history.perceptron.points import PLACES, SPAN, change_point, pick_points

START = (0, 0, 0)
# The rule is too fast for the eye: seconds to wait after an update, and after all at most.
PAUSE, LONGEST = 0.06, 12.0


def draw_training(choice: Choice) -> None:
    """Draw the choice of points, the rule, and the training that follows it."""
    pick_points()
    st.markdown(_(texts.RULE))
    st.latex(r"w \;\leftarrow\; w + y\,x")
    if choice.training is None:
        st.info(_(texts.NO_POINTS))
        _draw_plane(choice.points, ())
        return
    total = len(choice.updates)
    pause = min(PAUSE, LONGEST / total) if total else 0.0
    draw_live(choice.training, total, partial(_draw, choice), pause=lambda _count: pause)


def _draw(choice: Choice, so_far: Sequence[Update]) -> None:
    left, right = st.columns([0.56, 0.44], gap="medium")
    with left:
        _draw_plane(choice.points, so_far)
    with right:
        _draw_last(choice, so_far)
    if so_far:
        table_fold("updates", lambda: table(_columns(so_far), "updates"))


def _draw_last(choice: Choice, so_far: Sequence[Update]) -> None:
    if not so_far:
        st.markdown(_(texts.NOT_YET))
        return
    update, n = so_far[-1], len(so_far)
    point = update.point
    where = _(texts.WRONG_SIDE if update.score else texts.ON_LINE)
    numbers = {"x1": short(point.x1), "x2": short(point.x2), "score": short(update.score)}
    numbers |= {"side": side(point.side), "where": where}
    st.markdown(_(texts.UPDATE).format(n=n, passes=update.passes + 1, **numbers))
    sign = "+" if point.side > 0 else "-"
    st.latex(
        rf"\underset{{w}}{{{_column(update.before)}}} {sign} \underset{{x}}{{{_column(point.x)}}}"
        rf" = \underset{{w}}{{{_column(update.after)}}}"
    )
    left = mistakes(update.after, choice.points)
    text = texts.LEFT if left else texts.LEARNED
    if left and n == len(choice.updates):
        text = texts.STOPPED
    st.markdown(_(text).format(left=left, n=len(choice.points), made=n))


def _draw_plane(points: Points, so_far: Sequence[Update]) -> None:
    """Draw points and lines; a click changes the points, and with them the training."""
    dots, lines = _dots(points, so_far), _lines(points, so_far)
    figure = plane(
        dots, lines, x_title="x₁", y_title="x₂", across=SPAN, clickable=PLACES, height=430
    )
    alt = _("The points, the perceptron's line, and the line with the widest street")
    event = show_chart(
        figure, "perceptron", alt, version=hash(points), on_select="rerun", selection_mode="points"
    )
    if event.selection.points:
        place = event.selection.points[0]
        change_point(round(place["x"]), round(place["y"]))
        st.rerun()  # the whole page: other points are another training


def _dots(points: Points, so_far: Sequence[Update]) -> list[Dots]:
    kinds = [
        Dots("+1", _places(points, 1), "input", "circle", size=14),
        Dots("−1", _places(points, -1), "key", "square-open", size=14),
    ]
    if not so_far:
        return kinds
    place = np.array([(so_far[-1].point.x1, so_far[-1].point.x2)])
    return [*kinds, Dots(_("last mistake"), place, "residual", "circle-open", (), 26)]


def _places(points: Points, kind: int) -> np.ndarray:
    return np.array([(p.x1, p.x2) for p in points if p.side == kind], float).reshape(-1, 2)


def _lines(points: Points, so_far: Sequence[Update]) -> list[Line]:
    weights = so_far[-1].after if so_far else START
    lines = [Line(_("w·x = 0 now"), weights, "input", filled=bool(so_far))]
    if so_far:
        lines.append(Line(_("before"), so_far[-1].before, "residual", "dot"))
    limit = bound(points)
    if limit is not None and any(abs(limit.best[:2]) > 1e-12):
        w1, w2, w3 = limit.best.tolist()
        lines.append(Line(_("widest street"), (w1, w2, w3), "query", "dash"))
    return lines


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
