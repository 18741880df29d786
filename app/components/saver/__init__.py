"""Buttons that save a chart as a picture with the page's font, or figures as a web page."""

import base64
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from app.charts.points import points
from app.components.document import FONT, room
from app.components.shared import mount
from app.components.shared.kept import Chart
from app.i18n import _

MEDIA = Path(st.__file__).parent / "static/static/media"


def saver(file: str, page: str, charts: Sequence[Chart], *, key: str, picture: str = "") -> None:
    """Show the buttons that save a web page and a picture of the chart with the key `picture`.

    `page` has places for the charts, into which the browser puts their pictures and points.
    """
    mount("saver", str, key=key, fixed=payload(file, page, charts, picture), chosen=None)


def payload(file: str, page: str, charts: Sequence[Chart], picture: str = "") -> dict[str, Any]:
    """Return what the browser saves; `file` is the file name without extension."""
    return {
        "file": file,
        "page": page,
        "picture": picture,
        "charts": [
            {"key": chart.key, "room": json.dumps(room(chart)), "points": points(chart.figure)}
            for chart in charts
        ],
        "font": _font(),
        "fontRoom": json.dumps(FONT),
        "text": {"png": _("Save as PNG"), "svg": _("Save as SVG"), "html": _("Save as a web page")},
    }


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
