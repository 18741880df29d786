"""The short form of training in the sidebar: letters, in one press, on any page with a model."""

from typing import Any, Final

import streamlit as st

from app import state
from app.data import runs
from app.data.moments import OF_RUN
from app.data.plans import letters_plan, needs
from app.data.runs import RUN, RunSummary
from app.data.translation import trained_names
from app.data.visitors import may_keep
from app.format import escape
from app.i18n import N_, _
from app.registry import view_of
from app.ui.buttons import Act, attempt, button, draw_refusal, quiet_button
from app.ui.live_part import live_part
from app.ui.run_bar import draw_bar, duration

FAILED: Final = N_("This run could not be shown; the server's log says why.")


def draw() -> None:
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
            _draw_running(run)
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


def _draw_running(run: RunSummary) -> None:
    draw_bar(run)
    with st.container(horizontal=True, gap="small"):
        help_ = _("What it has learned is kept.")
        _button(_("Stop"), "stop", "letters-stop", help_, runs.stop, run.name)
        _draw_watch(run)


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
