"""What can be done with a trained model: use it, train it further, delete it with its run."""

from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from app import state
from app.data.errors import worded
from app.data.runs import RECORDED, RUN, RunSummary, delete, train_on
from app.format import escape
from app.i18n import _
from app.page.atlas_link import draw_atlas_link
from app.views.training.data.plan import SETTINGS, OwnPairs
from app.views.training.data.run import can_train_on, has_pairs, model_of, train_further
from app.views.training.fields import draw_number, start_number, with_range
from app.views.training.pairs import own_pairs

SURE: Final = "asked to delete"  # in the session: the run whose deletion awaits confirmation
OUTCOME: Final = "kept outcome"  # in the session: what the last click did, and whether it worked
STEPS: Final = SETTINGS["steps"]


def draw_kept(run: RunSummary) -> None:
    """Draw what can be done with a run and its model."""
    if run.name.startswith(RECORDED):
        draw_models_link()
        return
    model = model_of(run.name)
    if model is not None:
        if run.plan.model.arch == "transformer":
            draw_atlas_link(model)
        if not run.alive:
            _draw_more_steps(run)
    draw_models_link()
    if not run.alive:
        _draw_delete(run.name)


def draw_models_link() -> None:
    """Draw a link to the page on which models are named, compared, kept and loaded."""
    label = _("All models: rename, compare, download, load")
    st.page_link("views/models/page.py", label=label, icon=":material/inventory_2:")


def _button(
    label: str,
    icon: str,
    key: str,
    help_: str,
    act: Callable[[], str | None],
    disabled: bool = False,
) -> None:
    if st.button(label, icon=f":material/{icon}:", key=key, help=help_, disabled=disabled):
        _do(key, act)


def _draw_outcome(key: str) -> None:
    """Say what a click has done, beside the button that was clicked."""
    at, text, good = st.session_state.get(OUTCOME, ("", "", True))
    if at == key:
        del st.session_state[OUTCOME]
        (st.success if good else st.error)(text)


def _do(key: str, act: Callable[[], str | None]) -> None:
    """Do what was clicked, and rerun the whole page to show the outcome."""
    try:
        text, good = act(), True
    except ValueError as error:
        text, good = escape(worded(error)), False
    if text:
        st.session_state[OUTCOME] = (key, text, good)
    st.rerun()


def draw_use(run: RunSummary) -> None:
    """Draw the button that opens a run's model on the Translate page, once there is one."""
    model = model_of(run.name)
    if model is None:
        return
    help_ = _("Opens it on the page Translate; every other page can use it too.")
    label, icon = _("Translate with it"), ":material/translate:"
    if st.button(label, icon=icon, key="use", type="primary", help=help_):
        state.MODEL.set(model)
        state.TEXT.set(None)
        st.switch_page("views/translate/page.py")


def _draw_more_steps(run: RunSummary) -> None:
    """Draw how to train for more steps: from the saved state, or from the weights alone."""
    name, resumes = run.name, can_train_on(run.name)
    needs_pairs = not resumes and not has_pairs(name)
    own = own_pairs() if needs_pairs else None
    if not resumes:
        st.caption(
            _(
                "Its weights are here, but not the state of its optimiser, which a zip does not "
                "hold. Training continues as a new run, with these weights and a fresh optimiser: "
                "at first the loss may rise a little. This run stays as it is."
            )
        )
    if needs_pairs and own is None:
        st.info(
            _(
                "Its sentence pairs are not here either. Enter some under “Your sentence pairs” "
                "above; then you can continue its training on them here."
            )
        )
        return
    key = f"more-{name}"
    start_number(STEPS, key, run.status.step)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        help_ = (
            _("The learning rate's schedule is stretched to the new last step.")
            if resumes
            else _("Steps of the new run, which has its own warm-up and schedule.")
        )
        steps = int(
            draw_number(STEPS, with_range(STEPS, _("More steps")), key, width=210, help=help_)
        )
        problem = STEPS.problem("steps", steps)
        help_ = (
            _("It continues from its last step, with its own optimiser state.")
            if resumes
            else _("A new run, with its weights and a fresh optimiser.")
        )
        label = _("Continue training")
        act = partial(_train, run, steps, own)
        _button(label, "fast_forward", "train-on", help_, act, disabled=problem is not None)
    _draw_outcome("train-on")
    if problem:
        st.error(escape(worded(problem)))


def _train(run: RunSummary, steps: int, own: OwnPairs | None) -> None:
    if can_train_on(run.name):
        train_on(run.name, steps)
    else:
        RUN.set(train_further(run.name, steps, own))


def _draw_delete(name: str) -> None:
    def ask(sure: bool) -> None:
        st.session_state[SURE] = name if sure else ""

    def confirm() -> None:
        delete(name)
        ask(False)

    if st.session_state.get(SURE) != name:
        _button(
            _("Delete"), "delete", "delete", _("You will be asked to confirm."), lambda: ask(True)
        )
        return
    with st.container(border=True, key="sure-delete"):
        st.markdown(
            _("Delete “{name}” and everything it learned? This cannot be undone.").format(
                name=escape(name)
            )
        )
        with st.container(horizontal=True):
            _button(_("Yes, delete"), "check", "delete-yes", _("Its folder is removed."), confirm)
            keep = _("No, keep it")
            _button(keep, "close", "delete-no", _("Nothing changes."), lambda: ask(False))
        _draw_outcome("delete-yes")
