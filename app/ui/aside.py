"""The place in the sidebar for what the open page lets one choose, right below the model."""

from contextvars import ContextVar
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_PLACE: Final[ContextVar[DeltaGenerator]] = ContextVar("aside")


def reserve() -> None:
    """Keep the place free: the sidebar is drawn before the page is."""
    _PLACE.set(st.container(key="aside"))


def aside() -> DeltaGenerator:
    """Return the place, to draw in."""
    return _PLACE.get()
