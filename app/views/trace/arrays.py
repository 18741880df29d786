"""The arrays of a trace: a table of all, and one of them as cells."""

import numpy as np
import streamlit as st

from app.components.board import array_grid, board
from app.i18n import _
from app.ui.table import Columns, table
from app.views.trace import texts
from app.views.trace.data import Trace

MOST_ROWS, MOST_COLS = 64, 256  # of a drawn array


def draw_arrays(trace: Trace) -> None:
    """Draw each array's name, shape and range, and the numbers of a chosen one."""
    names = sorted(trace.arrays)
    listed = [trace.arrays[name] for name in names]
    finite = [array[np.isfinite(array)] for array in listed]
    columns: Columns = {
        _("name"): names,
        _("shape"): [" × ".join(map(str, array.shape)) for array in listed],
        _("smallest"): [float(array.min(initial=np.inf)) for array in finite],
        _("largest"): [float(array.max(initial=-np.inf)) for array in finite],
    }
    table(columns, "trace-arrays")
    name = st.selectbox(_("Array"), names, key="trace-array")
    _draw_array(name, trace.arrays[name])


def _draw_array(name: str, array: np.ndarray) -> None:
    """Draw the last two axes of an array, up to MOST_ROWS and MOST_COLS."""
    matrix = array[(0,) * max(array.ndim - 2, 0)]
    part = matrix[..., :MOST_COLS] if matrix.ndim == 1 else matrix[:MOST_ROWS, :MOST_COLS]
    if part.size < array.size:
        rows, cols = np.atleast_2d(part).shape
        st.caption(_(texts.PART).format(rows=rows, cols=cols))
    # An underscore would make a subscript of what follows it.
    title = name.rpartition(".")[2].replace("_", " ")
    board([array_grid(part, title, mask=np.isfinite(part))], key="trace-board")
