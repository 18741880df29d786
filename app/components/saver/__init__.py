"""A button that saves a chart as a picture with the page's font, or figures as a web page."""

import base64
from functools import cache
from pathlib import Path

import streamlit as st

from app.components.shared import mount
from app.i18n import _

MEDIA = Path(st.__file__).parent / "static/static/media"


def saver(file: str, *, key: str, page: str = "", picture: str = "") -> None:
    """Show the button that saves a web page, or a picture of the chart with the key `picture`.

    `file` is the name of the file without extension.
    """
    fixed = {
        "file": file,
        "page": page,
        "picture": picture,
        "font": _font() if picture else "",
        "text": {"png": _("Save as PNG"), "html": _("Save as a web page")},
    }
    mount("saver", str, key=key, fixed=fixed, chosen=None)


@cache
def _font() -> str:
    """Return the CSS rule that embeds the page's font, which a picture cannot use otherwise."""
    found = next(iter(MEDIA.glob("SourceSansVF-Upright*.woff2")), None)
    if found is None:
        return ""
    data = base64.b64encode(found.read_bytes()).decode("ascii")
    return (
        '@font-face{font-family:"Source Sans";font-weight:200 900;'
        f"src:url(data:font/woff2;base64,{data})}}"
    )
