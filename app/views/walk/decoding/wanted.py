"""A translation that the visitor had hoped for: where the beam lost it, and what would keep it."""

from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.data.steering import WIDEST, Wanted, wanted, width_of
from app.data.translation import Decoding, Translation, translate
from app.format import escape, number, visible
from app.i18n import _
from app.inspector.steering import own_beam
from app.state import LONGEST_SENTENCE, Param, up_to
from app.ui.chart import show_chart
from app.ui.table import Columns
from app.views.walk.decoding import texts
from app.views.walk.decoding.moment import Moment
from app.views.walk.decoding.wanted_chart import fate_lines

WANTED: Final = Param[str | None]("wanted", None, up_to(LONGEST_SENTENCE))
WIDE: Final = 10  # the widest that can be chosen in the sidebar


def wanted_text(moment: Moment) -> str:
    """Say how a translation is followed."""
    return _(texts.WANTED).format(width=own_beam(moment.walk.translation).decoding.beam)


def draw_wanted(moment: Moment) -> None:
    """Draw the field, what became of the translation, and its sums beside those that go on."""
    way = own_beam(moment.walk.translation)
    text = WANTED.get()
    shown = example(way) if text is None else text
    field, button = st.columns([0.64, 0.36], gap="small", vertical_alignment="bottom")
    label, key = _(texts.WANTED_FIELD), WANTED.widget(shown)
    field.text_input(label, key=key, max_chars=LONGEST_SENTENCE, autocomplete="off")
    found = wanted(way, shown)
    if found is None:
        st.info(_(texts.WANTED_NOTHING))
        return
    verdict = f"{what_became(way, found)} {_judgement(way, found)}"
    said = st.empty()
    said.markdown(verdict)
    _draw_sums(found)
    width = width_of(way, shown)  # many searches: what is known is on the page by now
    said.markdown(f"{verdict} {_needed(width)}")
    if width is not None and way.decoding.beam != width <= WIDE:
        with button:
            _draw_widen(width)


def _draw_widen(width: int) -> None:
    label = _(texts.WANTED_TRY).format(w=width)
    if st.button(label, on_click=state.BEAM.set, args=(width,), icon=":material/search:"):
        st.rerun()  # the whole page: its beam is another one


def example(way: Translation) -> str:
    """Return the best translation that only a wider beam writes to its end, or the beam's own."""
    own = {one.text for one in way.hypotheses if one.finished}
    wide = translate(way.model, way.text, Decoding("beam", WIDE))
    return next(
        (one.text for one in wide.hypotheses if one.finished and one.text not in own), way.output
    )


def what_became(way: Translation, found: Wanted) -> str:
    """Say at which step the beam lost it, or that it did not."""
    fate, width = found.fate, way.decoding.beam
    if fate.lost is not None:
        word, place = escape(visible(found.tokens[fate.lost].text)), fate.places[fate.lost]
        return _(texts.WANTED_LOST).format(n=fate.lost + 1, word=word, rank=place.rank, width=width)
    if fate.won:
        return _(texts.WANTED_WON).format(width=width)
    text = texts.WANTED_KEPT if fate.kept else texts.WANTED_STOPPED
    return _(text).format(width=width, n=len(fate.places))


def _judgement(way: Translation, found: Wanted) -> str:
    """Say whether the model or the search prefers the winner."""
    if found.fate.won:
        return ""
    own = way.hypotheses[0].score
    text = texts.WANTED_SEARCH if found.score > own else texts.WANTED_MODEL
    return _(text).format(score=number(found.score, 3), own=number(own, 3))


def _needed(width: int | None) -> str:
    if width is None:
        return _(texts.WANTED_NO_WIDTH).format(widest=WIDEST)
    return _(texts.WANTED_WIDTH).format(w=width)


def _draw_sums(found: Wanted) -> None:
    places = found.fate.places
    own, last = (
        np.array([getattr(place, name) for place in places]) for name in ("log_prob", "last")
    )
    ranks = [place.rank for place in places]
    words = [visible(token.text) for token in found.tokens[: len(places)]]
    names = _(texts.WANTED_LINE), _(texts.WANTED_LAST)
    figure = fate_lines(own, last, ranks, words, found.fate.lost, names, _(texts.WANTED_SUM))

    def columns() -> Columns:
        return {
            _("token"): words,
            _(texts.RANK): [str(rank) for rank in ranks],
            names[0]: own.tolist(),
            names[1]: last.tolist(),
        }

    show_chart(figure, "wanted", _(texts.WANTED_CHART), columns)
