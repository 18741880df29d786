"""Save what I see: the attention as one HTML file, and every number of the run as a trace."""

import streamlit as st

from app import state
from app.components.document import VIEWS
from app.data.translation import Translation
from app.i18n import _
from app.inspect.attention import chosen_look, kinds
from app.inspect.saved import saved
from app.ui.about import file_name
from app.ui.table import save_button
from app.views.translate import texts


def draw_save(shown: Translation) -> None:
    """Draw the menu of files; as long as it is shut, it costs nothing."""
    menu = st.popover(
        _("Save"),
        type="tertiary",
        icon=":material/save:",
        help=_(texts.SAVE),
        key="save",
        on_change="rerun",
    )
    if menu.open:
        with menu:
            _draw_menu(shown)


def _draw_menu(shown: Translation) -> None:
    if kinds(shown):
        look = chosen_look(shown)
        view = state.VIEW.get() if state.VIEW.get() in VIEWS else "matrix"
        head = look.head if isinstance(look.head, int) else 0
        page = saved(shown, view, look.kind, look.layer, head)
        save_button(_("Save as a web page"), page, "attention", "html", "text/html", "web")
        st.caption(_(texts.SAVED_PAGE))
    if shown.changes:
        st.caption(_(texts.NO_TRACE))
        return
    st.download_button(
        _("Save as a trace"),
        shown.capture.to_bytes(),
        f"{file_name('trace')}.safetensors",
        "application/octet-stream",
        key="save-trace",
        icon=":material/data_array:",
        on_click="ignore",
    )
    st.caption(_(texts.SAVED_TRACE))
