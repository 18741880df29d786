"""Attention of all tokens at once: X × W = Q, K, V, and softmax(Q Kᵀ / √d_k) V = Z."""

from typing import Final

import numpy as np

from app import state
from app.components.board import Grid, Op
from app.i18n import N_, _
from app.inspector.arrays import arrays, grid
from app.inspector.equation import LOW, equation
from app.inspector.head import Head, read_from
from app.ui.pickers import pick
from app.views.walk.self_attention import texts

MATRIX: Final = state.Param[str]("matrix", "q", state.one_of("q", "k", "v"))
MATRIX_NAMES: Final = {"q": N_("queries Q"), "k": N_("keys K"), "v": N_("values V")}


def matrices_text(head: Head) -> str:
    """Say how large the matrices are, and what X is."""
    d_model = head.walk.config.d_model
    sizes = _(texts.MATRIX).format(n=len(head.words), d_k=head.d_k, d_model=d_model)
    return f"{sizes} {read_from(head.walk, _x(head))}"


def draw_matrices(head: Head) -> None:
    """Draw X × W + b for the one of Q, K and V that is chosen."""
    walk, vector = head.walk, MATRIX.get()
    pick(MATRIX, _("Make all"), MATRIX_NAMES, label_visibility="collapsed")
    name, every = f"{head.scope}.{vector}", (head.head, None, None)
    x = grid(walk, _x(head), (None, None), "X", thumb=True, height=LOW)
    product = equation(walk, name, every, x, vector.upper(), thumb=True)
    arrays(walk, product, key=f"{head.key}-matrix-1")


def z_text(head: Head) -> str:
    """Say what the products do, and where the numbers of the token that looks stand."""
    row, word = head.query + 1, head.word
    return _(texts.MATRIX_SUM).format(n=len(head.words), row=row, word=word)


def draw_z(head: Head) -> None:
    """Draw every query with every key, then the softmax of their scores, V and Z."""
    walk, every = head.walk, (head.head, None, None)
    reach = float(np.abs(walk.array(f"{head.scope}.v")[head.head]).max())
    look = {"reach": reach, "row_labels": (), "thumb": True}
    items: list[Grid | Op] = [
        grid(walk, f"{head.scope}.q", every, "Q", thumb=True),
        Op("×"),
        grid(walk, f"{head.scope}.k", every, "Kᵀ", transposed=True, thumb=True, col_labels=()),
        Op("÷ √d_k ="),
        grid(walk, f"{head.scope}.scaled", every, "Q Kᵀ ÷ √d_k", row_labels=()),
        Op("softmax →"),
        grid(walk, f"{head.scope}.weights", every, _("weights"), row_labels=()),
        Op("×"),
        grid(walk, f"{head.scope}.v", every, "V", **look),
        Op("="),
        grid(walk, f"{head.scope}.context", every, "Z", **look),
    ]
    arrays(walk, items, key=f"{head.key}-matrix-2")


def _x(head: Head) -> str:
    return head.walk.inputs(f"{head.scope}.{MATRIX.get()}")[0]
