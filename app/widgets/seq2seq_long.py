"""Where one vector is too little: scores by length, and the visitor's sentence, many times."""

import html
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.charts.curves import Curve, Look, curves
from app.charts.pairs import pair_bars
from app.charts.theme import Role, as_mode
from app.charts.toolbar import plot_config
from app.i18n import _
from app.lessons import seq2seq as lesson
from app.services import model_names
from app.services_lengths import by_length
from app.services_seq2seq import Repeated, repeated
from app.services_walk import Walk
from app.widgets.head import percent
from app.widgets.source import offer
from app.widgets.table import Columns, table, table_fold

COPIES: Final = state.Param[int]("copies", 3, state.whole(1, 6))
TRANSFORMER: Final = "es-en"


def measured(walk: Walk) -> None:
    """Draw BLEU by length of the RNN and of the Transformer, from their own files."""
    models = [walk.translation.model, TRANSFORMER]
    scores = [by_length(name) if name in model_names() else () for name in models]
    rnn, other = scores
    if not rnn or [(row.low, row.high) for row in rnn] != [(row.low, row.high) for row in other]:
        st.info(_(lesson.NOT_MEASURED))
        return
    st.markdown(
        _(lesson.MEASURED).format(
            n=sum(row.n for row in rnn), rnn_first=f"{rnn[0].bleu:.1f}",
            rnn_last=f"{rnn[-1].bleu:.1f}", first=f"{other[0].bleu:.1f}",
            last=f"{other[-1].bleu:.1f}",
        )
    )  # fmt: skip
    labels = [_(lesson.WORDS).format(low=row.low, high=row.high) for row in rnn]
    bleu = [np.array([row.bleu for row in rows]) for rows in scores]
    figure = pair_bars(
        (("RNN", "key", bleu[0]), ("Transformer", "value", bleu[1])), labels,
        value_title="BLEU", span=(0, 100), mode=as_mode(st.context.theme.type),
    )  # fmt: skip
    title = _(lesson.FAIL_TITLE)
    st.plotly_chart(figure, theme=None, config=plot_config("lengths"), key="lengths", alt=title)
    found = {
        _("length"): labels, _("sentences"): [str(row.n) for row in rnn],
        "RNN": bleu[0].tolist(), "Transformer": bleu[1].tolist(),
    }  # fmt: skip
    table_fold("lengths", lambda: table(found, "lengths"))


def tried(walk: Walk) -> None:
    """Draw what becomes of the sentence when it is said again and again."""
    st.markdown(_(lesson.TRY))
    st.slider(_(lesson.COPIES), 1, 6, key=COPIES.widget(), help=_(lesson.COPIES_HELP))
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
    said = lesson.KEPT if len(made) == len(named) else lesson.KEPT_ALONE
    st.markdown(_(said).format(copies=copies, **kept))
    if copies > 1:
        _chart(made)
    st.markdown(_(lesson.LONGER))
    offer(lesson.LONGER_SENTENCES, "longer")


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
        drawn, step_title=_(lesson.COPIES), value_title=_(lesson.KEPT_AXIS), span=(0, 1.05),
        mode=as_mode(st.context.theme.type),
    )  # fmt: skip
    alt = _(lesson.KEPT_AXIS)
    st.plotly_chart(figure, theme=None, config=plot_config("copies"), key="kept", alt=alt)
    table_fold("copies", lambda: table(_columns(made), "copies"))


def _columns(made: Mapping[str, Sequence[Repeated]]) -> Columns:
    found: dict[str, list[str | float]] = {
        _(lesson.COPIES): [str(n) for n in range(1, len(made["RNN"]) + 1)]
    }
    for name, each in made.items():
        found[name] = [one.output for one in each]
        found[f"{name}, {_(lesson.KEPT_AXIS)}"] = [one.kept for one in each]
    return found
