"""A plain cell beside the GRU: their formulas, and how long each still knows the first word."""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.format import percent
from app.i18n import _
from app.inspect.naming import token_markdown
from app.ui.chart import show_chart
from app.ui.table import table, table_fold
from app.views.history.seq2seq import texts
from app.views.history.seq2seq.data import TIMES, remembered
from app.views.history.seq2seq.unrolled import Moment

GATED: Final = (
    r"r = \sigma(W_r x + U_r h) \\ z = \sigma(W_z x + U_z h) \\"
    r" n = \tanh(W_n x + r \circ U_n h) \\ h' = (1 - z) \circ n + z \circ h"
)
PLAIN: Final = r"h' = \tanh(W x + U h)"


def draw_cells(moment: Moment) -> None:
    """Draw both formulas, and what is left of the first word while the sentence goes on."""
    names = (_(texts.CELL_GRU), _(texts.CELL_PLAIN))
    columns = st.columns(2, gap="medium")
    for column, name, formula in zip(columns, names, (GATED, PLAIN), strict=True):
        with column, st.container(border=True, height="stretch"):
            st.markdown(f"**{name}**")
            st.latex(rf"\begin{{gathered}} {formula} \end{{gathered}}")
    walk = moment.walk
    memory, first = remembered(walk), token_markdown(walk.capture.src[0])
    st.markdown(_(texts.CELLS_READ).format(times=TIMES, word=first))
    after = np.arange(len(memory.gru))
    lines = [
        Curve(names[0], after, memory.gru, "key", "points"),
        Curve(names[1], after, memory.plain, "value", "dash"),
    ]
    figure = curves(lines, _(texts.CELLS_AFTER), _(texts.CELLS_LEFT), span=(0, 1.05))
    show_chart(figure, "cells", _(texts.CELLS_TITLE))
    left = {"gru": memory.gru[-1], "plain": memory.plain[-1], "update": memory.update}
    shares = {name: percent(float(share)) for name, share in left.items()}
    st.markdown(_(texts.CELLS_KEPT).format(n=after[-1], **shares))
    st.caption(_(texts.CELLS_HONEST))
    kept = {names[0]: memory.gru.tolist(), names[1]: memory.plain.tolist()}
    steps = {_(texts.CELLS_AFTER): [str(n) for n in after]}
    table_fold("cells", lambda: table(steps | kept, "cells"))
