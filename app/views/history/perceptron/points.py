"""The points that a perceptron learns from: picked, or placed by the visitor."""

from itertools import product

import numpy as np
import streamlit as st

from app.i18n import _
from app.state import Param, one_of, whole
from app.ui.pickers import pick
from app.views.history.perceptron import texts
from app.views.history.perceptron.data import POINT_SETS, Point, Points

REACH = 5
SPAN = (-5.6, 5.6)
PLACES = np.array([*product(range(-REACH, REACH + 1), repeat=2)], float)


def read(raw: str) -> Points:
    """Read points as the URL has them; ValueError for anything else."""
    points = {}
    for part in filter(None, raw.split("_")):
        x1, x2, side = (int(number) for number in part.split("."))
        if max(abs(x1), abs(x2)) > REACH or abs(side) != 1:
            raise ValueError(f"{part} is no point: both places lie from −5 to 5, its kind is ±1.")
        points[x1, x2] = Point(x1, x2, side)
    return tuple(points.values())


def write(points: Points) -> str:
    return "_".join(f"{point.x1}.{point.x2}.{point.side}" for point in points)


SET = Param[str]("pset", "wide", one_of(*POINT_SETS, "own"))
OWN = Param[str]("pts", "", lambda raw: write(read(raw)))
BRUSH = Param[str]("pbrush", "1", one_of(*texts.BRUSH_NAMES))
X1, X2 = Param[int]("px", 0, whole(-REACH, REACH)), Param[int]("py", 0, whole(-REACH, REACH))


def points_of() -> Points:
    """Return the points that are chosen."""
    name = SET.get()
    return read(OWN.get()) if name == "own" else POINT_SETS[name]


def change_point(x1: int, x2: int) -> None:
    """Do at a place what the brush does: put a point there, or take it away."""
    side = int(BRUSH.get())
    others = tuple(point for point in points_of() if (point.x1, point.x2) != (x1, x2))
    _own((*others, Point(x1, x2, side)) if side else others)


def pick_set() -> None:
    """Draw the choice of a set."""
    pick(SET, _("Points"), texts.SET_NAMES, help=_(texts.SET_HELP), wrap=True)


def pick_places() -> None:
    """Draw what a click does, and the same by typing."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pick(BRUSH, _("A click on the plane"), texts.BRUSH_NAMES, help=_(texts.BRUSH_HELP))
        tip = _(texts.PLACE_HELP)
        for param, name in ((X1, "x₁"), (X2, "x₂")):
            key = param.widget()
            st.number_input(name, -REACH, REACH, step=1, key=key, help=tip, width=100)
        label, icon = _("Do it there"), ":material/add_location_alt:"
        st.button(label, "points-put", tip, lambda: change_point(X1.get(), X2.get()), icon=icon)
        label, icon, tip = _("Clear"), ":material/delete_sweep:", _(texts.CLEAR_HELP)
        st.button(label, "points-clear", tip, lambda: _own(()), icon=icon)


def _own(points: Points) -> None:
    OWN.set(write(points))
    SET.set("own")
