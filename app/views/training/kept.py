"""A trained model afterwards: use it, name it, take it away, train it on, compare it, delete it."""

import io
from collections.abc import Callable
from functools import partial
from pathlib import PurePosixPath
from typing import Any, BinaryIO, Final

import streamlit as st

from app import state
from app.components.board import array_grid, board
from app.data.errors import worded
from app.data.runs import RECORDED, RunSummary, delete, train_on
from app.data.translation import model_names
from app.format import escape
from app.i18n import _
from app.ui.chosen import model_name
from app.ui.error_box import error_box
from app.ui.sentence_box import offered
from app.ui.table import fold
from app.views.training import kept_texts as texts
from app.views.training.data import kept as models
from app.views.training.data.kept import LONGEST_NAME
from app.views.training.data.plan import SETTINGS, OwnPairs
from app.views.training.fields import draw_number, start_number, with_range
from app.views.training.pairs import own_pairs
from app.views.training.runs import RUN

SURE: Final = "asked to delete"  # in the session: the run whose deletion is to be confirmed
UPLOADED: Final = "kept file"  # in the session: the file that was loaded last
OUTCOME: Final = "kept outcome"  # in the session: what the last click did, and whether it worked
MEGABYTES: Final = 128  # a zip of the base size has 90; server.maxUploadSize is the same
STEPS: Final = SETTINGS["steps"]


def draw_kept(run: RunSummary) -> None:
    """Draw what can be done with a run and its model."""
    if run.name.startswith(RECORDED):
        draw_upload()
        return
    model = models.model_of(run.name)
    if model is not None:
        _draw_use(run.name, model)
        if not run.alive:
            _draw_name(run.name)
            _draw_more_steps(run)
        label, icon = _("Compare with another model"), ":material/compare_arrows:"
        fold(label, "versus", icon, lambda: _draw_comparison(model))
    draw_upload()
    if not run.alive:
        _draw_delete(run.name)


def draw_upload() -> None:
    """Draw the way to load a model from a zip."""
    _draw_outcome("load")
    file = st.file_uploader(
        _("Load a model from a zip"),
        ["zip"],
        key="load-zip",
        max_upload_size=MEGABYTES,
        help=_(texts.LOAD_HELP),
    )
    if file is not None and st.session_state.get(UPLOADED) != file.file_id:
        st.session_state[UPLOADED] = file.file_id
        _do("load", lambda: _load(file, PurePosixPath(file.name).stem))


def _load(file: BinaryIO, stem: str) -> str:
    plain_stem = "".join(c if c.isalnum() or c in " -_" else "-" for c in stem)
    name = models.take_in(file, plain_stem[:LONGEST_NAME].strip(" -") or _("loaded"))
    RUN.set(name)
    return _(texts.LOADED).format(name=escape(name))


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
    """Say what a click has done, where it was clicked."""
    at, text, good = st.session_state.get(OUTCOME, ("", "", True))
    if at == key:
        del st.session_state[OUTCOME]
        (st.success if good else st.error)(text)


def _do(key: str, act: Callable[[], str | None]) -> None:
    """Do what was clicked, and draw the whole page again, with what there is to say."""
    try:
        text, good = act(), True
    except ValueError as error:
        text, good = escape(worded(error)), False
    if text:
        st.session_state[OUTCOME] = (key, text, good)
    st.rerun()


def _draw_use(name: str, model: str) -> None:
    with st.container(horizontal=True, gap="small"):
        label, icon, help_ = _("Translate with it"), ":material/translate:", _(texts.USE_HELP)
        if st.button(label, icon=icon, key="use", type="primary", help=help_):
            state.MODEL.set(model)
            state.TEXT.set(None)
            st.switch_page("views/translate/page.py")
        st.download_button(
            _("Download"),
            lambda: io.BytesIO(models.packed(name)),
            f"{name}.zip",
            "application/zip",
            key="zip",
            icon=":material/download:",
            on_click="ignore",
            help=_(texts.ZIP_HELP).format(most=MEGABYTES),
        )


def _draw_name(name: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        help_ = _(texts.NAME_HELP).format(most=LONGEST_NAME)
        wanted = st.text_input(_("Name"), name, key=f"name-{name}", help=help_)
        help_ = _("Only its name changes.")
        _button(_("Rename"), "edit", "rename", help_, lambda: RUN.set(models.rename(name, wanted)))
    _draw_outcome("rename")


def _draw_more_steps(run: RunSummary) -> None:
    """Draw the way to more steps: with the state it was saved with, or from its weights alone."""
    name, resumes = run.name, models.can_train_on(run.name)
    needs_pairs = not resumes and not models.has_pairs(name)
    own = own_pairs() if needs_pairs else None
    if not resumes:
        st.caption(_(texts.FRESH))
    if needs_pairs and own is None:
        st.info(_(texts.NO_PAIRS))
        return
    key = f"more-{name}"
    start_number(STEPS, key, run.status.step)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        help_ = _(texts.STRETCHED if resumes else texts.ANEW)
        steps = int(
            draw_number(STEPS, with_range(STEPS, _("More steps")), key, width=210, help=help_)
        )
        problem = STEPS.problem("steps", steps)
        label, help_ = _("Continue training"), _(texts.OWN_STATE if resumes else texts.FRESH_STATE)
        act = partial(_train, run, steps, own)
        _button(label, "fast_forward", "train-on", help_, act, disabled=problem is not None)
    _draw_outcome("train-on")
    if problem:
        st.error(escape(worded(problem)))


def _train(run: RunSummary, steps: int, own: OwnPairs | None) -> None:
    if models.can_train_on(run.name):
        train_on(run.name, steps)
    else:
        RUN.set(models.train_further(run.name, steps, own))


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
        st.markdown(_(texts.DELETE_SURE).format(name=escape(name)))
        with st.container(horizontal=True):
            _button(_("Yes, delete"), "check", "delete-yes", _("Its folder is removed."), confirm)
            keep = _("No, keep it")
            _button(keep, "close", "delete-no", _("Nothing changes."), lambda: ask(False))
        _draw_outcome("delete-yes")


def _draw_comparison(model: str) -> None:
    others = [other for other in model_names() if other != model]
    if not others:
        st.caption(_("There is no other model yet."))
        return
    left, right = st.columns(2)
    sentence, help_ = offered(model)[0], _("Both models translate it with greedy decoding.")
    text = left.text_input(_("Sentence"), sentence, key=f"versus-{model}", help=help_)
    other = right.selectbox(
        _("Second model"),
        others,
        format_func=model_name,
        key="versus-other",
        help=_("Any model, shipped or trained here."),
    )
    with error_box(_("Type a sentence to compare on."), _("The two could not be compared.")):
        _draw_side_by_side(models.versus(model, other, text))


def _draw_side_by_side(both: models.Versus) -> None:
    for translation, column in zip((both.first, both.second), st.columns(2), strict=True):
        with column:
            st.caption(escape(model_name(translation.model)))
            st.markdown(f"#### {escape(translation.output) or '∅'}")
    if both.difference is None:
        st.caption(_(texts.OTHER_SHAPE))
        return
    capture = both.first.capture
    rows, columns = ([token.text for token in side] for side in (capture.tgt, capture.src))
    labels: dict[str, Any] = {"row_labels": rows, "col_labels": columns}
    grid = array_grid(both.difference, _("second − first"), reach=1.0, **labels)
    board([grid], key="versus-difference")
    st.caption(_(texts.DIFFERENCE))
