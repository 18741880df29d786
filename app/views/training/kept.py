"""What can be done with a trained model: use it, train it further, delete it with its run."""

from functools import partial
from typing import Final

import streamlit as st

from app.data.errors import worded
from app.data.runs import RECORDED, RUN, RunSummary, can_repeat, delete, train_on
from app.format import escape
from app.i18n import _
from app.page.model_buttons import draw_atlas_link, draw_button, draw_outcome
from app.views.training.data import SETTINGS, OwnPairs, model_of, train_further
from app.views.training.fields import draw_number, start_number, with_range
from app.views.training.pairs import own_pairs

SURE: Final = "asked to delete"  # in the session: the run whose deletion awaits confirmation
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


def _draw_more_steps(run: RunSummary) -> None:
    """Draw how to train for more steps: from the saved state, or from the weights alone."""
    resumes = run.folder.is_saved()  # a run from a zip is not
    needs_pairs = not resumes and not can_repeat(run.plan)
    own = own_pairs() if needs_pairs else None
    if not resumes:
        text = _(
            "Its weights are here, but not the state of its optimiser, which a zip does not "
            "hold. Training continues as a new run, with these weights and a fresh optimiser: "
            "at first the loss may rise a little. This run stays as it is."
        )
        st.caption(text)
    if needs_pairs and own is None:
        says = _(
            "Its sentence pairs are not here either. Enter some under “Your sentence pairs” "
            "above; then you can continue its training on them here."
        )
        st.info(says)
        return
    key = f"more-{run.name}"
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
        draw_button(label, "fast_forward", "train-on", help_, act, disabled=problem is not None)
    draw_outcome("train-on")
    if problem:
        st.error(escape(worded(problem)))


def _train(run: RunSummary, steps: int, own: OwnPairs | None) -> None:
    if run.folder.is_saved():
        train_on(run.name, steps)
    else:
        RUN.set(train_further(run.name, steps, own))


def _draw_delete(name: str) -> None:
    def ask(sure: bool) -> None:
        st.session_state[SURE] = name if sure else ""

    def confirm() -> None:
        delete(name)
        ask(False)
        RUN.set("")

    if st.session_state.get(SURE) != name:
        draw_button(
            _("Delete"), "delete", "delete", _("You will be asked to confirm."), lambda: ask(True)
        )
        return
    with st.container(border=True, key="sure-delete"):
        text = _("Delete “{name}” and everything it learned? This cannot be undone.")
        st.markdown(text.format(name=escape(name)))
        with st.container(horizontal=True):
            draw_button(
                _("Yes, delete"), "check", "delete-yes", _("Its folder is removed."), confirm
            )
            keep = _("No, keep it")
            draw_button(keep, "close", "delete-no", _("Nothing changes."), lambda: ask(False))
        draw_outcome("delete-yes")
