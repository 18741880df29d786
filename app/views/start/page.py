"""The start page: a sentence's way through the model as a film, and below it everything else."""

from typing import Final

import streamlit as st

from app.components.progress import progress
from app.components.steps import TOUR
from app.data.translation import translate
from app.i18n import N_, _
from app.page import errors, moves, tour
from app.registry import HISTORY, VIEWS, WALK, Address, view_of
from app.stage import draw_stage
from app.ui.buttons import button
from app.ui.chosen import decoding
from app.ui.error_box import error_box
from app.ui.sentence_box import draw_output, headline, sentence_line

# What else the visitor can do, its button, and the page it starts with.
WAYS: Final = (
    (
        N_("Type anything, and see where every head of every layer looks, token by token."),
        N_("Translate"),
        "translate",
        "translate",
    ),
    (
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
    model = errors.model()
    if model is not None:
        text = sentence_line(model)
        with error_box():
            translation = translate(model, text, decoding())
            if errors.is_recurrent(model):
                draw_output(model, headline(translation))
            else:
                draw_stage(translation, key="film", on_open=_enter, film=True)
            _draw_refreshers(translation.capture.config.d_model)
    _draw_ways()


def _draw_refreshers(d_model: int) -> None:
    with st.expander(_("Three things to know first")):
        for column, (title, text) in zip(st.columns(3, gap="small"), REFRESHERS, strict=True):
            column.markdown(f":small[**{_(title)}** {_(text).format(d_model=d_model)}]")


def _draw_ways() -> None:
    for column, (text, label, icon, page) in zip(st.columns(2), WAYS, strict=True):
        with column.container(horizontal=True, vertical_alignment="center", key=f"way-{page}"):
            st.markdown(f":small[{_(text)}]")
            if button(_(label), f"enter-{page}", icon):
                _open(Address(page))
    chapters = [view for view in VIEWS if view.section in (WALK, HISTORY)]
    if (spot := progress(chapters, key="progress")) is not None:
        _open(spot)


def _enter(spot: Address) -> None:
    """Open the tour at a stop, in a callback."""
    moves.STOP.set(spot.screen)
    moves.go(Address(spot.page))


def _open(spot: Address) -> None:
    """Open a screen of a page, or of the tour."""
    touring = spot.page == TOUR
    page, screen = tour.named(spot.screen) if touring else spot
    moves.TOUR.set(touring)
    moves.arrive_at(screen)
    st.switch_page(view_of(page).path)


if __name__ == "__main__":
    draw()
