"""How many mistakes the perceptron may make: R, γ and Novikoff's bound."""

import numpy as np
import streamlit as st

from app.i18n import _
from app.views.history.perceptron import texts
from app.views.history.perceptron.choice import Choice
from app.views.history.perceptron.data import MOST, Bound, Points, bound


def draw_bound(choice: Choice) -> None:
    """Draw R, γ and the bound with the numbers of these points."""
    points = choice.points
    if not points:
        st.info(_(texts.NO_POINTS))
        return
    limit = bound(points)
    if limit is None:
        st.info(_(texts.NO_BOUND).format(most=MOST))
        return
    st.latex(
        rf"\left(\frac{{R}}{{\gamma}}\right)^2 = \left(\frac{{{limit.radius:.4f}}}"
        rf"{{{limit.margin:.4f}}}\right)^2 = {limit.mistakes:.1f}"
    )
    mistakes = {"made": len(choice.updates), "bound": f"{limit.mistakes:.1f}"}
    st.markdown(_(texts.BOUND_HERE).format(**mistakes))
    below, above = (f"{margin:.9f}" for margin in both_ways(points, limit))
    st.caption(_(texts.BOUND_EXACT).format(below=below, above=above, support=len(limit.support)))


def both_ways(points: Points, limit: Bound) -> tuple[float, float]:
    """Return the margin from below, by its direction, and from above, by its mixture."""
    signed_points = np.array([point.side * np.array(point.x) for point in points], float)
    mixed = limit.mix @ signed_points[list(limit.support)]
    return float((signed_points @ limit.best).min()), float(np.linalg.norm(mixed))
