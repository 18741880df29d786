"""The place in the sidebar for the open page's choices, right below the model."""

from contextvars import ContextVar
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_PLACE: Final[ContextVar[DeltaGenerator]] = ContextVar("aside")


def reserve() -> None:
    """Reserve the place, as the sidebar is drawn before the page."""
    _PLACE.set(st.container(key="aside"))


def aside() -> DeltaGenerator:
    """Return the place to draw in."""
    return _PLACE.get()
