"""What the methods are called that say which source token mattered, and their answers."""

from typing import Final

import streamlit as st

from app.data.importance import METHODS, Importance, importance
from app.i18n import N_, _
from app.inspector.probe import Probe

COMPUTING: Final = N_("Asking all methods …")


def answers_about(probe: Probe) -> Importance:
    """Ask all methods about the chosen token."""
    with st.spinner(_(COMPUTING)):
        return importance(probe.walk, probe.at)


def names(found: Importance) -> list[str]:
    """Return what the methods are called; the head that looks most decidedly by its place."""
    layer, head = found.best or (0, 0)
    place = {"layer": layer + 1, "head": head + 1}
    return [_(METHODS[method].title).format(**place) for method in found.methods]
