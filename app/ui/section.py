"""A section's title together with its first words."""

import streamlit as st

from app.format import maths


def section(title: str, text: str, level: int = 2) -> None:
    """Draw a title and the text below it, both Markdown with formulas; or the text alone.

    They are one element, as each one of a page is drawn again at every move.
    """
    st.markdown(maths(f"{'#' * level} {title}\n\n{text}" if title else text))
