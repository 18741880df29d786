"""What the rows of the table have come to mean: neighbours by their angle."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.charts.similarity import similarity_bars
from app.data.walk import Walk
from app.format import escape, grouped, number
from app.i18n import _
from app.ui.chart import show_chart
from app.views.walk.vectors import texts
from app.views.walk.vectors.data import Neighbour, by_chance, near, words
from app.views.walk.vectors.piece import Piece


def draw_neighbours(piece: Piece) -> None:
    """Draw the words whose rows point most nearly the same way as the chosen token's."""
    walk, token = piece.walk, piece.token
    nearest = near(walk, token.id)
    if not nearest:
        st.info(_(texts.TOO_FEW))
        return
    word, cosine = escape(walk.token(nearest[0].token_id).text), number(nearest[0].similarity, 3)
    result = _(texts.NEAR_RESULT)
    st.markdown(result.format(piece=escape(token.text), nearest=word, value=cosine))
    draw_bars(walk, nearest, "neighbours")
    chance = by_chance(walk)
    line = _(texts.CHANCE).format(chance=number(chance), words=grouped(len(words(walk))))
    above = sum(one.similarity > chance for one in nearest)
    st.caption(f"{line} {_(texts.ABOVE).format(shown=len(nearest), above=above)}")


def draw_bars(walk: Walk, nearest: Sequence[Neighbour], name: str) -> None:
    """Draw the cosines of the nearest words, with the line that chance would hardly pass."""
    labels = [walk.token(one.token_id).text for one in nearest]
    cosines = np.array([one.similarity for one in nearest])
    figure = similarity_bars(
        cosines, labels, chance=by_chance(walk), chance_title=_("chance"), value_title=_("cosine")
    )
    alt = _("Cosines with the nearest words")
    show_chart(figure, name, alt, lambda: {_("word"): labels, _("cosine"): cosines.tolist()})
