"""The start page: what this is, your sentence translated, three ways in, and where you left off."""

import streamlit as st

from app.components.grid import Weights
from app.components.lines import lines
from app.components.progress import progress
from app.components.steps import TOUR
from app.data.atlas import first_head
from app.data.translation import Translation, translate
from app.format import escape
from app.i18n import _
from app.inspector.attention import row_text
from app.inspector.naming import row_names
from app.page import errors, moves, tour
from app.registry import HISTORY, VIEWS, WALK, Address, view_of
from app.ui.chosen import decoding
from app.ui.error_box import error_box
from app.ui.live_part import FAILED
from app.ui.sentence_box import sentence_line
from app.views.start import texts


def draw() -> None:
    """Draw the page."""
    st.title(_("Look inside a Transformer while it translates"))
    says = _(
        "A real encoder-decoder Transformer, small enough to run on your computer, "
        "translates the sentence you type. You see every number it computes on the way, "
        "and you can check each one on the page: nothing is made up."
    )
    st.markdown(says)
    left, right = st.columns([0.56, 0.44], gap="large")
    with right:
        _draw_ways()
    model = errors.model()
    if model is None:
        return
    with left:
        text = sentence_line(model)
        nothing = _("There is nothing to show yet: type a sentence or choose an example.")
        with error_box(nothing, _(FAILED)):
            translation = translate(model, text, decoding())
            _draw_translation(translation)
            _draw_refreshers(translation.capture.config.d_model)


def _draw_translation(translation: Translation) -> None:
    st.markdown(f"### {escape(translation.output) or '∅'}")
    capture = translation.capture
    if not capture.n_layers("cross"):
        st.caption(_("This model has no attention: it keeps the whole sentence in one vector."))
        return
    layer, head = place = first_head(translation.model, "cross")
    rows, read = (
        [t.text for t in side.tokens] for side in (translation.target, translation.source)
    )
    weights = Weights(capture.weights("cross", layer, head), row_names(rows), read)
    lines(weights, key="picture", plays=True)
    says = _(
        "Where layer {layer}, head {head} looked, moment by moment. “after … → …”: it has "
        "just read the first token, looks at the source, and then writes the second."
    )
    told = [
        says.format(layer=layer + 1, head=head + 1),
        row_text(translation.model, "cross", place),
    ]
    st.caption(" ".join(filter(None, told)))


def _draw_ways() -> None:
    for way in texts.WAYS:
        key = f"way-{way.page}"
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=key):
            time = f" · :gray[{_time()}]" if way.page == TOUR else ""
            st.markdown(f"**{_(way.title)}**{time}  \n{_(way.text)}")
            if st.button(_(way.button), icon=way.icon, key=f"enter-{way.page}"):
                _open(Address(way.page))
    chapters = [view for view in VIEWS if view.section in (WALK, HISTORY)]
    if (spot := progress(chapters, key="progress")) is not None:
        _open(spot)


def _time() -> str:
    n = len(tour.STOPS)
    return _("{n} screens, about {minutes} minutes").format(
        n=n, minutes=texts.minutes(texts.WORDS_OF_TOUR, n)
    )


def _open(spot: Address) -> None:
    """Open a screen of a page, or of the tour."""
    touring = spot.page == TOUR
    page, screen = tour.named(spot.screen) if touring else spot
    moves.TOUR.set(touring)
    moves.arrive_at(screen)
    st.switch_page(view_of(page).path)


def _draw_refreshers(d_model: int) -> None:
    says = _("Three things to know first")
    st.markdown(f"**{says}**")
    for column, (title, text) in zip(st.columns(3, gap="small"), texts.REFRESHERS, strict=True):
        column.markdown(f":small[**{_(title)}** {_(text).format(d_model=d_model)}]")


draw()
