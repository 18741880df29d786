"""Where one vector is too little: scores by length, and the visitor's sentence, many times."""

import html
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.charts.curves import Curve, Look, curves
from app.charts.pairs import pair_bars
from app.charts.theme import Role
from app.charts.toolbar import plot_config
from app.data.lengths import by_length
from app.data.translation import model_names
from app.data.walk import Walk
from app.format import percent
from app.i18n import _
from app.ui.chart import theme_mode
from app.ui.sentence_box import offer
from app.ui.table import Columns, table, table_fold
from app.views.history.seq2seq import texts
from app.views.history.seq2seq.data import Repeated, repeated

COPIES: Final = state.Param[int]("copies", 3, state.whole(1, 6))
TRANSFORMER: Final = "es-en"


def measured(walk: Walk) -> None:
    """Draw BLEU by length of the RNN and of the Transformer, from their own files."""
    models = [walk.translation.model, TRANSFORMER]
    scores = [by_length(name) if name in model_names() else () for name in models]
    rnn, other = scores
    if not rnn or [(row.low, row.high) for row in rnn] != [(row.low, row.high) for row in other]:
        st.info(_(texts.NOT_MEASURED))
        return
    st.markdown(
        _(texts.MEASURED).format(
            n=sum(row.n for row in rnn), rnn_first=f"{rnn[0].bleu:.1f}",
            rnn_last=f"{rnn[-1].bleu:.1f}", first=f"{other[0].bleu:.1f}",
            last=f"{other[-1].bleu:.1f}",
        )
    )  # fmt: skip
    labels = [_(texts.WORDS).format(low=row.low, high=row.high) for row in rnn]
    bleu = [np.array([row.bleu for row in rows]) for rows in scores]
    figure = pair_bars(
        (("RNN", "key", bleu[0]), ("Transformer", "value", bleu[1])), labels,
        value_title="BLEU", span=(0, 100), mode=theme_mode(),
    )  # fmt: skip
    title = _(texts.FAIL_TITLE)
    st.plotly_chart(figure, theme=None, config=plot_config("lengths"), key="lengths", alt=title)
    found = {
        _("length"): labels, _("sentences"): [str(row.n) for row in rnn],
        "RNN": bleu[0].tolist(), "Transformer": bleu[1].tolist(),
    }  # fmt: skip
    table_fold("lengths", lambda: table(found, "lengths"))


def tried(walk: Walk) -> None:
    """Draw what becomes of the sentence when it is said again and again."""
    st.markdown(_(texts.TRY))
    st.slider(_(texts.COPIES), 1, 6, key=COPIES.widget(), help=_(texts.COPIES_HELP))
    copies = COPIES.get()
    named = {"RNN": walk.translation.model, "Transformer": TRANSFORMER}
    made = {
        name: repeated(model, walk.translation.text, copies)
        for name, model in named.items()
        if model in model_names()
    }
    st.html(f'<p lang="es" style="overflow-wrap:anywhere">{html.escape(made["RNN"][-1].text)}</p>')
    for column, (name, each) in zip(st.columns(len(made), gap="medium"), made.items(), strict=True):
        with column, st.container(border=True):
            _card(name, each[-1])
    kept = {name.lower(): percent(each[-1].kept) for name, each in made.items()}
    said = texts.KEPT if len(made) == len(named) else texts.KEPT_ALONE
    st.markdown(_(said).format(copies=copies, **kept))
    if copies > 1:
        _chart(made)
    st.markdown(_(texts.LONGER))
    offer(texts.LONGER_SENTENCES, "longer")


def _card(name: str, made: Repeated) -> None:
    st.markdown(f"**{name}**")
    st.html(
        '<div lang="en" data-testid="repeated" style="overflow-wrap:anywhere;font-size:1.1rem">'
        f"{html.escape(made.output) or '∅'}</div>"
    )


def _chart(made: Mapping[str, Sequence[Repeated]]) -> None:
    looks: dict[str, tuple[Role, Look]] = {
        "RNN": ("key", "points"),
        "Transformer": ("value", "dash"),
    }
    drawn = [
        Curve(name, np.arange(1, len(each) + 1), np.array([one.kept for one in each]), *looks[name])
        for name, each in made.items()
    ]
    figure = curves(
        drawn, step_title=_(texts.COPIES), value_title=_(texts.KEPT_AXIS), span=(0, 1.05),
        mode=theme_mode(),
    )  # fmt: skip
    alt = _(texts.KEPT_AXIS)
    st.plotly_chart(figure, theme=None, config=plot_config("copies"), key="kept", alt=alt)
    table_fold("copies", lambda: table(_columns(made), "copies"))


def _columns(made: Mapping[str, Sequence[Repeated]]) -> Columns:
    found: dict[str, list[str | float]] = {
        _(texts.COPIES): [str(n) for n in range(1, len(made["RNN"]) + 1)]
    }
    for name, each in made.items():
        found[name] = [one.output for one in each]
        found[f"{name}, {_(texts.KEPT_AXIS)}"] = [one.kept for one in each]
    return found
