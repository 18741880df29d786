"""The visitor's progress as this browser remembers it: the last screen, and the screens seen."""

from collections.abc import Sequence
from functools import partial

from app.components.shared import mount, read_address
from app.components.steps import TOUR
from app.i18n import _
from app.registry import Address, View


def progress(pages: Sequence[View], *, key: str) -> Address | None:
    """Draw the tour and the pages with how much of each was seen; return the clicked screen."""
    titles = {TOUR: _("The short tour"), **{view.slug: _(view.title) for view in pages}}
    fixed = {
        "pages": [{"slug": slug, "title": title} for slug, title in titles.items()],
        "text": {
            "name": _("Your progress, kept in this browser"),
            "last": _("Go on where you left off: {title}"),
            "seen": _("{n} of {all} seen"),
        },
    }
    read = partial(read_address, other=TOUR)
    return mount("progress", read, key=key, fixed=fixed, chosen=None)
