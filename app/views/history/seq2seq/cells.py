"""A plain cell beside the GRU: their formulas, and how long each still knows the first word."""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.charts.toolbar import plot_config
from app.data.walk import Walk
from app.format import percent
from app.i18n import _
from app.inspect.naming import token_markdown
from app.ui.chart import theme_mode
from app.ui.table import table, table_fold
from app.views.history.seq2seq import texts
from app.views.history.seq2seq.data import TIMES, remembered

GATED: Final = (
    r"r = \sigma(W_r x + U_r h) \\ z = \sigma(W_z x + U_z h) \\"
    r" n = \tanh(W_n x + r \circ U_n h) \\ h' = (1 - z) \circ n + z \circ h"
)
PLAIN: Final = r"h' = \tanh(W x + U h)"


def cells(walk: Walk) -> None:
    """Draw both formulas, and what is left of the first word while the sentence goes on."""
    st.markdown(_(texts.CELLS))
    names = (_(texts.CELL_GRU), _(texts.CELL_PLAIN))
    for column, name, formula in zip(
        st.columns(2, gap="medium"), names, (GATED, PLAIN), strict=True
    ):
        with column, st.container(border=True, height="stretch"):
            st.markdown(f"**{name}**")
            st.latex(rf"\begin{{gathered}} {formula} \end{{gathered}}")
    found = remembered(walk)
    st.markdown(_(texts.CELLS_READ).format(times=TIMES, word=token_markdown(walk.capture.src[0])))
    after = np.arange(len(found.gru))
    figure = curves(
        [
            Curve(names[0], after, found.gru, "key", "points"),
            Curve(names[1], after, found.plain, "value", "dash"),
        ],
        step_title=_(texts.CELLS_AFTER), value_title=_(texts.CELLS_LEFT), span=(0, 1.05),
        mode=theme_mode(),
    )  # fmt: skip
    alt = _(texts.CELLS_TITLE)
    st.plotly_chart(figure, theme=None, config=plot_config("cells"), key="cells", alt=alt)
    st.markdown(
        _(texts.CELLS_KEPT).format(
            n=after[-1], gru=percent(float(found.gru[-1])), plain=percent(float(found.plain[-1])),
            update=percent(found.update),
        )
    )  # fmt: skip
    st.caption(_(texts.CELLS_HONEST))
    columns = {
        _(texts.CELLS_AFTER): [str(n) for n in after],
        names[0]: found.gru.tolist(),
        names[1]: found.plain.tolist(),
    }
    table_fold("cells", lambda: table(columns, "cells"))
