"""The perceptron at work: each update with its numbers, the line as it moves, and its bound."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.charts.plane import Dots, Line, plane
from app.charts.toolbar import plot_config
from app.format import short
from app.i18n import _
from app.page.live_training import draw_live, training
from app.ui.chart import theme_mode
from app.ui.table import Columns, table, table_fold
from app.views.history.perceptron import texts
from app.views.history.perceptron.data import (
    MOST,
    Bound,
    Update,
    Vector,
    begin,
    bound,
    mistakes,
    updates,
)
from app.views.history.perceptron.points import PLACES, SPAN, Points, points_of, put

START: Vector = (0, 0, 0)
# The rule is too fast for the eye: seconds to wait after an update, and after all at most.
PAUSE, LONGEST = 0.06, 12.0


def draw_training() -> None:
    """Draw the rule, and the training that follows it on the points that are chosen."""
    points = points_of()
    st.markdown(_(texts.RULE))
    st.latex(r"w \;\leftarrow\; w + y\,x")
    if not points:
        st.info(_(texts.NO_POINTS))
        _plane(points, ())
        return
    running = training("perceptron", points, lambda: begin(points))
    total = len(updates(points))
    pause = min(PAUSE, LONGEST / total)
    draw_live(running, total, lambda made: _draw(points, made), pause=lambda _count: pause)


def draw_bound() -> None:
    """Draw R, γ and the bound with the numbers of these points."""
    points = points_of()
    st.markdown(_(texts.BOUND))
    if not points:
        st.info(_(texts.NO_POINTS))
        return
    found = bound(points)
    if found is None:
        st.info(_(texts.NO_BOUND).format(most=MOST))
        return
    st.latex(
        rf"\left(\frac{{R}}{{\gamma}}\right)^2 = \left(\frac{{{found.radius:.4f}}}"
        rf"{{{found.margin:.4f}}}\right)^2 = {found.mistakes:.1f}"
    )
    st.markdown(
        _(texts.BOUND_HERE).format(made=len(updates(points)), bound=f"{found.mistakes:.1f}")
    )
    below, above = both_ways(points, found)
    st.caption(
        _(texts.BOUND_EXACT).format(
            below=f"{below:.9f}", above=f"{above:.9f}", support=len(found.support)
        )
    )


def both_ways(points: Points, found: Bound) -> tuple[float, float]:
    """Return the margin from below, by its direction, and from above, by its mixture."""
    signed_points = np.array([point.side * np.array(point.x) for point in points], float)
    mixed = found.mix @ signed_points[list(found.support)]
    return float((signed_points @ found.best).min()), float(np.linalg.norm(mixed))


def _draw(points: Points, made: Sequence[Update]) -> None:
    left, right = st.columns([0.56, 0.44], gap="medium")
    with left:
        _plane(points, made)
    with right:
        _last(points, made)
    if made:
        table_fold("updates", lambda: table(_columns(made), "updates"))


def _last(points: Points, made: Sequence[Update]) -> None:
    """Write the last update out, and how things stand after it."""
    if not made:
        st.markdown(_(texts.NOT_YET))
        return
    update = made[-1]
    point = update.point
    st.markdown(
        _(texts.UPDATE).format(
            n=len(made), passes=update.passes + 1, x1=short(point.x1), x2=short(point.x2),
            side=side(point.side), score=short(update.score),
            where=_(texts.WRONG_SIDE if update.score else texts.ON_LINE),
        )
    )  # fmt: skip
    sign = "+" if point.side > 0 else "-"
    st.latex(
        rf"\underset{{w}}{{{_column(update.before)}}} {sign} \underset{{x}}{{{_column(point.x)}}}"
        rf" = \underset{{w}}{{{_column(update.after)}}}"
    )
    left = mistakes(update.after, points)
    form = texts.LEFT if left else texts.LEARNED
    if left and len(made) == len(updates(points)):
        form = texts.STOPPED
    st.markdown(_(form).format(left=left, n=len(points), made=len(made)))


def _plane(points: Points, made: Sequence[Update]) -> None:
    """Draw points and lines; a click changes the points, and with them the training."""
    figure = plane(
        _dots(points, made), _lines(points, made), across=SPAN, up=SPAN, x_title="x₁", y_title="x₂",
        clickable=PLACES, mode=theme_mode(), height=430,
    )  # fmt: skip
    alt = _("The points, the perceptron's line, and the line with the widest street")
    picked = st.plotly_chart(
        figure, theme=None, config=plot_config("perceptron"), alt=alt, on_select="rerun",
        selection_mode="points", key=f"points-{hash(points)}",
    )  # fmt: skip
    if picked.selection.points:
        chosen = picked.selection.points[0]
        put(round(chosen["x"]), round(chosen["y"]))
        st.rerun()  # the whole page: other points are another training


def _dots(points: Points, made: Sequence[Update]) -> list[Dots]:
    kinds = [
        Dots("+1", _places(points, 1), "input", "circle", size=14),
        Dots("−1", _places(points, -1), "key", "square-open", size=14),
    ]
    if not made:
        return kinds
    last = made[-1].point
    ring = Dots(
        _("last mistake"), np.array([(last.x1, last.x2)]), "residual", "circle-open", (), 26
    )
    return [*kinds, ring]


def _places(points: Points, kind: int) -> np.ndarray:
    return np.array([(p.x1, p.x2) for p in points if p.side == kind], float).reshape(-1, 2)


def _lines(points: Points, made: Sequence[Update]) -> list[Line]:
    weights = made[-1].after if made else START
    lines = [Line(_("w·x = 0 now"), weights, "input", filled=bool(made))]
    if made:
        lines.append(Line(_("before"), made[-1].before, "residual", "dot"))
    found = bound(points) if points else None
    if found is not None and any(abs(found.best[:2]) > 1e-12):
        w1, w2, w3 = found.best.tolist()
        lines.append(Line(_("widest street"), (w1, w2, w3), "query", "dash"))
    return lines


def _columns(made: Sequence[Update]) -> Columns:
    return {
        _("update"): [str(n) for n in range(1, len(made) + 1)],
        _("pass"): [str(update.passes + 1) for update in made],
        "x": [vector(update.point.x) for update in made],
        "y": [side(update.point.side) for update in made],
        "w·x": [short(update.score) for update in made],
        _("w before"): [vector(update.before) for update in made],
        _("w after"): [vector(update.after) for update in made],
    }


def side(of: int) -> str:
    return "+1" if of > 0 else "−1"


def vector(numbers: Vector) -> str:
    return f"({', '.join(map(short, numbers))})"


def _column(numbers: Vector) -> str:
    rows = r" \\ ".join(map(str, numbers))
    return rf"\begin{{pmatrix}}{rows}\end{{pmatrix}}"
