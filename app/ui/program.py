"""A program as the picture of a screen: one complete function or class of the project."""

import streamlit as st

from app.data.walk import code


def draw_program(source: str) -> None:
    """Show the code at "module:qualname" as it runs here, small enough to see all of it."""
    with st.container(key=f"program-{source.rpartition(':')[2]}"):
        st.code(code(source), "python")
