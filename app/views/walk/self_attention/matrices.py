"""Attention of all words at once: X × W = Q, K, V, and softmax(Q Kᵀ / √d_k) V = Z."""

from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.components.board import Op
from app.data.attention import allowed, input_of
from app.format import maths
from app.i18n import N_, _
from app.inspect.arrays import arrays, grid
from app.inspect.head import Head, read_from
from app.ui.section import section
from app.views.walk.self_attention import texts

MATRIX: Final = state.Param[str]("matrix", "q", state.one_of("q", "k", "v"))
MATRIX_NAMES: Final = {"q": N_("queries Q"), "k": N_("keys K"), "v": N_("values V")}


def attention_matrices(now: Head) -> None:
    """Draw one head's whole calculation as matrices."""
    n, d_k, d_model = len(now.words), now.d_k, now.walk.config.d_model
    vector = MATRIX.get()
    x = input_of(now.walk, f"{now.scope}.{vector}")
    said = _(texts.MATRIX).format(n=n, d_k=d_k, d_model=d_model)
    section(_(texts.MATRIX_TITLE), maths(f"{said} {read_from(now.walk, x)}"))
    st.segmented_control(
        _("Make all"), list(MATRIX_NAMES), format_func=lambda made: _(MATRIX_NAMES[made]),
        required=True, key=MATRIX.widget(),
    )  # fmt: skip
    _projection(now, x, vector)
    st.markdown(maths(_(texts.MATRIX_SCORES).format(n=n, row=now.query + 1, word=now.word)))
    _scores(now)
    st.markdown(maths(_(texts.MATRIX_SUM).format(row=now.query + 1, word=now.word)))
    _sum(now)


def _projection(now: Head, x: str, vector: str) -> None:
    big = vector.upper()
    arrays(
        now.walk,
        [
            grid(now.walk, x, (None, None), "X"),
            Op("×"),
            grid(
                now.walk, f"param:{now.scope}.W_{big}", (None, None), f"W_{big}", cols=now.columns
            ),
            Op("+"),
            grid(now.walk, f"param:{now.scope}.b_{big}", (None,), f"b_{big}", cols=now.columns),
            Op("="),
            grid(now.walk, f"{now.scope}.{vector}", (now.head, None, None), big),
        ],
        key=f"{now.key}-matrix-1",
    )


def _scores(now: Head) -> None:
    every = (now.head, None, None)
    arrays(
        now.walk,
        [
            grid(now.walk, f"{now.scope}.q", every, "Q"),
            Op("×"),
            grid(now.walk, f"{now.scope}.k", every, "Kᵀ", transposed=True),
            Op("="),
            grid(now.walk, f"{now.scope}.scores", every, "Q Kᵀ"),
        ],
        key=f"{now.key}-matrix-2",
    )


def _sum(now: Head) -> None:
    every = (now.head, None, None)
    title = _("Q Kᵀ ÷ √d_k, masked") if now.masked else "Q Kᵀ ÷ √d_k"
    mask = allowed(now.walk, now.kind) if now.masked else None
    reach = float(np.abs(now.walk.array(f"{now.scope}.v")[now.head]).max())
    arrays(
        now.walk,
        [
            grid(now.walk, f"{now.scope}.masked", every, title, mask=mask),
            Op("softmax"),
            grid(now.walk, f"{now.scope}.weights", every, _("weights"), mask=mask),
            Op("×"),
            grid(now.walk, f"{now.scope}.v", every, "V", reach=reach),
            Op("="),
            grid(now.walk, f"{now.scope}.context", every, "Z", reach=reach),
        ],
        key=f"{now.key}-matrix-3",
    )
