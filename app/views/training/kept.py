"""A trained model afterwards: use it, name it, take it away, train it on, compare it, delete it."""

import io
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import BinaryIO, Final

import streamlit as st

from app import state
from app.components.board import Grid, board
from app.data.runs import RECORDED, RunSummary, train_on
from app.data.translation import model_names
from app.format import escape
from app.i18n import _
from app.ui.chosen import model_name
from app.ui.error_box import error_box
from app.ui.sentence_box import offered
from app.ui.table import fold
from app.views.training import kept_texts as texts
from app.views.training.data.errors import worded
from app.views.training.data.kept import (
    LONGEST_NAME,
    Versus,
    can_train_on,
    delete,
    has_pairs,
    model_of,
    packed,
    rename,
    take_in,
    train_further,
    versus,
)
from app.views.training.pairs import own_pairs
from app.views.training.runs import RUN

SURE: Final = "asked to delete"  # in the session: the run whose deletion is to be confirmed
TAKEN: Final = "kept file"  # in the session: the file that was loaded last
OUTCOME: Final = "kept outcome"  # in the session: what became of the last wish; if it is good
MEGABYTES: Final = 128  # a zip of the base size has 90; server.maxUploadSize is the same
MOST_STEPS: Final = 1_000_000


def draw(one: RunSummary) -> None:
    """Draw what can be done with a run and its model."""
    if one.name.startswith(RECORDED):
        load()
        return
    model = model_of(one.name)
    if model is not None:
        _use(one, model)
        if not one.alive:
            _name(one)
            _train_on(one)
        fold(
            _("Compare with another model"), "versus", ":material/compare_arrows:",
            lambda: _compare(model),
        )  # fmt: skip
    load()
    if not one.alive:
        _delete(one.name)


def load() -> None:
    """Draw the way to load a model from a zip."""
    if outcome := st.session_state.pop(OUTCOME, None):
        text, good = outcome
        (st.success if good else st.error)(text)
    file = st.file_uploader(
        _("Load a model from a zip"), ["zip"], key="load-zip", max_upload_size=MEGABYTES,
        help=_(texts.LOAD_HELP),
    )  # fmt: skip
    if file is None or st.session_state.get(TAKEN) == file.file_id:
        return
    st.session_state[TAKEN] = file.file_id
    _do(lambda: _take_in(file, PurePosixPath(file.name).stem))


def _take_in(file: BinaryIO, stem: str) -> str:
    plain_stem = "".join(c if c.isalnum() or c in " -_" else "-" for c in stem)
    name = take_in(file, plain_stem[:LONGEST_NAME].strip(" -") or _("loaded"))
    RUN.set(name)
    return _(texts.LOADED).format(name=escape(name))


def _button(text: str, icon: str, key: str, help_: str, act: Callable[[], str | None]) -> None:
    if st.button(text, icon=f":material/{icon}:", key=key, help=help_):
        _do(act)


def _do(act: Callable[[], str | None]) -> None:
    """Do what was wished, and draw the whole page again, with what there is to say."""
    try:
        text, good = act(), True
    except ValueError as error:
        text, good = escape(worded(error)), False
    if text:
        st.session_state[OUTCOME] = (text, good)
    st.rerun()


def _use(one: RunSummary, model: str) -> None:
    with st.container(horizontal=True, gap="small"):
        if st.button(
            _("Translate with it"), icon=":material/translate:", key="use", type="primary",
            help=_(texts.USE_HELP),
        ):  # fmt: skip
            state.MODEL.set(model)
            state.TEXT.set(None)
            st.switch_page("views/translate/page.py")
        st.download_button(
            _("Download"), lambda: io.BytesIO(packed(one.name)), f"{one.name}.zip",
            "application/zip", key="zip", icon=":material/download:", on_click="ignore",
            help=_(texts.ZIP_HELP).format(most=MEGABYTES),
        )  # fmt: skip


def _name(one: RunSummary) -> None:
    key = f"name-{one.name}"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            _("Name"), one.name, key=key,
            help=_(texts.NAME_HELP).format(most=LONGEST_NAME),
        )  # fmt: skip
        wanted = st.session_state[key]
        _button(
            _("Rename"), "edit", "rename", _("It keeps all that it has."),
            lambda: RUN.set(rename(one.name, wanted)),
        )  # fmt: skip


def _train_on(one: RunSummary) -> None:
    """Draw the way to more steps: with the state it was saved with, or from its weights alone."""
    goes_on = can_train_on(one.name)
    own = None if goes_on or has_pairs(one.name) else own_pairs()
    if not goes_on:
        st.caption(_(texts.FRESH))
        if own is None and not has_pairs(one.name):
            st.info(_(texts.NO_PAIRS))
            return
    key = f"more-{one.name}"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.number_input(
            _("More steps"), 1, MOST_STEPS, max(1, one.status.step), key=key, width=190,
            help=_(texts.STRETCHED if goes_on else texts.ANEW),
        )  # fmt: skip
        steps = int(st.session_state[key])
        _button(
            _("Train on"), "fast_forward", "train-on",
            _(texts.OWN_STATE if goes_on else texts.FRESH_STATE),
            lambda: (
                train_on(one.name, steps) if goes_on
                else RUN.set(train_further(one.name, steps, own))
            ),
        )  # fmt: skip


def _delete(name: str) -> None:
    def ask(sure: bool) -> None:
        st.session_state[SURE] = name if sure else ""

    def gone() -> None:
        ask(False)
        delete(name)

    if st.session_state.get(SURE) != name:
        _button(_("Delete"), "delete", "delete", _("Asks once more."), lambda: ask(True))
        return
    with st.container(border=True, key="sure-delete"):
        st.markdown(_(texts.DELETE_SURE).format(name=escape(name)))
        with st.container(horizontal=True):
            _button(_("Yes, delete"), "check", "delete-yes", _("Its folder is removed."), gone)
            _button(
                _("No, keep it"), "close", "delete-no", _("Nothing changes."), lambda: ask(False)
            )


def _compare(model: str) -> None:
    others = [other for other in model_names() if other != model]
    if not others:
        st.caption(_("There is no other model yet."))
        return
    left, right = st.columns(2)
    text = left.text_input(
        _("Sentence"), offered(model)[0], key=f"versus-{model}",
        help=_("Both models translate it, greedily."),
    )  # fmt: skip
    other = right.selectbox(
        _("Second model"), others, format_func=model_name, key="versus-other",
        help=_("Any model there is, shipped or trained here."),
    )  # fmt: skip
    with error_box(_("Type a sentence to compare on."), _("The two could not be compared.")):
        _side_by_side(versus(model, other, text))


def _side_by_side(both: Versus) -> None:
    for made, column in zip((both.first, both.second), st.columns(2), strict=True):
        with column:
            st.caption(escape(model_name(made.model)))
            st.markdown(f"#### {escape(made.output) or '∅'}")
    if both.difference is None:
        st.caption(_(texts.OTHER_SHAPE))
        return
    capture = both.first.capture
    rows, columns = ([token.text for token in side] for side in (capture.tgt, capture.src))
    board(
        [
            Grid(
                "", (None, None), both.difference, _("second − first"), "residual", "signed", 1.0,
                row_labels=rows, col_labels=columns,
            )
        ],
        key="versus-difference",
    )  # fmt: skip
    st.caption(_(texts.DIFFERENCE))
