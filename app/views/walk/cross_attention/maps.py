"""Chapter 8, around the six steps: what Q, K, V are made of, where words looked, the bridge."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.charts.bars import row_bars
from app.charts.pairs import pair_bars
from app.charts.toolbar import plot_config
from app.components.board import Grid, Op
from app.data.walk import Walk
from app.format import number, percent
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.equation import equation
from app.inspect.head import Head, read_from
from app.inspect.naming import follows, token_markdown
from app.ui.chart import theme_mode
from app.ui.section import section
from app.ui.table import Columns, table, table_fold
from app.views.walk.cross_attention.data import with_bridge, without_bridge
from app.views.walk.cross_attention.texts import (
    BRIDGE,
    KEYS,
    MAP,
    MOST,
    ONCE,
    OTHERS,
    QUERIES,
    VALUES,
)

MATRICES: Final = state.Param[bool]("w", False, lambda raw: raw == "1")


def made(now: Head) -> None:
    """Draw Q from the decoder, K_encdec and V_encdec from the memory: x × W + b each."""
    capture = now.walk.capture
    sizes = {"targets": len(capture.tgt), "sources": len(capture.src)}
    st.toggle(_("Draw the matrices W, too"), key=MATRICES.widget())
    for text, vector, title in (
        (QUERIES, "q", "Q"), (KEYS, "k", "K_encdec"), (VALUES, "v", "V_encdec"),
    ):  # fmt: skip
        said = _(text).format(**sizes)
        if vector == "q":
            said += f" {read_from(now.walk, now.reader(vector)[0])}"
        st.markdown(said)
        arrays(now.walk, _product(now, vector, title), f"cross-{vector}")
    st.markdown(_(ONCE).format(**sizes))


def whole(now: Head) -> None:
    """Draw all words' weights, and which source word each one looked at most."""
    capture, name = now.walk.capture, f"{now.scope}.weights"
    weights = now.walk.array(name)[now.head]
    most = weights.argmax(-1)
    written = follows(now.walk)
    section(
        _("Where each word looked"),
        _(MAP).format(targets=len(capture.tgt), sources=len(capture.src)),
    )
    arrays(now.walk, [grid(now.walk, name, (now.head, None, None), _("weights"))], "cross-map")
    st.markdown(
        _(MOST).format(
            read=now.word, next=token_markdown(written[now.query]), source=now.words[now.most],
            weight=percent(float(now.weights[now.most])),
        )
    )  # fmt: skip
    title = _("The source word that each word looked at most")
    labels = [f"{new.text} ← {capture.src[at].text}" for new, at in zip(written, most, strict=True)]
    figure = row_bars(
        weights.max(-1), labels, value_title=_("weight"), title=title, highlight=now.query,
        mode=theme_mode(),
    )  # fmt: skip
    st.plotly_chart(figure, theme=None, config=plot_config("most"), key="most", alt=title)
    table_fold("most", lambda: table(_most(now.walk, weights), "most"))
    st.markdown(_(OTHERS))


def bridge(walk: Walk) -> None:
    """Draw what is left of each word's probability when nothing comes over from the source."""
    kept, cut = with_bridge(walk), without_bridge(walk)
    written = follows(walk)
    most = int((kept - cut).argmax())
    section(
        _("Cut the bridge"),
        _(BRIDGE).format(
            most=token_markdown(written[most]),
            before=number(kept[most]),
            after=number(cut[most]),
            mean=number(kept.mean()),
            mean_cut=number(cut.mean()),
        ),
    )
    names = (_("as the model is"), _("without encoder-decoder attention"))
    title = _("Probability of each word of the translation")
    figure = pair_bars(
        ((names[0], "value", kept), (names[1], "key", cut)),
        [token.text for token in written],
        value_title=_("probability"),
        span=(0, 1.12),
        mode=theme_mode(),
    )
    st.markdown(f"**{title}**")
    st.plotly_chart(figure, theme=None, config=plot_config("bridge"), key="bridge", alt=title)
    columns = {
        _("next word"): [f"{i} {token.text}" for i, token in enumerate(written, 1)],
        names[0]: kept.tolist(),
        names[1]: cut.tolist(),
    }
    table_fold("bridge", lambda: table(columns, "bridge"))


def best_row(walk: Walk, weights: np.ndarray) -> int:
    """Return the row that looks most at one word of the sentence, of weights (T, S)."""
    words = [not token.special for token in walk.capture.src]
    return int((weights[:, words] if any(words) else weights).max(-1).argmax())


def _product(head: Head, vector: str, title: str) -> Sequence[Grid | Op]:
    x = _("memory") if head.reader(vector)[0] == "memory" else "X"
    name, at = f"{head.scope}.{vector}", (head.head, None, None)
    return equation(head.walk, name, at, x, title, matrices=MATRICES.get())


def _most(walk: Walk, weights: np.ndarray) -> Columns:
    capture, most = walk.capture, weights.argmax(-1)
    return {
        _("read"): [f"{i} {token.text}" for i, token in enumerate(capture.tgt, 1)],
        _("then written"): [token.text for token in follows(walk)],
        _("looked at most"): [f"{i + 1} {capture.src[i].text}" for i in most],
        _("weight"): weights.max(-1).tolist(),
    }
