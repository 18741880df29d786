"""The heads joined: their z side by side, times W_O, and what each of them adds to that."""

import numpy as np
import streamlit as st

from app.charts.pairs import Series, pair_bars
from app.components.board import Grid, Op
from app.format import maths, number
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.equation import equation
from app.inspect.head import Head
from app.inspect.naming import head_names
from app.ui.chart import show_chart
from app.views.walk.heads import texts

SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def subscript(n: int) -> str:
    """Write a whole number as an index."""
    return str(n).translate(SUBSCRIPT)


def join_text(head: Head) -> str:
    """Say how many numbers all heads' z have together."""
    d_model, heads = head.walk.config.d_model, head.walk.config.n_heads
    sizes = {"d_k": head.d_k, "heads": heads, "d_model": d_model}
    return _(texts.JOIN).format(word=head.word, last=subscript(heads), **sizes)


def draw_join(head: Head) -> None:
    """Draw each head's z for the word, all of them side by side, and their product with W_O."""
    walk, scope, at = head.walk, head.scope, (head.query, None)
    reach = float(np.abs(walk.array(f"{scope}.concat", at)).max())
    names = [f"Z{subscript(h + 1)}" for h in range(walk.config.n_heads)]
    z = grid(walk, f"{scope}.context", (None, *at), head.title("z"), reach=reach, row_labels=names)
    side = grid(walk, f"{scope}.concat", at, _("side by side"), reach=reach)
    arrays(walk, [z, Op(_("in a row =")), side], key="heads-joined")
    st.markdown(maths(_(texts.JOIN_OUT)))
    arrays(walk, equation(walk, f"{scope}.out", at, side, _("output")), key="heads-output")


def parts_text(head: Head) -> str:
    """Say how the product with W_O comes apart."""
    return _(texts.PARTS).format(d_k=head.d_k, heads=head.walk.config.n_heads)


def draw_parts(head: Head) -> None:
    """Draw the vector that each head adds to the output, and how long it is."""
    walk, scope = head.walk, head.scope
    parts = walk.array(f"{scope}.part", (None, head.query))  # (H, D)
    vectors = np.vstack([parts, walk.array(f"param:{scope}.b_O")])  # (H + 1, D)
    output = walk.array(f"{scope}.out", (head.query,))
    reach = float(max(np.abs(vectors).max(), np.abs(output).max()))
    names, at = head_names(len(parts)), (head.query, None)
    by, title = _("z × its rows of W_O"), head.title(_("output"))
    items: list[Grid | Op] = [
        grid(walk, f"{scope}.part", (None, *at), by, reach=reach, row_labels=names),
        Op(_("Σ of the rows +")),
        grid(walk, f"param:{scope}.b_O", (None,), "b_O", reach=reach),
        Op("="),
        grid(walk, f"{scope}.out", at, title, reach=reach),
    ]
    arrays(walk, items, key="heads-parts")
    _draw_lengths(head, vectors, [*names, "b_O"])
    if len(parts) > 1:
        st.markdown(_(texts.PARTS_ALL))
        every = (None, None)
        lengths = grid(walk, f"{scope}.length", every, _(texts.LENGTH), row_labels=names)
        arrays(walk, [lengths], key="heads-every")


def _draw_lengths(head: Head, vectors: np.ndarray, names: list[str]) -> None:
    output = vectors.sum(0)
    total = float(np.linalg.norm(output))
    lengths, along = np.linalg.norm(vectors, axis=1), vectors @ output / total
    heads = lengths[:-1]
    most, least = int(heads.argmax()), int(heads.argmin())
    text = _(texts.PARTS_ONE if len(heads) == 1 else texts.PARTS_SIZE).format(
        word=head.word,
        most=most + 1,
        most_size=number(heads[most]),
        least=least + 1,
        least_size=number(heads[least]),
        total=number(total),
    )
    st.markdown(text)
    pairs: list[Series] = [
        (_(texts.LENGTH), "residual", lengths),
        (_(texts.ALONG), "output", along),
    ]
    figure = pair_bars(pairs, names, value_title=_("length"))
    sizes = {name: values.tolist() for name, _role, values in pairs}
    show_chart(figure, "heads-sizes", _(texts.PARTS_TITLE), lambda: {_("Head"): names} | sizes)
