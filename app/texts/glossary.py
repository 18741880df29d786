"""The glossary: each technical term of the pages; glossary.toml has them."""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app import content
from app.i18n import _
from app.registry import Address, address_of


@dataclass(frozen=True)
class GlossaryEntry:
    """A term; `other` is the field's other word, and `pages` are those where it means this."""

    forms: str
    meaning: str
    seen: Address
    other: str = ""
    pages: tuple[str, ...] = ()  # none: all of them

    @property
    def term(self) -> str:
        """The term in the language of the interface."""
        return forms_of(self)[0]

    @property
    def english(self) -> str:
        """The field's English word, where the interface's language has another one."""
        english = self.forms.split(", ")[0]
        return "" if english == self.term else english


def forms_of(entry: GlossaryEntry) -> list[str]:
    """Return all forms in the language of the interface, the term itself first."""
    return _(entry.forms).split(", ")


def alphabetical(term: str) -> str:
    """Return what a term is sorted by: its letters without accents, capitals and signs."""
    letters = unicodedata.normalize("NFD", term.casefold())
    return re.sub(r"[^a-z0-9 ]", "", letters)


ENTRIES: Final = tuple(
    GlossaryEntry(
        forms, **row | {"seen": address_of(row["seen"]), "pages": tuple(row.get("pages", ()))}
    )
    for forms, row in content.load(Path(__file__).with_name("glossary.toml")).items()
)
