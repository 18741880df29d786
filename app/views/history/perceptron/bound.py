"""How many mistakes the perceptron may make: R, γ and Novikoff's bound."""

import math
from functools import partial

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.format import number, tex
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.table import Columns
from app.views.history.perceptron import texts
from app.views.history.perceptron.choice import Choice
from app.views.history.perceptron.data import MOST, Bound, Points, bound, lengths, separator
from app.views.history.perceptron.training import say_no_points


def bound_text(choice: Choice) -> str:
    """Say what R and γ are, and what the bound is made of."""
    limit, best = bound(choice.points), separator(choice.points)
    text = _(texts.BOUND)
    if limit is None or best is None:
        return text
    sizes = {"margin": number(limit.margin), "plane": number(best.margin)}
    return f"{text} {_(texts.BOUND_PLANE).format(**sizes)}"


def draw_bound(choice: Choice) -> None:
    """Draw how long w gets, between what it must be and what it can be at most."""
    points = choice.points
    limit = bound(points)
    if not points:
        say_no_points()
        return
    if limit is None:
        st.info(_(texts.NO_BOUND).format(most=MOST))
        return
    left, right = st.columns([0.6, 0.4], gap="medium", vertical_alignment="center")
    made = len(choice.updates)
    with left:
        _draw_curves(points, limit)
    with right:
        st.markdown(_(texts.SQUEEZE))
        formula = (
            rf"k \le \left(\frac{{R}}{{\gamma}}\right)^2 = \left(\frac{{{number(limit.radius, 4)}}}"
            rf"{{{number(limit.margin, 4)}}}\right)^2 = {number(limit.mistakes, 1)}"
        )
        st.latex(tex(formula))
        st.markdown(_(texts.BOUND_HERE).format(made=made, bound=number(limit.mistakes, 1)))


def _columns(points: Points, limit: Bound) -> Columns:
    long, forward = lengths(points)
    made = np.arange(len(long))
    return {
        _(texts.MISTAKES): [str(n) for n in made],
        _(texts.AT_LEAST): (limit.margin * made).tolist(),
        _(texts.FORWARD): forward.tolist(),
        _(texts.LENGTH): long.tolist(),
        _(texts.AT_MOST): (limit.radius * np.sqrt(made)).tolist(),
    }


def _draw_curves(points: Points, limit: Bound) -> None:
    last, long = math.ceil(limit.mistakes * 1.05), lengths(points)[0]
    k, made = np.linspace(0, last, 80), np.arange(len(long))
    drawn = [
        Curve(_(texts.AT_MOST), k, limit.radius * np.sqrt(k), "residual"),
        Curve(_(texts.AT_LEAST), k, limit.margin * k, "query", "dash"),
        Curve(_(texts.LENGTH), made, long, "output"),
    ]
    figure = curves(drawn, _(texts.MISTAKES), _(texts.LENGTH), steps=last, height=222)
    alt, numbers = _("How long w gets"), partial(_columns, points, limit)
    show_chart(figure, "perceptron-bound", alt, numbers, caption=_exact(points, limit))


def _exact(points: Points, limit: Bound) -> str:
    """Say what γ is, found from two sides."""
    below, above = (number(margin, 9) for margin in both_ways(points, limit))
    return _(texts.BOUND_EXACT).format(below=below, above=above, support=len(limit.support))


def both_ways(points: Points, limit: Bound) -> tuple[float, float]:
    """Return the margin from below, by its direction, and from above, by its mixture."""
    signed_points = np.array([point.side * np.array(point.x) for point in points], float)
    mixed = limit.mix @ signed_points[list(limit.support)]
    return float((signed_points @ limit.best).min()), float(np.linalg.norm(mixed))
