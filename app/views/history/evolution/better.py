"""The three advantages over recurrent networks, each with a number of these three models."""

import streamlit as st

from app.data.attention import favourites
from app.data.lengths import OfLength, by_length
from app.format import number, percent
from app.i18n import _
from app.views.history.evolution import texts
from app.views.history.evolution.choice import Choice
from app.views.history.evolution.data import RECURRENT, SEARCH, TRANSFORMER
from app.views.history.evolution.speed import waiting


def draw_better(choice: Choice) -> None:
    """Draw the three, side by side."""
    scores = scores_of(choice)
    rnn, transformer = waiting(choice)
    far, says = texts.NO_NUMBER, _(texts.NOT_MEASURED)
    if both := scores.get(RECURRENT) and scores.get(TRANSFORMER):
        first, last = scores[RECURRENT][-1], both[-1]
        far = f"{number(first.bleu, 1)} → {number(last.bleu, 1)}"
        says = _(texts.FAR_SAYS).format(low=last.low, high=last.high)
    cards = (
        (_(texts.FAST), f"{rnn} → {transformer}", _(texts.FAST_SAYS)),
        (_(texts.FOCUS), _focus(choice), _(texts.FOCUS_SAYS)),
        (_(texts.FAR), far, says),
    )
    for column, (title, value, what) in zip(st.columns(3, gap="small"), cards, strict=True):
        with column, st.container(border=True, height="stretch"):
            st.markdown(f"{title}\n\n#### {value}\n\n{what}")
    if both:
        kept = {"rnn": _kept(scores[RECURRENT]), "transformer": _kept(both)}
        st.markdown(_(texts.FAR_KEPT).format(**kept))


def scores_of(choice: Choice) -> dict[str, tuple[OfLength, ...]]:
    """Return the scores by length of the models that have them, in the same groups."""
    scores = {name: by_length(name) for name in choice.translations}
    groups = [[(row.low, row.high) for row in rows] for rows in scores.values() if rows]
    if any(group != groups[0] for group in groups):
        return {}
    return {name: rows for name, rows in scores.items() if rows}


def _focus(choice: Choice) -> str:
    name = next((name for name in (TRANSFORMER, SEARCH) if name in choice.translations), None)
    if name is None:
        return texts.NO_NUMBER
    return percent(float(favourites(choice.translations[name].capture).max()))


def _kept(rows: tuple[OfLength, ...]) -> str:
    return percent(rows[-1].bleu / rows[0].bleu) if rows[0].bleu else texts.NO_NUMBER
