"""What the three are worth: BLEU and chrF by length, as measured once on three tests."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.charts.pairs import pair_bars
from app.charts.theme import Role
from app.data.lengths import TESTS, OfLength, Test, by_length, early_tokens, trained_tokens
from app.format import grouped, listed, number
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.pickers import pick
from app.ui.table import Columns
from app.views.history.evolution import texts
from app.views.history.evolution.choice import Choice
from app.views.history.evolution.data import MODELS, TRANSFORMER

EARLY: Final = "early"  # the Transformer, after as many tokens as the other two
ROLES: Final[dict[str, Role]] = dict(
    zip((*MODELS, EARLY), ("key", "query", "value", "residual"), strict=True)
)
TEST: Final = state.Param[Test]("test", "test", state.one_of(*TESTS))
METRIC: Final = state.Param[str]("score", "bleu", state.one_of("bleu", "chrf"))
HIGH: Final = 330  # pixels
METRICS: Final = {"bleu": "BLEU", "chrf": "chrF"}


def draw_scores(choice: Choice) -> None:
    """Draw the scores by the words of the source for the models whose files hold them."""
    measured = {test: _alike(_scores(choice, test)) for test in TESTS}
    offered = {test: texts.TESTS[test] for test in TESTS if measured[test]}
    if not offered:
        st.info(_(texts.NOT_MEASURED))
        return
    test = TEST.get() if TEST.get() in offered else next(iter(offered))
    scores = measured[test]
    both = all(row.chrf is not None for of in scores.values() for row in of)
    metric = METRIC.get() if both else "bleu"
    with st.container(horizontal=True, vertical_alignment="center"):
        pick(TEST, _("Sentences"), offered, value=test, label_visibility="collapsed")
        if both:
            pick(METRIC, _("Score"), METRICS, value=metric, label_visibility="collapsed")
        rows = next(iter(scores.values()))
        st.caption(_(texts.LENGTH_FEW).format(n=rows[-1].n))
    of_each = {name: np.array([getattr(row, metric) for row in of]) for name, of in scores.items()}
    st.markdown(
        f"{_(texts.LENGTH[metric]).format(n=grouped(sum(row.n for row in rows)))} {_ends(of_each)}"
    )
    groups = [
        _(texts.WORDS).format(low=row.low, high=row.high, n=grouped(row.n, " ")) for row in rows
    ]
    series = [(_name(name), ROLES[name], of) for name, of in of_each.items()]
    figure = pair_bars(series, groups, value_title=METRICS[metric], span=(0, 100))
    figure["layout"]["height"] = HIGH
    columns: dict[str, Sequence[str | float]] = {
        _("words"): [f"{row.low}–{row.high}" for row in rows],
        _("sentences"): [str(row.n) for row in rows],
    }
    scored: Columns = columns | {name: of.tolist() for name, _role, of in series}
    show_chart(figure, f"{metric}-by-length", _(texts.LENGTH_TITLE), lambda: scored)
    if EARLY in of_each:
        st.caption(_(texts.LENGTH_EARLY).format(name=_name(EARLY)))


def _scores(choice: Choice, test: Test) -> dict[str, tuple[OfLength, ...]]:
    """Return what each model has on a test, and the Transformer after as many tokens as others."""
    scores = {name: by_length(name, test) for name in choice.translations}
    if TRANSFORMER in scores:
        others = {trained_tokens(name) for name in scores if name != TRANSFORMER}
        if others == {early_tokens(TRANSFORMER)}:
            scores[EARLY] = by_length(TRANSFORMER, test, early=True)
    return scores


def _name(name: str) -> str:
    if name != EARLY:
        return _(texts.NAMES[name])
    millions = number((early_tokens(TRANSFORMER) or 0) / 1e6, 0)
    return _(texts.EARLY).format(millions=millions)


def _ends(of_each: dict[str, np.ndarray]) -> str:
    """Say what each model has on the shortest sentences, and on the longest."""
    each = _(texts.LENGTH_EACH)
    ends = (
        each.format(name=_name(name), first=number(of[0], 1), last=number(of[-1], 1))
        for name, of in of_each.items()
    )
    return f"{_(texts.LENGTH_ENDS)} {listed(ends)}."


def _alike(scores: dict[str, tuple[OfLength, ...]]) -> dict[str, tuple[OfLength, ...]]:
    """Leave out models without scores, and those scored in other groups than the first."""
    groups = {name: [(row.low, row.high, row.n) for row in rows] for name, rows in scores.items()}
    first = next(filter(None, groups.values()), [])
    return {name: rows for name, rows in scores.items() if rows and groups[name] == first}
