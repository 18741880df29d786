"""Buttons that save the chart beside them: as a picture with the page's font, or as a web page."""

import base64
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from app.charts.points import Point
from app.components.document import PICTURE
from app.components.shared import mount
from app.i18n import _

MEDIA = Path(st.__file__).parent / "static/static/media"


def saver(file: str, page: str, points: Sequence[Point], *, key: str) -> None:
    """Show the buttons below a chart of Plotly, in a container whose key begins with "picture-".

    `page` is the web page; if it leaves room for the chart's picture, the browser puts it in, with
    the chart's points.
    """
    mount("saver", str, key=key, fixed=payload(file, page, points), chosen=None)


def payload(file: str, page: str, points: Sequence[Point]) -> dict[str, Any]:
    """Return what the browser saves, under the name of a file without its ending."""
    text = {"png": _("Save as PNG"), "svg": _("Save as SVG"), "html": _("Save as a web page")}
    drawn = {"page": page, "room": json.dumps(PICTURE), "points": [p._asdict() for p in points]}
    return {"file": file, "font": _font(), "text": text, **drawn}


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
