"""A bitmap to draw on, white on black, returned as hexadecimal digits, row by row."""

import re
from collections.abc import Callable
from typing import Any, Final

from app.components.shared import mount
from app.i18n import _

SIDE: Final = 32  # pixels
BLOCK: Final = 4  # side of the block that the keys set at once, in pixels


def drawing(raw: Any) -> str:
    """Return a drawing, "" for an empty one; raise ValueError for an invalid one."""
    if raw == "" or (isinstance(raw, str) and re.fullmatch(r"[0-9a-f]{256}", raw)):
        return raw if raw.strip("0") else ""
    raise ValueError("this is no drawing")


def pad(*, key: str, label: str, drawn: str, on_draw: Callable[[str], None]) -> None:
    """Show the bitmap; call back with the drawing when the pen is lifted."""
    hint = _("Draw with the pointer; or the arrow keys, and the space bar to fill.")
    text = {"label": label, "clear": _("Clear"), "hint": hint}
    fixed = {"side": SIDE, "block": BLOCK, "text": text}
    mount("pad", drawing, key=key, fixed=fixed, chosen=drawn, on_event=on_draw)
