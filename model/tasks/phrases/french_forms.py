"""The forms of French words: plurals, genders and conjugations, by rule where there is one."""

import re

from model.tasks.phrases.lexicon import Adjective, Noun, conjugations

BEFORE_VOWEL = {
    "ce": "cet",
    "ma": "mon",
    "ta": "ton",
    "sa": "son",
    "beau": "bel",
    "nouveau": "nouvel",
    "vieux": "vieil",
}
PRESENT = {"er": ("e", "es", "e", "ons", "ez", "ent"), "re": ("s", "s", "", "ons", "ez", "ent")}
FUTURE = ("ai", "as", "a", "ons", "ez", "ont")
VOWEL = re.compile(r"[aeiouhàâéèêëîïôœ]", re.IGNORECASE)


def pluralise(word: str) -> str:
    """Return the plural of a noun or an adjective."""
    if word[-1] in "sxz":
        return word
    if word.endswith("al"):
        return word[:-1] + "ux"
    return word + ("x" if word.endswith("eau") else "s")


def noun_form(noun: Noun, plural: bool, is_feminine: bool) -> str:
    """Return the singular or plural of a noun, and its gender's form if it has two."""
    word = noun.fr.split("/")[-1 if is_feminine else 0]
    if plural and word.startswith("grand-"):
        return "grands-" + pluralise(word.removeprefix("grand-"))
    return pluralise(word) if plural else word


def adjective_form(adjective: Adjective, plural: bool, is_feminine: bool) -> str:
    """Return the form of an adjective for a gender and number."""
    word = adjective.fr_feminine if is_feminine else adjective.fr
    return pluralise(word) if plural else word


def conjugate(infinitive: str, tense: str, person: int) -> str:
    """Return a verb in the present, the future, or the past (imperfect of être and avoir)."""
    table = conjugations("fr")
    if tense == "future":
        stem = table.get((infinitive, "stem"), [infinitive.removesuffix("e")])[0]
        return stem + FUTURE[person]
    if (infinitive, tense) in table:
        return table[infinitive, tense][person]
    assert tense == "present", f"{infinitive} has no {tense}"
    stem, kind = infinitive[:-2], infinitive[-2:]
    ending = PRESENT[kind][person]
    return stem + ("e" if stem.endswith("g") and ending == "ons" else "") + ending


def participle(infinitive: str) -> str:
    """Return the past participle, such as "mangé"."""
    regular = infinitive[:-2] + {"er": "é", "ir": "i", "re": "u"}[infinitive[-2:]]
    return conjugations("fr").get((infinitive, "participle"), [regular])[0]


def before(word: str, following: str) -> str:
    """Return the form of a word before another: ce -> cet, beau -> bel, ma -> mon."""
    return BEFORE_VOWEL.get(word, word) if VOWEL.match(following) else word


def command(infinitive: str) -> str:
    """Return the familiar imperative: mange, prends."""
    form = conjugate(infinitive, "present", 1)
    return form.removesuffix("s") if form.endswith("es") else form
