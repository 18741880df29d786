"""What can be done with a model: use, rename, download, delete, and load another."""

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import BinaryIO, Final

import streamlit as st

from app import state
from app.data.errors import worded
from app.data.moments import OF_RUN
from app.data.translation import OF_IMPORT
from app.data.visitors import may_keep
from app.format import escape
from app.i18n import _
from app.page.atlas_link import draw_atlas_link
from app.state import Param
from app.ui.pickers import uploader
from app.ui.serving import draw_serving
from app.views.models import data, texts
from app.views.models.data import LONGEST_NAME, Card, Deleted

SHOWN: Final = Param[str]("shown", "", str)
UPLOADED: Final = "models file"  # in the session: the file that was loaded last
OUTCOME: Final = "models outcome"  # in the session: a button, what it did, and whether it worked
UNDO: Final = "models deleted"  # in the session: the model that was deleted last
MEGABYTES: Final = 400  # a zip of OPUS-MT has 290; server.maxUploadSize is the same


def draw_undo() -> None:
    """Offer to undo the last deletion."""
    deleted: Deleted | None = st.session_state.get(UNDO)
    if deleted is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(_(texts.DELETED).format(name=escape(_short(deleted.name))), width="content")
        _button(_("Undo"), "undo", "undo", _(texts.UNDO_HELP), _restore)
    draw_outcome("undo")


def draw_outcome(key: str) -> None:
    """Say what a click has done, beside the button that was clicked."""
    at, text, good = st.session_state.get(OUTCOME, ("", "", True))
    if at == key:
        del st.session_state[OUTCOME]
        (st.success if good else st.error)(text)


def draw_actions(card: Card) -> None:
    """Draw what can be done with a model; those that ship with the project cannot be changed."""
    with st.container(horizontal=True, gap="small"):
        label, icon, help_ = _("Translate with it"), ":material/translate:", _(texts.USE_HELP)
        if st.button(label, icon=icon, key="use", type="primary", help=help_):
            state.MODEL.set(card.name)
            state.TEXT.set(None)
            st.switch_page("views/translate/page.py")
        if card.config.arch == "transformer":
            draw_atlas_link(card.name)
        st.download_button(
            _("Download"),
            data.packing(card.name),
            f"{_short(card.name).replace('/', '-')}.zip",
            "application/zip",
            key="zip",
            icon=":material/download:",
            on_click="ignore",
            help=_(texts.ZIP_HELP).format(most=MEGABYTES),
        )
        if data.can_change(card.name):
            help_ = _(texts.DELETE_HELP)
            _button(_("Delete"), "delete", "delete", help_, lambda: _delete(card.name))
    draw_outcome("delete")
    if data.can_change(card.name):
        _draw_name(card.name)


def _draw_name(name: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        help_ = _(texts.NAME_HELP).format(most=LONGEST_NAME)
        wanted = st.text_input(_("Name"), _short(name), key=f"name-{name}", help=help_)
        help_ = _("Only its name changes.")
        _button(_("Rename"), "edit", "rename", help_, lambda: _rename(name, wanted))
    draw_outcome("rename")


def draw_load() -> None:
    """Draw the field that loads a model from a zip."""
    if not may_keep():
        draw_serving()
        return
    file = uploader(
        _("Load a model from a zip"),
        ["zip"],
        key="load-zip",
        most=MEGABYTES,
        help=_(texts.LOAD_HELP),
    )
    if file is not None and st.session_state.get(UPLOADED) != file.file_id:
        st.session_state[UPLOADED] = file.file_id
        _do("load", lambda: _load(file, PurePosixPath(file.name).stem))
    draw_outcome("load")


def _load(file: BinaryIO, stem: str) -> str:
    stem = re.sub(r" ?\(\d+\)$", "", stem)  # what a browser adds to a name that exists already
    plain_stem = "".join(c if c.isalnum() or c in " -_" else "-" for c in stem)
    name = data.load_zip(file, plain_stem[:LONGEST_NAME].strip(" -") or _("loaded"))
    SHOWN.set(name)
    return _(texts.LOADED).format(name=escape(_short(name)))


def _rename(name: str, wanted: str) -> None:
    new = data.rename_model(name, wanted)
    SHOWN.set(new)
    if state.MODEL.get() == name:
        state.MODEL.set(new)


def _delete(name: str) -> None:
    deleted = data.delete_model(name)
    if (former := st.session_state.get(UNDO)) is not None:
        data.forget(former)
    st.session_state[UNDO] = deleted


def _restore() -> str:
    deleted: Deleted = st.session_state[UNDO]
    data.restore(deleted)
    del st.session_state[UNDO]
    SHOWN.set(deleted.name)
    return _(texts.RESTORED).format(name=escape(_short(deleted.name)))


def _short(name: str) -> str:
    """Return a model's name without its folder."""
    return name.removeprefix(OF_RUN).removeprefix(OF_IMPORT)


def _button(label: str, icon: str, key: str, help_: str, act: Callable[[], str | None]) -> None:
    if st.button(label, icon=f":material/{icon}:", key=key, help=help_):
        _do(key, act)


def _do(key: str, act: Callable[[], str | None]) -> None:
    """Do what was clicked, and rerun the whole page to show the outcome."""
    try:
        text, good = act(), True
    except ValueError as error:
        text, good = escape(worded(error)), False
    if text:
        st.session_state[OUTCOME] = (key, text, good)
    st.rerun()
