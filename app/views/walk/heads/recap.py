"""Multi-head attention on one page, in the slides' five numbered steps."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.charts.toolbar import plot_config
from app.data.attention import input_of
from app.format import maths
from app.i18n import _
from app.inspect.head import Head, read_from
from app.ui.chart import theme_mode
from app.ui.table import Columns, table, table_fold
from app.views.walk.heads import texts
from app.views.walk.heads.output import subscript
from app.views.walk.heads.recap_chart import Recap, recap_figure

NAME = "heads-recap"


def recap(now: Head) -> None:
    """Draw the five steps of the layer for the whole sentence, and say what each does."""
    heads, x = now.walk.config.n_heads, input_of(now.walk, f"{now.scope}.q")
    made = _made(now, x)
    steps = [_("words"), "X", "Q K V", "softmax, Z", _("output")]
    st.plotly_chart(
        recap_figure(made, steps, chosen=now.head, mode=theme_mode()),
        theme=None, config=plot_config(NAME), key=NAME, alt=_(texts.RECAP_TITLE),
    )  # fmt: skip
    places = {"heads": heads, "last": subscript(heads)}
    below = texts.RECAP_LATER if now.layer else texts.RECAP_FIRST
    said = [_(text).format(**places) for text in texts.RECAP]
    said[1] += f" {_(below)} {read_from(now.walk, x)}"
    st.markdown("\n".join(f"{n}. {maths(text)}" for n, text in enumerate(said, start=1)))
    st.markdown(_(texts.RECAP_NEXT).format(head=now.head + 1))
    table_fold(NAME, lambda: _tables(made))


def _made(now: Head, x: str) -> Recap:
    def stage(name: str) -> np.ndarray:
        return np.asarray(now.walk.array(f"{now.scope}.{name}"))

    return Recap(
        words=[token.text for token in now.walk.capture.src],
        x=np.asarray(now.walk.array(x)),
        q=stage("q"), k=stage("k"), v=stage("v"), weights=stage("weights"), z=stage("context"),
        concat=stage("concat"), out=stage("out"),
    )  # fmt: skip


def _tables(made: Recap) -> None:
    table(_columns("X", made.x, made.words), f"{NAME}-x")
    table(_columns(f"Z₁ … Z{subscript(len(made.z))}", made.concat, made.words), f"{NAME}-z")
    table(_columns(_("output"), made.out, made.words), f"{NAME}-output")


def _columns(title: str, values: np.ndarray, words: Sequence[str]) -> Columns:
    """Return (T, D) as one column a word; the words are numbered, to tell twins apart."""
    columns: dict[str, list[str | float]] = {title: [f"[{i}]" for i in range(values.shape[1])]}
    for i, word in enumerate(words):
        columns[f"{i + 1} {word}"] = values[i].astype(float).tolist()
    return columns
