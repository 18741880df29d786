"""The heads joined: their z side by side, times W_O, and what each of them adds to that."""

import numpy as np

from app.charts.pairs import Series, pair_bars
from app.components.board import Grid, Op
from app.format import number
from app.i18n import _
from app.inspector.arrays import arrays, grid
from app.inspector.equation import BLOCK, equation
from app.inspector.head import Head
from app.inspector.naming import head_names
from app.ui.chart import show_chart
from app.views.walk.heads import texts

MOST_HIGH = 230  # pixels of the chart, so that its step fits a laptop's screen
SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def subscript(n: int) -> str:
    """Write a whole number as an index."""
    return str(n).translate(SUBSCRIPT)


def out_text(head: Head) -> str:
    """Say how many numbers all heads' z have together, and what W_O does to them."""
    d_model, heads = head.walk.config.d_model, head.walk.config.n_heads
    sizes = {"d_k": head.d_k, "heads": heads, "d_model": d_model}
    joined = _(texts.JOIN).format(word=head.word, last=subscript(heads), **sizes)
    return f"{joined} {_(texts.JOIN_OUT)}"


def draw_out(head: Head) -> None:
    """Draw each head's z for the token, all of them side by side, and their product with W_O."""
    walk, at = head.walk, (head.query, None)
    reach, title = _reach(head), _("side by side")
    names = [f"Z{subscript(h + 1)}" for h in range(walk.config.n_heads)]
    look = {"reach": reach, "row_labels": names}
    z = grid(walk, f"{head.scope}.context", (None, *at), head.title("z"), thumb=True, **look)
    side = grid(walk, f"{head.scope}.concat", at, title, reach=reach, fold=BLOCK)
    product = equation(walk, f"{head.scope}.out", at, side, _("output"), thumb=True)
    arrays(walk, [z, Op(_("in a row =")), *product], key="heads-output")


def parts_text(head: Head) -> str:
    """Say how the product with W_O comes apart."""
    return _(texts.PARTS).format(d_k=head.d_k, heads=head.walk.config.n_heads)


def draw_parts(head: Head) -> None:
    """Draw the vector that each head adds to the output."""
    walk, scope = head.walk, head.scope
    vectors = _vectors(head)
    reach = float(max(np.abs(vectors).max(), np.abs(walk.array(f"{scope}.out")[head.query]).max()))
    names, at = head_names(len(vectors) - 1), (head.query, None)
    look = {"reach": reach, "fold": BLOCK}
    by = _("z × its rows of W_O")
    items: list[Grid | Op] = [
        grid(walk, f"{scope}.part", (None, *at), by, reach=reach, row_labels=names, thumb=True),
        Op(_("Σ of the rows +")),
        grid(walk, f"param:{scope}.b_O", (None,), "b_O", **look),
        Op("="),
        grid(walk, f"{scope}.out", at, _("output"), **look),
    ]
    arrays(walk, items, key="heads-parts")


def sizes_text(head: Head) -> str:
    """Say which head adds the longest vector, and what all of them make."""
    vectors = _vectors(head)
    lengths = np.linalg.norm(vectors[:-1], axis=1)
    most, least = int(lengths.argmax()), int(lengths.argmin())
    return _(texts.PARTS_ONE if len(lengths) == 1 else texts.PARTS_SIZE).format(
        word=head.word,
        most=most + 1,
        most_size=number(lengths[most]),
        least=least + 1,
        least_size=number(lengths[least]),
        total=number(float(np.linalg.norm(vectors.sum(0)))),
    )


def draw_sizes(head: Head) -> None:
    """Draw how long the vectors are that the heads add, and how much of each counts."""
    vectors = _vectors(head)
    output = vectors.sum(0)
    lengths, along = np.linalg.norm(vectors, axis=1), vectors @ output / np.linalg.norm(output)
    names = [*head_names(len(vectors) - 1), "b_O"]
    pairs: list[Series] = [
        (_(texts.LENGTH), "residual", lengths),
        (_(texts.ALONG), "output", along),
    ]
    figure = pair_bars(pairs, names, value_title=_("length"))
    figure["layout"]["height"] = min(figure["layout"]["height"], MOST_HIGH)
    sizes = {name: values.tolist() for name, _role, values in pairs}
    show_chart(figure, "heads-sizes", _(texts.PARTS_TITLE), lambda: {_("Head"): names} | sizes)


def _vectors(head: Head) -> np.ndarray:
    """Return what each head adds to the token's output, and the bias, (H + 1, D)."""
    parts = head.walk.array(f"{head.scope}.part", (None, head.query))  # (H, D)
    return np.vstack([parts, head.walk.array(f"param:{head.scope}.b_O")])


def _reach(head: Head) -> float:
    return float(np.abs(head.walk.array(f"{head.scope}.concat", (head.query, None))).max())
