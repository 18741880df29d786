"""A section's title together with its first words."""

import streamlit as st


def section(title: str, text: str, level: int = 2) -> None:
    """Draw a title, of Markdown, and the text below it; without a title, the text alone.

    They are one element, as each one of a page is drawn again at every move.
    """
    st.markdown(f"{'#' * level} {title}\n\n{text}" if title else text)
