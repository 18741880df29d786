"""The years of the lecture on a line: pictures above, words below; each point opens its page."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from app.components.shared import mount, register
from app.i18n import _
from app.registry import VIEWS, View

_timeline = register("timeline")


def timeline(here: str, *, key: str) -> None:
    """Draw the line of years with the page that is open marked on it."""
    fixed = {
        "points": [
            {"slug": view.slug, "title": _(view.title), "name": _(point.name)}
            | {"year": point.year, "lane": point.lane}
            for view in VIEWS
            for point in view.points
        ],
        "text": {
            "name": _("Timeline: each year opens its page"),
            "lanes": ["", _("pictures"), _("words")],
        },
    }
    view = mount(_timeline, "open", read, key=key, fixed=fixed, chosen=here, on_event=None)
    if view is not None:
        st.switch_page(view.path)


def read(event: Mapping[str, Any]) -> View | None:
    """Turn an event of the browser into the page that it asks for."""
    return next((view for view in VIEWS if view.slug == event.get("slug")), None)
