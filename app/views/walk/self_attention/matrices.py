"""Attention of all words at once: X × W = Q, K, V, and softmax(Q Kᵀ / √d_k) V = Z."""

from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.components.board import Grid, Op
from app.data.attention import allowed
from app.format import maths
from app.i18n import N_, _
from app.inspect.arrays import arrays, grid
from app.inspect.equation import equation
from app.inspect.head import Head, read_from
from app.ui.pickers import pick
from app.views.walk.self_attention import texts

MATRIX: Final = state.Param[str]("matrix", "q", state.one_of("q", "k", "v"))
MATRIX_NAMES: Final = {"q": N_("queries Q"), "k": N_("keys K"), "v": N_("values V")}


def matrices_text(head: Head) -> str:
    """Say how large the matrices are, and what X is."""
    d_model = head.walk.config.d_model
    sizes = _(texts.MATRIX).format(n=len(head.words), d_k=head.d_k, d_model=d_model)
    x = head.walk.inputs(f"{head.scope}.{MATRIX.get()}")[0]
    return f"{sizes} {read_from(head.walk, x)}"


def draw_matrices(head: Head) -> None:
    """Draw one head's whole calculation as matrices."""
    walk, vector, every = head.walk, MATRIX.get(), (head.head, None, None)
    pick(MATRIX, _("Make all"), MATRIX_NAMES)
    product = equation(walk, f"{head.scope}.{vector}", every, "X", vector.upper())
    arrays(walk, product, key=f"{head.key}-matrix-1")
    row, word = head.query + 1, head.word
    st.markdown(maths(_(texts.MATRIX_SCORES).format(n=len(head.words), row=row, word=word)))
    scores: list[Grid | Op] = [
        grid(walk, f"{head.scope}.q", every, "Q"),
        Op("×"),
        grid(walk, f"{head.scope}.k", every, "Kᵀ", transposed=True),
        Op("="),
        grid(walk, f"{head.scope}.scores", every, "Q Kᵀ"),
    ]
    arrays(walk, scores, key=f"{head.key}-matrix-2")
    st.markdown(maths(_(texts.MATRIX_SUM).format(row=row, word=word)))
    _draw_sum(head)


def _draw_sum(head: Head) -> None:
    walk, every = head.walk, (head.head, None, None)
    title = _("Q Kᵀ ÷ √d_k, masked") if head.masked else "Q Kᵀ ÷ √d_k"
    mask = allowed(walk, head.kind) if head.masked else None
    reach = float(np.abs(walk.array(f"{head.scope}.v")[head.head]).max())
    context: list[Grid | Op] = [
        grid(walk, f"{head.scope}.masked", every, title, mask=mask),
        Op("softmax"),
        grid(walk, f"{head.scope}.weights", every, _("weights"), mask=mask),
        Op("×"),
        grid(walk, f"{head.scope}.v", every, "V", reach=reach),
        Op("="),
        grid(walk, f"{head.scope}.context", every, "Z", reach=reach),
    ]
    arrays(walk, context, key=f"{head.key}-matrix-3")
