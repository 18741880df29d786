"""The words of the phrase book, read from the TSV files in this folder.

A word for a person has a masculine and a feminine, "amigo/amiga"; a noun with the gender `fa` is
feminine but takes "el", as "agua" does. A dash means that there is no such form or use.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Noun:
    """A noun in three languages; `kind` groups nouns that fit the same verbs and adjectives."""

    en: str
    es: str
    es_gender: str
    fr: str
    fr_gender: str
    kind: str

    @property
    def mass(self) -> bool:
        return self.kind in ("dish", "drink")


@dataclass(frozen=True)
class Adjective:
    """An adjective: its copula in Spanish, and its place before or after the noun."""

    en: str
    more: str  # the comparative, where it is one word
    es: str
    copula: str
    es_place: str
    fr: str
    fr_feminine: str
    fr_place: str
    kinds: str

    @property
    def attributive(self) -> bool:
        return self.fr_place != "-"

    @property
    def gradable(self) -> bool:
        return self.more != "-"


@dataclass(frozen=True)
class Verb:
    """A verb; `objects` are its kinds of objects, or "none", "modal", or "-" if special."""

    en: str
    en_past: str
    en_ing: str
    es: str
    fr: str
    objects: str


@dataclass(frozen=True)
class Time:
    """When something happens, and the tense that goes with it."""

    tense: str
    en: str
    es: str
    fr: str


@dataclass(frozen=True)
class Word:
    """A word with only one form."""

    en: str
    es: str
    fr: str


def _rows(name: str) -> list[list[str]]:
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines[1:]]


NOUNS = tuple(Noun(*row) for row in _rows("nouns.tsv"))
ADJECTIVES = tuple(Adjective(*row) for row in _rows("adjectives.tsv"))
VERBS = {row[0]: Verb(*row) for row in _rows("verbs.tsv")}
TIMES = tuple(Time(*row) for row in _rows("times.tsv"))
PREPOSITIONS = {row[0]: Word(*row) for row in _rows("prepositions.tsv")}
FEELINGS = {row[0]: Word(*row) for row in _rows("feelings.tsv")}


@cache
def conjugations(language: str) -> Mapping[tuple[str, str], list[str]]:
    """Return the irregular forms by (verb, tense)."""
    return {
        (verb, tense): forms.split() for verb, tense, forms in _rows(f"conjugations_{language}.tsv")
    }


@cache
def nouns(*kinds: str) -> tuple[Noun, ...]:
    """Return the nouns of the given kinds."""
    return tuple(noun for noun in NOUNS if noun.kind in kinds)


@cache
def adjectives(kind: str) -> tuple[Adjective, ...]:
    """Return the adjectives that fit a kind of noun."""
    return tuple(one for one in ADJECTIVES if kind in one.kinds.split(","))
