"""Buttons with an icon, and what is said of a click that was refused."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from app.data.errors import worded
from app.format import escape

Act = Callable[..., Any]


def button(
    label: str, key: str, icon: str, act: Act | None = None, *args: object, **look: Any
) -> bool:
    """Draw a button that calls `act`; `icon` is a name of Material Symbols."""
    return st.button(label, key, icon=f":material/{icon}:", on_click=act, args=args, **look)


def quiet_button(
    label: str, key: str, icon: str, act: Act | None = None, *args: object, **look: Any
) -> bool:
    """Draw a button that looks like a link."""
    return button(label, key, icon, act, *args, type="tertiary", **look)


def attempt(place: str, act: Act, *args: object) -> None:
    """Do what was clicked; why it is refused, the next run says at its place."""
    try:
        act(*args)
    except ValueError as error:
        st.session_state[f"refused {place}"] = error


def draw_refusal(place: str) -> None:
    """Say why the last click did nothing."""
    if (error := st.session_state.pop(f"refused {place}", None)) is not None:
        st.error(escape(worded(error)))
