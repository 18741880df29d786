"""Where one vector is too little: the visitor's sentence, many times."""

import html
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.charts.curves import Curve, Look, curves
from app.charts.theme import Role
from app.data.translation import model_names
from app.format import percent
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.table import Columns
from app.views.history.seq2seq import texts
from app.views.history.seq2seq.data import Repeated, repeated
from app.views.history.seq2seq.unrolled import Moment

COPIES: Final = state.Param[int]("copies", 3, state.whole(1, 6))
TRANSFORMER: Final = "es-en"
LOOKS: Final[Mapping[str, tuple[Role, Look]]] = {
    "RNN": ("key", "points"),
    "Transformer": ("value", "dash"),
}


def pick_copies(_moment: Moment) -> None:
    """Draw the choice of how often the sentence is said."""
    tip = _(texts.COPIES_HELP)
    st.slider(_(texts.COPIES), 1, 6, key=COPIES.widget(), help=tip, width=360)


def draw_tried(moment: Moment) -> None:
    """Draw what becomes of the sentence when it is said again and again."""
    runs = _runs(moment)
    st.html(f'<p lang="es" style="overflow-wrap:anywhere">{html.escape(runs["RNN"][-1].text)}</p>')
    for column, (name, run) in zip(st.columns(len(runs), gap="medium"), runs.items(), strict=True):
        with column, st.container(border=True):
            st.markdown(f"**{name}**")
            st.html(
                '<div lang="en" data-testid="repeated" style="overflow-wrap:anywhere;'
                f'font-size:1.1rem">{html.escape(run[-1].output) or "∅"}</div>'
            )


def kept_text(moment: Moment) -> str:
    """Say how many words each model wrote as often as it should."""
    runs = _runs(moment)
    kept = {name.lower(): percent(run[-1].kept) for name, run in runs.items()}
    text = _(texts.KEPT if len(runs) > 1 else texts.KEPT_ALONE)
    return text.format(copies=COPIES.get(), **kept)


def draw_kept(moment: Moment) -> None:
    """Draw the share of words kept by the number of copies."""
    runs = _runs(moment)
    copies = np.arange(1, len(runs["RNN"]) + 1)
    kept = {name: np.array([each.kept for each in run]) for name, run in runs.items()}
    lines = [Curve(name, copies, shares, *LOOKS[name]) for name, shares in kept.items()]
    title = _(texts.KEPT_AXIS)
    figure = curves(lines, _(texts.COPIES), title, span=(0, 1.05))
    show_chart(figure, "copies", title, lambda: _columns(runs))
    st.markdown(_(texts.NEXT))


def _runs(moment: Moment) -> dict[str, tuple[Repeated, ...]]:
    """Return what each model makes of the sentence, said from once to the chosen number."""
    own, copies = moment.walk.translation, COPIES.get()
    runs = {"RNN": repeated(own.model, own.text, copies)}
    if TRANSFORMER in model_names():
        runs["Transformer"] = repeated(TRANSFORMER, own.text, copies)
    return runs


def _columns(runs: Mapping[str, Sequence[Repeated]]) -> Columns:
    numbers = [str(n) for n in range(1, len(runs["RNN"]) + 1)]
    columns: dict[str, list[str | float]] = {_(texts.COPIES): [*numbers]}
    for name, run in runs.items():
        columns[name] = [each.output for each in run]
        columns[f"{name}, {_(texts.KEPT_AXIS)}"] = [each.kept for each in run]
    return columns
