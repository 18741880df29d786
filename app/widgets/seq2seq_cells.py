"""A plain cell beside the GRU: their formulas, and how long each still knows the first word."""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.charts.theme import as_mode
from app.charts.toolbar import plot_config
from app.i18n import _
from app.lessons import seq2seq as lesson
from app.services_seq2seq import TIMES, remembered
from app.services_walk import Walk
from app.widgets.head import percent
from app.widgets.said import word
from app.widgets.table import table, table_fold

GATED: Final = (
    r"r = \sigma(W_r x + U_r h) \\ z = \sigma(W_z x + U_z h) \\"
    r" n = \tanh(W_n x + r \circ U_n h) \\ h' = (1 - z) \circ n + z \circ h"
)
PLAIN: Final = r"h' = \tanh(W x + U h)"


def cells(walk: Walk) -> None:
    """Draw both formulas, and what is left of the first word while the sentence goes on."""
    st.markdown(_(lesson.CELLS))
    names = (_(lesson.CELL_GRU), _(lesson.CELL_PLAIN))
    for column, name, formula in zip(
        st.columns(2, gap="medium"), names, (GATED, PLAIN), strict=True
    ):
        with column, st.container(border=True, height="stretch"):
            st.markdown(f"**{name}**")
            st.latex(rf"\begin{{gathered}} {formula} \end{{gathered}}")
    found = remembered(walk)
    st.markdown(_(lesson.CELLS_READ).format(times=TIMES, word=word(walk.capture.src[0])))
    after = np.arange(len(found.gru))
    figure = curves(
        [
            Curve(names[0], after, found.gru, "key", "points"),
            Curve(names[1], after, found.plain, "value", "dash"),
        ],
        step_title=_(lesson.CELLS_AFTER), value_title=_(lesson.CELLS_LEFT), span=(0, 1.05),
        mode=as_mode(st.context.theme.type),
    )  # fmt: skip
    alt = _(lesson.CELLS_TITLE)
    st.plotly_chart(figure, theme=None, config=plot_config("cells"), key="cells", alt=alt)
    st.markdown(
        _(lesson.CELLS_KEPT).format(
            n=after[-1], gru=percent(float(found.gru[-1])), plain=percent(float(found.plain[-1])),
            update=percent(found.update),
        )
    )  # fmt: skip
    st.caption(_(lesson.CELLS_HONEST))
    columns = {
        _(lesson.CELLS_AFTER): [str(n) for n in after],
        names[0]: found.gru.tolist(),
        names[1]: found.plain.tolist(),
    }
    table_fold("cells", lambda: table(columns, "cells"))
