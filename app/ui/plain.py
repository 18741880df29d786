"""Text that a visitor typed, where Streamlit reads Markdown."""

import re


def plain(text: str) -> str:
    """Escape what Markdown, its directives, HTML and TeX would read in a text."""
    return re.sub(r"([\\`*_{}\[\]()<>#+!|~$:.-])", r"\\\1", text)
