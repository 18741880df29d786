"""What a page says where its model is missing, or is not one that it can show."""

import streamlit as st

from app import state
from app.data.translation import model_names
from app.format import escape
from app.i18n import _
from app.ui import chosen
from app.ui.buttons import button


def is_recurrent(name: str) -> bool:
    """Say that a chapter needs a Transformer, and offer one, where the model is none."""
    if not _has_arch(name, recurrent=True):
        return False  # who opens a model that cannot be used says so
    st.info(
        _(
            "This chapter takes a Transformer apart, and “{name}” is a recurrent network. Open a "
            "Transformer to read on."
        ).format(name=escape(chosen.model_name(name)))
    )
    other = next((o for o in model_names() if _has_arch(o, recurrent=False)), None)
    if other is not None:
        label = _("Open {model}").format(model=escape(chosen.model_name(other)))
        button(label, "transformer", "swap_horiz", state.MODEL.set, other)
    return True


def _has_arch(name: str, recurrent: bool) -> bool:
    info = chosen.info_of(name)
    return info is not None and info.config.recurrent is recurrent


def model(wanted: str | None = None) -> str | None:
    """Return the chosen model, or the one wanted, or say that there is none."""
    if wanted is not None and wanted not in model_names():
        st.error(_("This page is about the model “{name}”, which is missing.").format(name=wanted))
        return None
    name = wanted or chosen.model()
    if name is None:
        st.error(_("There is no trained model yet: put one into the folder “pretrained”."))
    return name
