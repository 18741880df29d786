"""The sidebar: which model, how it decodes, a short training, and the language of the interface."""

from collections.abc import Callable
from typing import Any, Final

import streamlit as st

from app import state
from app.data import runs
from app.data.moments import OF_RUN, examples_of
from app.data.runs import RUN, RunSummary, letters_plan, needs
from app.data.translation import model_names, trained_names
from app.data.visitors import may_keep
from app.format import escape
from app.i18n import LANGUAGES, N_, _
from app.registry import view_of
from app.texts.examples import EXAMPLES
from app.ui.buttons import Act, attempt, button, draw_refusal, quiet_button
from app.ui.chosen import METHOD_NAMES, info_of, model, model_line, model_name
from app.ui.live_part import live_part
from app.ui.pickers import pick, pick_from_list, reserve_aside
from app.ui.run_bar import draw_bar, duration
from app.ui.serving import draw_serving

METHODS = {
    "greedy": N_("Take the likeliest token at each step."),
    "beam": N_("Keep several hypotheses and follow the best ones to their end."),
    "sample": N_("Draw each token at random, with the probability the model gives it."),
}
FAILED: Final = N_("This run could not be shown; the server's log says why.")


def draw(own: Callable[[], None], trains: bool = False) -> None:
    """Draw the sidebar around what a page has there; what is chosen is read from app.state.

    `trains`: with the short form of training, whose model the page can take.
    """
    with st.sidebar:
        st.markdown("##### :material/lightbulb: Illuminated Transformer")
        own()
        st.divider()
        if trains:
            draw_short_training()
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
    if (info := info_of(chosen)) is not None:
        st.caption(model_line(info))


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


def draw_short_training() -> None:
    """Draw the button that trains, or how far this visitor's run is, and what became of it."""
    if not may_keep():
        return
    alive = _is_alive()
    live_part(
        _draw, failed=_(FAILED), run_every=runs.SECONDS_OF_LOOK if alive else None, shared=_is_alive
    )


def _is_alive() -> bool:
    return runs.is_alive(runs.own_run())


def _draw() -> None:
    run = runs.run(runs.own_run())
    with st.container(gap="small", key="train-letters"):
        if run is not None and run.alive:
            draw_bar(run)
            with st.container(horizontal=True, gap="small"):
                help_ = _("What it has learned is kept.")
                _button(_("Stop"), "stop", "letters-stop", help_, runs.stop, run.name)
                _draw_watch(run)
        else:
            _draw_trained(run)  # where the button to train was pressed
            _draw_train()
        draw_refusal("letters")


def _draw_train() -> None:
    time = duration(needs(letters_plan()).seconds).replace(" ", "\u00a0")
    label = _("Train a model on letters: {time}").format(time=time)
    help_ = _("A small Transformer learns to write letters in reverse, on this machine.")
    _button(label, "model_training", "letters", help_, _start)


def _start() -> None:
    """Start the run; the second click of a double click finds it alive and does nothing."""
    if not _is_alive():
        runs.start(letters_plan())


def _draw_trained(run: RunSummary | None) -> None:
    """Offer the model of the run that has ended last, unless it is the one of the page."""
    model = "" if run is None else f"{OF_RUN}{run.name}"
    if run is None or model not in trained_names() or state.MODEL.get() == model:
        return
    label = _("Use {name}").format(name=escape(run.name))
    help_ = _("It becomes the model of this page, and of every other one.")
    if button(label, "letters-use", "check", type="primary", help=help_):
        state.MODEL.set(model)
        state.TEXT.set(None)
        st.rerun()  # the whole page: it has another model
    _draw_watch(run)


def _draw_watch(run: RunSummary) -> None:
    help_ = _("Opens the page on which its attention is filmed.")
    if quiet_button(_("Its film"), "letters-watch", "movie", help=help_):
        RUN.set(run.name)
        st.switch_page(view_of("training").path)


def _button(label: str, icon: str, key: str, help_: str, act: Act, *args: object) -> None:
    look: dict[str, Any] = {"help": help_, "width": "stretch"}
    if button(label, key, icon, attempt, "letters", act, *args, **look):
        st.rerun()  # the whole page: its timer depends on it
