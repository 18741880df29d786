"""Entries in groups, as in the index of a book, with a search field and links to screens."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from app.components.shared import mount, read_address
from app.i18n import _
from app.registry import Address, view_of


@dataclass(frozen=True)
class ListEntry:
    """A title, which may link to another site, with a note, a text, and screens of the app."""

    title: str
    text: str
    seen: Sequence[Address]
    note: str = ""
    url: str = ""


@dataclass(frozen=True)
class Group:
    """Entries below a heading."""

    title: str
    entries: Sequence[ListEntry]


def entries(
    groups: Sequence[Group], *, key: str, label: str, on_open: Callable[[Address], None]
) -> None:
    """Show groups of entries below a search field named `label`; call back with a screen."""
    fixed = payload(groups, label)
    mount("entries", read_address, key=key, fixed=fixed, chosen=None, on_event=on_open)


def payload(groups: Sequence[Group], label: str) -> dict[str, Any]:
    """Return what the browser draws."""
    return {
        "groups": [
            {"title": group.title, "entries": [_entry(entry) for entry in group.entries]}
            for group in groups
        ],
        "text": {"search": label, "none": _("Nothing found.")},
    }


def _entry(entry: ListEntry) -> dict[str, Any]:
    seen = [address._asdict() | {"title": _(view_of(address.page).title)} for address in entry.seen]
    return vars(entry) | {"seen": seen}
