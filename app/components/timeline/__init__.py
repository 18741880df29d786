"""The years of the lecture on a line, images above and text below; a point opens its page."""

from app.components.shared import mount_map
from app.i18n import _
from app.registry import VIEWS


def timeline(here: str, *, key: str) -> None:
    """Draw the line of years with the open page marked on it."""
    fixed = {
        "points": [
            vars(point) | {"slug": view.slug, "title": _(view.title), "name": _(point.name)}
            for view in VIEWS
            for point in view.points
        ],
        "text": {
            "name": _("Timeline: each year opens its page"),
            "lanes": ["", _("pictures"), _("words")],
        },
    }
    mount_map("timeline", key=key, fixed=fixed, here=here)
