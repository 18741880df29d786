"""A word's vector and its position's, added."""

import math

import numpy as np
import streamlit as st

from app.components.board import Op
from app.data.walk import Walk
from app.format import escape, maths
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.side import Side, tokens
from app.ui.section import section
from app.views.walk.positions import texts


def draw_sum(walk: Walk, side: Side, word: int) -> None:
    """Draw x + p for the chosen word, then for the whole sentence."""
    text = tokens(walk, side)[word].text
    x, p = (np.linalg.norm(walk.array(f"{side}.{name}", (word, None))) for name in ("embed", "pos"))
    d = walk.config.d_model
    said = _(texts.SUM).format(
        word=escape(text), place=word, root=f"{math.sqrt(d):.4g}", d=d, x=f"{x:.1f}", p=f"{p:.1f}"
    )
    section(_("A word and its place, added"), maths(said))
    reach = _reach(walk, side, (word, None))
    arrays(
        walk,
        [
            grid(walk, f"{side}.embed", (word, None), f"x · “{text}”", reach=reach),
            Op("+"),
            grid(walk, f"{side}.pos", (word, None), f"p · {word}", reach=reach),
            Op("="),
            grid(walk, f"{side}.sum", (word, None), "x + p", reach=reach),
        ],
        key="sum",
    )
    st.markdown(_(texts.ALL).format(place=word))
    reach = _reach(walk, side, (None, None))
    arrays(
        walk,
        [
            grid(walk, f"{side}.embed", (None, None), "X", reach=reach),
            Op("+"),
            grid(walk, f"{side}.pos", (None, None), "P", reach=reach),
            Op("="),
            grid(walk, f"{side}.sum", (None, None), "X + P", reach=reach),
        ],
        key="sums",
    )


def _reach(walk: Walk, side: Side, index: tuple[int | None, ...]) -> float:
    """Return one scale for what is added and the sum, so that their colours can be compared."""
    parts = (walk.array(f"{side}.{name}", index) for name in ("embed", "pos", "sum"))
    return max(float(np.abs(part).max()) for part in parts)
