"""What a sentence of the phrase book says, independent of any language.

Persons are numbered as in a grammar: 0, 1, 2 are I, you, he or she; 3, 4, 5 are their plurals.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from itertools import count
from typing import Any, Final, Literal, get_args

from model.tasks.phrases.lexicon import Adjective, Noun, Time, Verb, Word

Determiner = Literal["the", "a", "some", "this", "many", "few", "bare", "number"]
Degree = Literal["", "more", "less", "as"]
Adverb = Literal["", "always", "never"]
Tense = Literal["present", "past", "future"]
FIRST_MARK: Final = 0xE000  # private-use characters, which occur in no sentence
MARKS: Final = re.compile("[\ue000-\uf8ff]")
Part = Literal[
    "self", "noun", "determiner", "adjective", "of", "verb", "not", "adverb", "time", "ask", "than"
]
PARTS: Final = get_args(Part)
Question = Literal["", "yes-no", "who", "what", "where", "when", "why", "how many", "how old"]


@dataclass(frozen=True)
class PhraseNode:
    """A part of a sentence; in a marked tree its `mark` is unique."""

    mark: int = field(default=0, kw_only=True, compare=False, repr=False)


@dataclass(frozen=True)
class Pronoun(PhraseNode):
    """I, you, she …; `formal` is usted or the polite vous; `spoken` if Spanish does not drop it."""

    person: int
    feminine: bool = False
    formal: bool = False
    spoken: bool = True

    @property
    def plural(self) -> bool:
        return self.person > 2


@dataclass(frozen=True)
class Name(PhraseNode):
    """A person's name, the same in both languages."""

    name: str
    feminine: bool
    person = 2
    plural = False


@dataclass(frozen=True)
class Phrase(PhraseNode):
    """A noun with its determiner, adjective and owner; a pronoun as owner becomes "my", "your" …"""

    noun: Noun
    determiner: Determiner = "the"
    plural: bool = False
    feminine: bool = False  # used only if the noun has both genders
    adjective: Adjective | None = None
    owner: "Owner | None" = None
    number: int = 0

    @property
    def person(self) -> int:
        return 5 if self.plural else 2


@dataclass(frozen=True)
class Both(PhraseNode):
    """Two people joined by "and"."""

    first: Name | Phrase
    second: Name | Phrase
    person = 5
    plural = True


Owner = Pronoun | Name | Phrase
Nominal = Pronoun | Name | Phrase | Both


@dataclass(frozen=True)
class Them(PhraseNode):
    """A pronoun as an object: me, you, us, them."""

    person: int


@dataclass(frozen=True)
class Being(PhraseNode):
    """An adjective of the subject, possibly compared with another: more, less or as …"""

    adjective: Adjective
    degree: Degree = ""
    than: Nominal | None = None


@dataclass(frozen=True)
class Place(PhraseNode):
    """Where (in, on, under, behind, in front of, near, next to), to where, or from where."""

    preposition: str
    phrase: Phrase


@dataclass(frozen=True)
class Job(PhraseNode):
    """The subject's profession."""

    noun: Noun


@dataclass(frozen=True)
class Feeling(PhraseNode):
    """Hunger, thirst …, or an age in years: "be" in English, "have" in Spanish and French."""

    name: str
    years: int = 0


@dataclass(frozen=True)
class Doing(PhraseNode):
    """A second verb: after a modal, or for what somebody is doing right now."""

    verb: Verb
    complements: "tuple[Complement, ...]" = ()


Complement = Phrase | Name | Them | Being | Place | Job | Feeling | Doing


@dataclass(frozen=True)
class Clause(PhraseNode):
    """Who does what, when; `inverted` chooses between the two ways of asking in French."""

    subject: Nominal
    verb: Verb
    complements: tuple[Complement, ...] = ()
    tense: Tense = "present"
    negative: bool = False
    adverb: Adverb = ""
    question: Question = ""
    counted: Noun | None = None
    time: Time | None = None
    time_first: bool = False
    inverted: bool = False


@dataclass(frozen=True)
class There(PhraseNode):
    """There is something somewhere."""

    phrase: Phrase
    place: Place
    past: bool = False
    negative: bool = False


@dataclass(frozen=True)
class Command(PhraseNode):
    """An order to one friend."""

    verb: Verb
    complements: tuple[Complement, ...]


@dataclass(frozen=True)
class Saying(PhraseNode, Word):
    """A fixed expression of weather or time of day."""


Sentence = Clause | There | Command | Saying


def feminine(nominal: Nominal, language: Literal["es", "fr"]) -> bool:
    """Return whether words that agree with a nominal are feminine in a language."""
    if isinstance(nominal, Both):
        return feminine(nominal.first, language) and feminine(nominal.second, language)
    if isinstance(nominal, Phrase):
        gender = nominal.noun.es_gender if language == "es" else nominal.noun.fr_gender
        return nominal.feminine if gender == "mf" else gender.startswith("f")
    return nominal.feminine


def marked(sentence: Sentence) -> Sentence:
    """Return a sentence whose parts each have a unique mark."""
    marks = count(FIRST_MARK, len(PARTS))
    return _marked(sentence, marks)


def _marked(value: Any, marks: Iterator[int]) -> Any:
    if isinstance(value, tuple):
        return tuple(_marked(one, marks) for one in value)
    if not isinstance(value, PhraseNode):
        return value
    inner = {f.name: _marked(getattr(value, f.name), marks) for f in fields(value)}
    return replace(value, **inner | {"mark": next(marks)})


def say(words: str, node: PhraseNode, part: Part = "self") -> str:
    """Return words; in a marked tree, each ends with the mark of its node and part."""
    if not node.mark:
        return words
    mark = chr(node.mark + PARTS.index(part))
    return " ".join(word + mark for word in words.split())


def unmarked(words: str) -> str:
    """Return words without their marks."""
    return MARKS.sub("", words)


def sentence_of(words: str) -> str:
    """Return words as a sentence: single blanks, none before the stop, a capital at the start."""
    words = " ".join(words.split()).replace(" .", ".")
    first = next(i for i, char in enumerate(words) if char.isalpha())
    return words[:first] + words[first].upper() + words[first + 1 :]
