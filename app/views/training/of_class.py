"""What a teacher sees above their own runs: those of the whole class that are alive."""

from typing import Any

import streamlit as st

from app.data import runs
from app.data.visitors import LOOKED_AT, mode
from app.i18n import _
from app.ui.serving import short
from app.ui.table import table
from app.views.training import texts
from app.views.training.runs import RUN


def draw_class() -> None:
    """Draw the runs of all visitors, to look into and to stop; nothing for who is no teacher."""
    if mode() != "teacher":
        return
    st.subheader(_("The runs of the class"))
    all_runs = runs.of_class()
    if not all_runs:
        st.caption(_("No run is alive."))
        return
    columns: dict[str, Any] = {
        _("visitor"): [short(owned.visitor) for owned in all_runs],
        _("run"): [owned.run.name for owned in all_runs],
        _("state"): [_(texts.STATES[owned.run.status.state]) for owned in all_runs],
        _("training step"): [owned.run.status.step for owned in all_runs],
    }
    table(columns, "of-class")
    icon = ":material/visibility:"
    with st.container(horizontal=True):
        for visitor in dict.fromkeys(owned.visitor for owned in all_runs):
            label = _("Look at {visitor}").format(visitor=short(visitor))
            st.button(label, f"look-{visitor}", icon=icon, on_click=_look_at, args=(visitor,))
        stop = _("Stop all runs of the class")
        st.button(stop, "stop-class", icon=":material/stop:", on_click=runs.stop_class)


def _look_at(visitor: str) -> None:
    LOOKED_AT.set(visitor)
    RUN.set("")
