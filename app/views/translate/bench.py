"""The menu to change something, and the changes made so far, each with its switch."""

import streamlit as st

from app import state
from app.data.changed import ListedChange, UserError
from app.data.errors import worded
from app.data.walk import Walk
from app.format import escape
from app.i18n import _
from app.inspector import changes
from app.views.translate.change_form import draw_form


def draw_what_if(walk: Walk) -> None:
    """Draw the menu of what can be changed."""
    menu = st.popover(
        _("What if …"),
        icon=":material/experiment:",
        help=_("Change one thing inside the model, and run it again."),
        key="what-if",
        on_change="rerun",
    )
    if menu.open:
        with menu:
            draw_form(walk)


def draw_changes(walk: Walk) -> None:
    """Draw the list of changes; what of it cannot be used is said."""
    try:
        listed = changes.listed()
    except UserError as error:
        st.error(escape(worded(error)))
        listed = ()
    _draw_history()
    fit = changes.fit(walk.translation)
    misfits = {} if fit is None else fit.misfits
    for i, entry in enumerate(listed):
        _draw_entry(walk, i, entry, misfits.get(entry.change.text) if entry.on else None)


def _draw_history() -> None:
    """Draw the buttons that take back a change of the list; none where there was none."""
    if not (changes.can_undo() or changes.can_redo() or state.CHANGES.get()):
        return
    actions = (
        ("undo", _("Undo"), changes.undo, changes.can_undo()),
        ("redo", _("Redo"), changes.redo, changes.can_redo()),
        ("reset", _("Remove all changes"), changes.reset, bool(state.CHANGES.get())),
    )
    with st.container(horizontal=True, gap="small", key="bench"):
        for name, label, act, possible in actions:
            icon = {"reset": "restart_alt"}.get(name, name)
            st.button(
                label,
                key=f"changes-{name}",
                icon=f":material/{icon}:",
                type="tertiary",
                on_click=act,
                disabled=not possible,
            )


def _draw_entry(walk: Walk, at: int, entry: ListedChange, misfit: UserError | None) -> None:
    text, key = changes.sentence(entry.change, walk), f"change-{at}"
    with st.container(
        horizontal=True, gap="small", vertical_alignment="center", wrap=False, key=key
    ):
        switch = f"{key}-on-{entry.change.text}"
        st.session_state[switch] = entry.on
        st.toggle(escape(text), key=switch, on_change=changes.switch, args=(at,))
        label = _("Remove")
        st.button(
            label,
            key=f"{key}-remove",
            icon=":material/close:",
            type="tertiary",
            on_click=changes.remove,
            args=(at,),
        )
        if misfit is not None:
            st.markdown(f":small[:orange[:material/warning: {changes.misfit(misfit)}]]")
