"""The way from a model to the atlas of its heads."""

import streamlit as st

from app import state
from app.i18n import _
from app.page import moves
from app.registry import Address


def draw_atlas_link(model: str) -> None:
    """Draw the button that opens a Transformer's atlas."""
    label, help_ = _("What its heads do"), _("Opens the head atlas, which measures every head.")
    icon = ":material/map:"
    st.button(label, "to-atlas", icon=icon, help=help_, on_click=_open, args=(model,))


def _open(model: str) -> None:
    state.MODEL.set(model)
    moves.go(Address("atlas"))
