"""Points of one's own: each click is another training, and its line is there at once."""

import streamlit as st

from app.i18n import _
from app.ui.chart import show_chart
from app.views.history.perceptron import texts
from app.views.history.perceptron.choice import Choice
from app.views.history.perceptron.data import bound
from app.views.history.perceptron.picture import line_now, points_figure
from app.views.history.perceptron.points import PLACES, change_point, pick_places


def draw_own(choice: Choice) -> None:
    """Draw the plane, on which a click changes the points, and the line that is found."""
    pick_places()
    points, found = choice.points, bound(choice.points) is not None
    left, right = st.columns([0.64, 0.36], gap="medium", vertical_alignment="center")
    with left:
        lines = [line_now(choice.updates if found else ())]
        figure = points_figure(points, (), lines, height=310, clickable=PLACES)
        alt = _("The points, and the line that the perceptron finds")
        event = show_chart(
            figure,
            "perceptron-own",
            alt,
            version=hash(points),
            on_select="rerun",
            selection_mode="points",
        )
    with right:
        text = texts.OWN_FOUND if found else texts.OWN_NONE if points else texts.NO_POINTS
        st.markdown(_(text).format(made=len(choice.updates), n=len(points)))
    if event.selection.points:
        place = event.selection.points[0]
        change_point(round(place["x"]), round(place["y"]))
        st.rerun()  # the whole page: other points are another training
