"""How many mistakes the perceptron may make: R, γ and Novikoff's bound."""

import numpy as np
import streamlit as st

from app.format import number, tex
from app.i18n import _
from app.views.history.perceptron import texts
from app.views.history.perceptron.choice import Choice
from app.views.history.perceptron.data import MOST, Bound, Points, bound


def draw_bound(choice: Choice) -> None:
    """Say what the bound is made of, and how many mistakes were made within it."""
    limit = bound(choice.points)
    if limit is None:
        st.info(_(texts.NO_BOUND).format(most=MOST))
        return
    formula = (
        rf"k \le \left(\frac{{R}}{{\gamma}}\right)^2 = \left(\frac{{{number(limit.radius, 4)}}}"
        rf"{{{number(limit.margin, 4)}}}\right)^2 = {number(limit.mistakes, 1)}"
    )
    st.markdown(f"{_(texts.BOUND)} {_(texts.SQUEEZE)}")
    st.latex(tex(formula))
    made = len(choice.updates)
    st.markdown(_(texts.BOUND_HERE).format(made=made, bound=number(limit.mistakes, 1)))


def both_ways(points: Points, limit: Bound) -> tuple[float, float]:
    """Return the margin from below, by its direction, and from above, by its mixture."""
    signed_points = np.array([point.side * np.array(point.x) for point in points], float)
    mixed = limit.mix @ signed_points[list(limit.support)]
    return float((signed_points @ limit.best).min()), float(np.linalg.norm(mixed))
