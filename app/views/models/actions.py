"""What can be done with a model: use, rename, download, delete, and load another."""

import re
from pathlib import PurePosixPath
from typing import BinaryIO, Final

import streamlit as st

from app import state
from app.data.moments import OF_RUN
from app.data.translation import OF_IMPORT
from app.data.visitors import may_keep
from app.format import escape
from app.i18n import _
from app.page.model_buttons import do, draw_atlas_link, draw_button, draw_outcome, draw_use
from app.state import Param
from app.ui.pickers import uploader
from app.ui.serving import draw_serving
from app.views.models import data

SHOWN: Final = Param[str]("shown", "", str)
UPLOADED: Final = "models file"  # in the session: the file that was loaded last
UNDO: Final = "models deleted"  # in the session: the model that was deleted last
MEGABYTES: Final = 400  # a zip of OPUS-MT has 290; server.maxUploadSize is the same


def draw_undo() -> None:
    """Offer to undo the last deletion."""
    deleted: data.Deleted | None = st.session_state.get(UNDO)
    if deleted is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        text = _("“{name}” is deleted.")
        st.markdown(text.format(name=escape(_short(deleted.name))), width="content")
        help_ = _("Brings the model back as it was, until you delete another.")
        draw_button(_("Undo"), "undo", "undo", help_, _restore)
    draw_outcome("undo")


def draw_actions(card: data.Card) -> None:
    """Draw what can be done with a model; those that ship with the project cannot be changed."""
    with st.container(horizontal=True, gap="small"):
        draw_use(card.name)
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
            help=_(
                "Its folder as a zip: weights, tokenizer, configuration and scores. If it is "
                "at most {most} MB, it can be loaded here again."
            ).format(most=MEGABYTES),
        )
        if data.can_change(card.name):
            help_ = _("With the run that it was trained in. You can undo it.")
            draw_button(_("Delete"), "delete", "delete", help_, lambda: _delete(card.name))
    draw_outcome("delete")
    if data.can_change(card.name):
        _draw_name(card.name)


def _draw_name(name: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        text = _("Letters, digits, spaces, hyphens and underscores: at most {most}.")
        help_ = text.format(most=data.LONGEST_NAME)
        wanted = st.text_input(_("Name"), _short(name), key=f"name-{name}", help=help_)
        help_ = _("Only its name changes.")
        draw_button(_("Rename"), "edit", "rename", help_, lambda: _rename(name, wanted))
    draw_outcome("rename")


def draw_load() -> None:
    """Draw the field that loads a model from a zip."""
    if not may_keep():
        draw_serving()
        return
    tip = _(
        "A zip saved on this page, here or on another machine; or the files of a Marian model, "
        "such as those of OPUS-MT: `config.json`, `model.safetensors` or `pytorch_model.bin`, "
        "`source.spm`, `target.spm` and `vocab.json`. Nothing in it is ever run."
    )
    file = uploader(_("Load a model from a zip"), ["zip"], key="load-zip", most=MEGABYTES, help=tip)
    if file is not None and st.session_state.get(UPLOADED) != file.file_id:
        st.session_state[UPLOADED] = file.file_id
        do("load", lambda: _load(file, PurePosixPath(file.name).stem))
    draw_outcome("load")


def _load(file: BinaryIO, stem: str) -> str:
    stem = re.sub(r" ?\(\d+\)$", "", stem)  # what a browser adds to a name that exists already
    plain_stem = "".join(c if c.isalnum() or c in " -_" else "-" for c in stem)
    name = data.load_zip(file, plain_stem[: data.LONGEST_NAME].strip(" -") or _("loaded"))
    SHOWN.set(name)
    return _("“{name}” is loaded, and every page can use it.").format(name=escape(_short(name)))


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
    deleted: data.Deleted = st.session_state[UNDO]
    data.restore(deleted)
    del st.session_state[UNDO]
    SHOWN.set(deleted.name)
    return _("“{name}” is back.").format(name=escape(_short(deleted.name)))


def _short(name: str) -> str:
    """Return a model's name without its folder."""
    return name.removeprefix(OF_RUN).removeprefix(OF_IMPORT)
