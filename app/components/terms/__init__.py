"""The glossary's terms, marked where each first appears on a page; a click opens its card."""

import json
from collections.abc import Callable
from typing import Any

from app.components.shared import mount, read_address
from app.i18n import _, once_a_language
from app.registry import Address, view_of
from app.texts.glossary import ENTRIES, GlossaryEntry, forms_of


def terms(page: str, *, key: str, on_open: Callable[[Address], None]) -> None:
    """Mark glossary terms in all texts of a page, and list them at its bottom.

    `on_open` is called with the screen that shows a term when the visitor asks for it.
    """
    mount("terms", read_address, key=key, fixed=_written(), chosen=page, on_event=on_open)


@once_a_language
def _written() -> str:
    return json.dumps(payload())


def payload() -> dict[str, Any]:
    """Return the terms that the browser searches for, and what it shows about each."""
    return {
        "terms": [_term(entry) for entry in ENTRIES],
        "text": {
            "words": _("Words on this page"),
            "also": _("Also called: {name}"),
            "english": _("In English: {name}"),
            "see": _("See it: {page}"),
            "close": _("Close"),
        },
    }


def _term(entry: GlossaryEntry) -> dict[str, Any]:
    return {
        "name": entry.term,
        "forms": forms_of(entry),
        "pages": entry.pages,
        "english": entry.english,
        "other": _(entry.other),
        "meaning": _(entry.meaning),
        "page": entry.seen.page,
        "screen": entry.seen.screen,
        "title": _(view_of(entry.seen.page).title),
    }
