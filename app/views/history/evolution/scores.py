"""What the three are worth: BLEU by length, as measured once, with their sizes."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from app.charts.pairs import pair_bars
from app.charts.theme import Role
from app.data.lengths import OfLength, by_length
from app.format import grouped
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.table import Columns, table, table_fold
from app.views.history.evolution import texts
from app.views.history.evolution.choice import Choice
from app.views.history.evolution.data import MODELS

ROLES: Final[dict[str, Role]] = dict(zip(MODELS, ("key", "query", "value"), strict=True))


def draw_scores(choice: Choice) -> None:
    """Draw BLEU by the words of the source for the models whose files hold it."""
    scores = _alike({name: by_length(name) for name in choice.translations})
    if not scores:
        st.info(_(texts.NOT_MEASURED))
        return
    rows = next(iter(scores.values()))
    st.markdown(_(texts.LENGTH).format(n=grouped(sum(row.n for row in rows))))
    groups = [
        _(texts.WORDS).format(low=row.low, high=row.high, n=grouped(row.n, " ")) for row in rows
    ]
    series = [
        (_(texts.NAMES[name]), ROLES[name], np.array([row.bleu for row in of]))
        for name, of in scores.items()
    ]
    figure = pair_bars(series, groups, value_title="BLEU", span=(0, 100))
    show_chart(figure, "bleu-by-length", _(texts.LENGTH_TITLE))
    for name, of in scores.items():
        first, last = f"{of[0].bleu:.1f}", f"{of[-1].bleu:.1f}"
        text = _(texts.LENGTH_EACH).format(name=_(texts.NAMES[name]), first=first, last=last)
        st.markdown(f"- {text}")
    st.caption(_(texts.LENGTH_FEW).format(n=rows[-1].n))
    columns: dict[str, Sequence[str | float]] = {
        _("words"): [f"{row.low}–{row.high}" for row in rows],
        _("sentences"): [str(row.n) for row in rows],
    }
    scored: Columns = columns | {name: bleu.tolist() for name, _role, bleu in series}
    table_fold("bleu-by-length", lambda: table(scored, "bleu-by-length"))


def _alike(scores: dict[str, tuple[OfLength, ...]]) -> dict[str, tuple[OfLength, ...]]:
    """Leave out models without scores, and those scored in other groups than the first."""
    groups = {name: [(row.low, row.high, row.n) for row in rows] for name, rows in scores.items()}
    first = next(filter(None, groups.values()), [])
    return {name: rows for name, rows in scores.items() if rows and groups[name] == first}
