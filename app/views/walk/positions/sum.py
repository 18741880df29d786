"""A word's vector and its position's, added."""

import math

import numpy as np
import streamlit as st

from app.components.board import Op
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.views.walk.positions import texts
from app.views.walk.positions.place import Place


def sum_text(place: Place) -> str:
    """Say what is added, and how long both vectors are."""
    index = (place.position, None)
    x, p = (
        np.linalg.norm(place.walk.array(f"{place.side}.{name}", index)) for name in ("embed", "pos")
    )
    return _(texts.SUM).format(
        word=place.word,
        place=place.position,
        root=f"{math.sqrt(place.d_model):.4g}",
        d=place.d_model,
        x=f"{x:.1f}",
        p=f"{p:.1f}",
    )


def draw_sum(place: Place) -> None:
    """Draw x + p for the chosen word, then for the whole sentence."""
    titles = f"x · “{place.text}”", f"p · {place.position}", "x + p"
    _draw(place, (place.position, None), titles, "sum")
    st.markdown(_(texts.ALL).format(place=place.position))
    _draw(place, (None, None), ("X", "P", "X + P"), "sums")


def _draw(
    place: Place, index: tuple[int | None, ...], titles: tuple[str, str, str], key: str
) -> None:
    """Draw embedding + position = sum on one scale, so that their colours can be compared."""
    names = [f"{place.side}.{name}" for name in ("embed", "pos", "sum")]
    reach = max(float(np.abs(place.walk.array(name, index)).max()) for name in names)
    x, p, both = (
        grid(place.walk, name, index, title, reach=reach)
        for name, title in zip(names, titles, strict=True)
    )
    arrays(place.walk, [x, Op("+"), p, Op("="), both], key=key)
