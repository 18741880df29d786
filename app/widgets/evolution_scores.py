"""What the three are worth: BLEU by length, as measured once, with their sizes."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from app.charts.pairs import pair_bars
from app.charts.theme import Role, as_mode
from app.charts.toolbar import plot_config
from app.i18n import _
from app.lessons import evolution as lesson
from app.services_evolution import MODELS
from app.services_lengths import OfLength, by_length
from app.widgets.said import grouped
from app.widgets.table import Columns, table, table_fold

ROLES: Final[dict[str, Role]] = dict(zip(MODELS, ("key", "query", "value"), strict=True))


def draw_scores(names: Sequence[str]) -> None:
    """Draw BLEU by the words of the source for the models whose files hold it."""
    scores = _alike({name: by_length(name) for name in names})
    if not scores:
        st.info(_(lesson.NOT_MEASURED))
        return
    rows = next(iter(scores.values()))
    st.markdown(_(lesson.LENGTH).format(n=grouped(sum(row.n for row in rows))))
    groups = [
        _(lesson.WORDS).format(low=row.low, high=row.high, n=grouped(row.n, " ")) for row in rows
    ]
    series = [
        (_(lesson.NAMES[name]), ROLES[name], np.array([row.bleu for row in of]))
        for name, of in scores.items()
    ]
    mode = as_mode(st.context.theme.type)
    figure = pair_bars(series, groups, value_title="BLEU", span=(0, 100), mode=mode)
    st.plotly_chart(
        figure, theme=None, config=plot_config("bleu-by-length"), key="bleu-by-length",
        alt=_(lesson.LENGTH_TITLE),
    )  # fmt: skip
    for name, of in scores.items():
        first, last = f"{of[0].bleu:.1f}", f"{of[-1].bleu:.1f}"
        said = _(lesson.LENGTH_EACH).format(name=_(lesson.NAMES[name]), first=first, last=last)
        st.markdown(f"- {said}")
    st.caption(_(lesson.LENGTH_FEW).format(n=rows[-1].n))
    columns: dict[str, Sequence[str | float]] = {
        _("words"): [f"{row.low}–{row.high}" for row in rows],
        _("sentences"): [str(row.n) for row in rows],
    }
    found: Columns = columns | {name: bleu.tolist() for name, _role, bleu in series}
    table_fold("bleu-by-length", lambda: table(found, "bleu-by-length"))


def _alike(scores: dict[str, tuple[OfLength, ...]]) -> dict[str, tuple[OfLength, ...]]:
    """Leave out models without scores, and those scored in other groups than the first."""
    groups = {name: [(row.low, row.high, row.n) for row in rows] for name, rows in scores.items()}
    first = next(filter(None, groups.values()), [])
    return {name: rows for name, rows in scores.items() if rows and groups[name] == first}
