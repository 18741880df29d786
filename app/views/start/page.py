"""The start page: what this is, your sentence translated, three ways in, and where you left off."""

from typing import Final

import streamlit as st

from app.components.grid import Weights
from app.components.lines import lines
from app.components.progress import progress
from app.components.steps import TOUR
from app.data.atlas import first_head
from app.data.translation import Translation, translate
from app.format import row_names
from app.i18n import N_, _
from app.inspector.attention import row_text
from app.page import errors, moves, tour
from app.registry import HISTORY, VIEWS, WALK, Address, view_of
from app.ui.buttons import button
from app.ui.chosen import decoding
from app.ui.error_box import error_box
from app.ui.sentence_box import draw_output, headline, sentence_line

WORDS_A_MINUTE: Final = 200  # of explanations: slower than a novel
SECONDS_A_PICTURE: Final = 25  # to look at it, and to click once
# Counted on the drawn screens of the tour, in English, by tests/app/page/test_tour.py.
WORDS_OF_TOUR: Final = 2880
# What the visitor does there, its button, and the page it starts with.
WAYS: Final = (
    (
        N_("Translate and look"),
        N_("Type anything, and see where every head of every layer looks, token by token."),
        N_("Translate"),
        "translate",
        "translate",
    ),
    (
        N_("Take the short tour"),
        N_(
            "From your words to vectors, through attention, to the next token: the whole "
            "Transformer told once, with the numbers of your own sentence. Most screens link "
            "to pages that go deeper."
        ),
        N_("Start the tour"),
        "directions_walk",
        TOUR,
    ),
    (
        N_("Train your own"),
        N_("Watch attention form before your eyes in a model that learns to reverse letters."),
        N_("Train"),
        "model_training",
        "training",
    ),
)
REFRESHERS: Final = (
    (
        N_("A vector"),
        N_(
            "is a list of numbers, such as (2, 1). The model writes each token as one: {d_model} "
            "numbers here. Tokens used in similar ways point in similar directions."
        ),
    ),
    (
        N_("The dot product"),
        N_(
            "multiplies two vectors number by number and adds up: (2, 1) · (3, 4) = 2·3 + 1·4 = "
            "10. It is large when both point the same way."
        ),
    ),
    (
        N_("Softmax"),
        N_(
            "turns any numbers into shares that add up to 1: (2, 1, 0) becomes (0.67, 0.24, 0.09). "
            "The largest gets the most, and none gets 0."
        ),
    ),
)


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
        with error_box():
            translation = translate(model, text, decoding())
            _draw_translation(translation)
            says, d_model = _("Three things to know first"), translation.capture.config.d_model
            st.markdown(f"**{says}**")
            for column, (title, text) in zip(st.columns(3, gap="small"), REFRESHERS, strict=True):
                column.markdown(f":small[**{_(title)}** {_(text).format(d_model=d_model)}]")


def _draw_translation(translation: Translation) -> None:
    draw_output(translation.model, headline(translation))
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
    n = len(tour.STOPS)
    time = _("{n} screens, about {minutes} minutes").format(n=n, minutes=minutes(WORDS_OF_TOUR, n))
    for title, text, label, icon, page in WAYS:
        key = f"way-{page}"
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=key):
            takes = f" · :gray[{time}]" if page == TOUR else ""
            st.markdown(f"**{_(title)}**{takes}  \n{_(text)}")
            if button(_(label), f"enter-{page}", icon):
                _open(Address(page))
    chapters = [view for view in VIEWS if view.section in (WALK, HISTORY)]
    if (spot := progress(chapters, key="progress")) is not None:
        _open(spot)


def minutes(words: int, screens: int) -> int:
    """Return how many minutes it takes to read a number of screens and their words."""
    return round(words / WORDS_A_MINUTE + screens * SECONDS_A_PICTURE / 60)


def _open(spot: Address) -> None:
    """Open a screen of a page, or of the tour."""
    touring = spot.page == TOUR
    page, screen = tour.named(spot.screen) if touring else spot
    moves.TOUR.set(touring)
    moves.arrive_at(screen)
    st.switch_page(view_of(page).path)


if __name__ == "__main__":
    draw()
