"""Save what I see: the attention as one HTML file, and every number of the run as a trace."""

import streamlit as st

from app import state
from app.components.document import VIEWS
from app.data.translation import Kind, Translation
from app.i18n import _
from app.inspector.attention import chosen_look, kinds
from app.inspector.saved import report, saved
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
    kind, layer, head = _place(shown)
    if kinds(shown):
        view = state.VIEW.get() if state.VIEW.get() in VIEWS else "matrix"
        page = saved(shown, view, kind, layer, head)
        save_button(_("Save as a web page"), page, "attention", "html", "text/html", "web")
        st.caption(_(texts.SAVED_PAGE))
    page = report(shown, kind, layer, head)
    save_button(_("Save as a report to print"), page, "report", "html", "text/html", "print")
    st.caption(_(texts.SAVED_REPORT))
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


def _place(shown: Translation) -> tuple[Kind, int, int]:
    """Return the attention that is chosen; of what several heads come to, the first head."""
    if not kinds(shown):
        return "cross", 0, 0
    look = chosen_look(shown)
    return look.kind, look.layer, look.head if isinstance(look.head, int) else 0
