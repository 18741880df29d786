"""The heads joined: their z side by side, times W_O, and what each of them adds to that."""

import numpy as np
import streamlit as st

from app.charts.pairs import pair_bars
from app.charts.toolbar import plot_config
from app.components.board import Op
from app.format import maths, number
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.head import Head
from app.ui.chart import theme_mode
from app.ui.section import section
from app.ui.table import table, table_fold
from app.views.walk.heads import texts
from app.views.walk.heads.look import head_names

SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def subscript(n: int) -> str:
    """Write a whole number as an index."""
    return str(n).translate(SUBSCRIPT)


def heads_joined(now: Head) -> None:
    """Draw each head's z for the word, all of them side by side, and their product with W_O."""
    config, scope = now.walk.config, now.scope
    heads = config.n_heads
    said = _(texts.JOIN).format(
        word=now.word, d_k=now.d_k, heads=heads, d_model=config.d_model, last=subscript(heads)
    )
    section(maths(_(texts.JOIN_TITLE)), maths(said))
    reach = float(np.abs(now.walk.array(f"{scope}.concat")[now.query]).max())
    every = grid(
        now.walk, f"{scope}.context", (None, now.query, None), now.title("z"), reach=reach,
        row_labels=[f"Z{subscript(h + 1)}" for h in range(heads)],
    )  # fmt: skip
    side = grid(now.walk, f"{scope}.concat", (now.query, None), _("side by side"), reach=reach)
    arrays(now.walk, [every, Op(_("in a row =")), side], key="heads-joined")
    st.markdown(maths(_(texts.JOIN_OUT)))
    arrays(
        now.walk,
        [
            side,
            Op("×"),
            grid(now.walk, f"param:{scope}.W_O", (None, None), "W_O"),
            Op("+"),
            grid(now.walk, f"param:{scope}.b_O", (None,), "b_O"),
            Op("="),
            grid(now.walk, f"{scope}.out", (now.query, None), now.title(_("output"))),
        ],
        key="heads-output",
    )


def heads_parts(now: Head) -> None:
    """Draw the vector that each head adds to the output, and how long it is."""
    parts = now.walk.array(f"{now.scope}.part")  # (H, T, D)
    bias = now.walk.array(f"param:{now.scope}.b_O")  # (D,)
    rows = np.vstack([parts[:, now.query], bias])  # (H + 1, D)
    names = [*head_names(len(parts)), "b_O"]
    said = _(texts.PARTS).format(d_k=now.d_k, heads=len(parts))
    section(_(texts.PARTS_TITLE), maths(said))
    output = now.walk.array(f"{now.scope}.out")[now.query]
    reach = float(max(np.abs(rows).max(), np.abs(output).max()))
    arrays(
        now.walk,
        [
            grid(
                now.walk, f"{now.scope}.part", (None, now.query, None), _("z × its rows of W_O"),
                reach=reach, row_labels=names[:-1],
            ),
            Op(_("Σ of the rows +")),
            grid(now.walk, f"param:{now.scope}.b_O", (None,), "b_O", reach=reach),
            Op("="),
            grid(
                now.walk, f"{now.scope}.out", (now.query, None), now.title(_("output")), reach=reach
            ),
        ],
        key="heads-parts",
    )  # fmt: skip
    _sizes(now, rows, names)
    if len(parts) > 1:
        _every_word(now, names)


def _sizes(now: Head, rows: np.ndarray, names: list[str]) -> None:
    output = rows.sum(0)
    total = float(np.linalg.norm(output))
    lengths, along = np.linalg.norm(rows, axis=1), rows @ output / total
    heads = lengths[:-1]
    most, least = int(heads.argmax()), int(heads.argmin())
    text = texts.PARTS_ONE if len(heads) == 1 else texts.PARTS_SIZE
    st.markdown(
        _(text).format(
            word=now.word, most=most + 1, most_size=number(heads[most]), least=least + 1,
            least_size=number(heads[least]), total=number(total),
        )
    )  # fmt: skip
    st.plotly_chart(
        pair_bars(
            [(_(texts.LENGTH), "residual", lengths), (_(texts.ALONG), "output", along)], names,
            value_title=_("length"), mode=theme_mode(),
        ),
        theme=None, config=plot_config("heads-sizes"), key="heads-sizes", alt=_(texts.PARTS_TITLE),
    )  # fmt: skip
    columns = {
        _("Head"): names, _(texts.LENGTH): lengths.tolist(), _(texts.ALONG): along.tolist()
    }  # fmt: skip
    table_fold("heads-sizes", lambda: table(columns, "heads-sizes"))


def _every_word(now: Head, names: list[str]) -> None:
    st.markdown(_(texts.PARTS_ALL))
    name, every = f"{now.scope}.length", (None, None)
    lengths = grid(now.walk, name, every, _(texts.LENGTH), row_labels=names[:-1])
    arrays(now.walk, [lengths], key="heads-every")
