"""The sidebar: which model, how it decodes, and the language of the interface."""

from collections.abc import Callable

import streamlit as st

from app import state
from app.data.moments import OF_RUN, examples_of
from app.data.translation import ModelUnavailableError, model_info, model_names
from app.i18n import LANGUAGES, N_, _
from app.page import short_training
from app.texts.examples import EXAMPLES
from app.ui.chosen import METHOD_NAMES, model, model_line, model_name
from app.ui.pickers import pick, pick_from_list, reserve_aside
from app.ui.serving import draw_serving

METHODS = {
    "greedy": N_("Take the likeliest token at each step."),
    "beam": N_("Keep several hypotheses and follow the best ones to their end."),
    "sample": N_("Draw each token at random, with the probability the model gives it."),
}


def draw(own: Callable[[], None], trains: bool = False) -> None:
    """Draw the sidebar around what a page has there; what is chosen is read from app.state.

    `trains`: with the short form of training, whose model the page can take.
    """
    with st.sidebar:
        st.markdown("##### :material/lightbulb: Illuminated Transformer")
        own()
        st.divider()
        if trains:
            short_training.draw()
        label = _("Language of this page")
        pick_from_list(state.LANGUAGE, label, LANGUAGES, value=state.language())
        draw_serving()


def choices() -> None:
    """Draw which model translates, what the page lets one choose of it, and how it decodes."""
    _model()
    reserve_aside()
    ways()


def draw_in_page() -> None:
    """Draw what the page lets one choose, and how the model decodes, where there is no sidebar."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="in-page"):
        reserve_aside()
        with st.popover(_("Decoding"), type="tertiary", key="ways"):
            ways()


def _model() -> None:
    chosen = model()
    if chosen is None:
        return
    titles = {name: model_name(name) for name in model_names()}
    pick_from_list(state.MODEL, _("Model"), titles, value=chosen, on_change=_model_changed)
    try:
        st.caption(model_line(model_info(chosen)))
    except ModelUnavailableError:
        return  # the page says it, where it is looked for


def _model_changed() -> None:
    """Keep what was typed; an example makes room for one in the new language."""
    state.collect()
    trained = [examples_of(name) for name in model_names() if name.startswith(OF_RUN)]
    if any(state.TEXT.get() in some for some in (*EXAMPLES.values(), *trained)):
        state.TEXT.set(None)


def ways() -> None:
    """Draw how a model decodes."""
    pick(state.METHOD, _("Decoding"), METHOD_NAMES, width="stretch")
    method = state.METHOD.get()
    st.caption(_(METHODS[method]))
    if method == "beam":
        st.slider(_("Beam width"), 2, 10, key=state.BEAM.widget())
    if method != "sample":
        return
    for draw_setting in SETTINGS:
        draw_setting()
    hint = _("The same seed draws the same translation.")
    st.number_input(_("Seed"), 0, 2**31 - 1, key=state.SEED.widget(), help=hint)


def _temperature() -> None:
    hint = _(
        "Below 1, likely tokens become likelier still; above 1, all probabilities move closer "
        "together."
    )
    st.slider(_("Temperature"), 0.1, 2.0, step=0.1, key=state.TEMPERATURE.widget(), help=hint)


def _top_k() -> None:
    hint = _("Draw from the k likeliest tokens only; 0 means no limit.")
    st.slider("Top-k", 0, 100, key=state.TOP_K.widget(), help=hint)


def _top_p() -> None:
    hint = _(
        "Draw from the smallest set of likeliest tokens whose probabilities together reach p; "
        "1 means all."
    )
    st.slider("Top-p", 0.05, 1.0, step=0.05, key=state.TOP_P.widget(), help=hint)


# The sliders that shape what a token is drawn from.
SETTINGS = (_temperature, _top_k, _top_p)
