"""The points that a perceptron learns from: picked, or placed by the visitor."""

import numpy as np
import streamlit as st

from app.i18n import _
from app.state import Param, one_of, whole
from app.views.history.perceptron import texts
from app.views.history.perceptron.data import POINT_SETS, Point

REACH = 5
SPAN = (-5.6, 5.6)
PLACES = np.array(
    [(a, b) for a in range(-REACH, REACH + 1) for b in range(-REACH, REACH + 1)], float
)

Points = tuple[Point, ...]


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


def put(x1: int, x2: int) -> None:
    """Do at a place what the brush does: put a point there, or take it away."""
    side = int(BRUSH.get())
    others = tuple(point for point in points_of() if (point.x1, point.x2) != (x1, x2))
    _own((*others, Point(x1, x2, side)) if side else others)


def pick_points() -> None:
    """Draw the choice of a set, and the ways to change it."""
    st.markdown(_(texts.POINTS))
    st.segmented_control(
        _("Points"), list(texts.SET_NAMES), format_func=lambda name: _(texts.SET_NAMES[name]),
        required=True, key=SET.widget(), help=_(texts.SET_HELP), wrap=True,
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            _("A click on the plane"), list(texts.BRUSH_NAMES),
            format_func=lambda kind: _(texts.BRUSH_NAMES[kind]), required=True,
            key=BRUSH.widget(), help=_(texts.BRUSH_HELP),
        )  # fmt: skip
        for param, name in ((X1, "x₁"), (X2, "x₂")):
            st.number_input(
                name, -REACH, REACH, step=1, key=param.widget(), help=_(texts.PLACE_HELP),
                width=100,
            )  # fmt: skip
        st.button(
            _("Do it there"), icon=":material/add_location_alt:", key="points-put", on_click=_typed,
            help=_(texts.PLACE_HELP),
        )  # fmt: skip
        st.button(
            _("Clear"), icon=":material/delete_sweep:", key="points-clear", on_click=_own,
            args=((),), help=_(texts.CLEAR_HELP),
        )  # fmt: skip


def _typed() -> None:
    put(X1.get(), X2.get())


def _own(points: Points) -> None:
    OWN.set(write(points))
    SET.set("own")
