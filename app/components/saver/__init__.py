"""Two buttons that save the chart beside them as a picture, with the page's font in it."""

import base64
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from app.components.shared import mount
from app.i18n import _

MEDIA = Path(st.__file__).parent / "static/static/media"


def saver(file: str, *, key: str) -> None:
    """Show the buttons below a chart of Plotly, in a container whose key begins with "picture-"."""
    mount("saver", str, key=key, fixed=payload(file), chosen=None)


def payload(file: str) -> dict[str, Any]:
    """Return what the browser saves, under the name of a file without its ending."""
    text = {"png": _("Save as PNG"), "svg": _("Save as SVG")}
    return {"file": file, "font": _font(), "text": text}


@cache
def _font() -> str:
    """Return the rule that brings the page's font along: a picture knows none of a page's own."""
    found = next(iter(MEDIA.glob("SourceSansVF-Upright*.woff2")), None)
    if found is None:
        return ""
    data = base64.b64encode(found.read_bytes()).decode("ascii")
    return (
        '@font-face{font-family:"Source Sans";font-weight:200 900;'
        f"src:url(data:font/woff2;base64,{data})}}"
    )
