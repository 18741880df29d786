"""Draws who, what, where and when: the parts of the phrase book's sentences."""

import random
from collections.abc import Sequence

from model.tasks.phrases import tree
from model.tasks.phrases.lexicon import TIMES, Noun, Time, Verb, adjectives, nouns

NAMES = (
    *(tree.Name(name, feminine=True) for name in ("Ana", "Clara", "Eva", "Sara")),
    *(tree.Name(name, feminine=False) for name in ("Daniel", "David", "Gabriel", "Lucas")),
)
PEOPLE = ("person", "job", "kin", "parent")
MOVABLE = ("thing", "clothes", "reading", "writing", "vehicle", "animal")
OWNED = (*MOVABLE, "building", "surface", "opening")
PLACES = ("goal", "room", "building", "surface", "landmark", "shore")


def _people(subject: tree.Nominal | None) -> tuple[tree.Nominal | None, ...]:
    """Return the people in a subject, who must not be owners too: not "Ana likes Ana's dog"."""
    return (subject.first, subject.second) if isinstance(subject, tree.Both) else (subject,)


class Words:
    """One random choice after another; the same generator gives the same words."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def name(self) -> tree.Name:
        return self.rng.choice(NAMES)

    def pronoun(self) -> tree.Pronoun:
        person, formal = self.rng.randrange(6), self.chance(0.3)
        return tree.Pronoun(
            person,
            feminine=self.chance(0.5),
            formal=formal and person == 1,
            spoken=person in (2, 5) or formal or self.chance(0.2),
        )

    def one_of_us(self) -> tree.Pronoun:
        """Draw I, you or we: an owner that is clear for any subject."""
        return tree.Pronoun(self.rng.choice((0, 1, 3, 4)))

    def someone(self) -> tree.Phrase:
        """Draw a person or people, such as "the doctor", "my cousins" or "Ana's brother"."""
        noun = self.rng.choice(nouns(*PEOPLE))
        family = noun.kind in ("kin", "parent")
        many = self.chance(0.25)
        owner: tree.Pronoun | tree.Name | None = None
        if family:
            me = self.one_of_us()
            owner = self.name() if self.chance(0.25) else me
        fitting = [one for one in adjectives(noun.kind) if one.attributive]
        return tree.Phrase(
            noun,
            "this" if not family and self.chance(0.15) else "the",
            plural=many and noun.kind != "parent",
            feminine=self.chance(0.5),
            adjective=self.rng.choice(fitting) if not family and self.chance(0.2) else None,
            owner=owner,
        )

    def stranger(self) -> tree.Phrase:
        return tree.Phrase(self.rng.choice(nouns("person", "job")), feminine=self.chance(0.5))

    def subject(self) -> tree.Nominal:
        """Draw who does something."""
        share = self.rng.random()
        if share < 0.45:
            return self.pronoun()
        if share < 0.62:
            return self.name()
        if share < 0.92:
            return self.someone()
        first, second = self.rng.sample(NAMES, 2)
        return tree.Both(first, second if self.chance(0.5) else self.stranger())

    def thing(
        self, noun: Noun, subject: tree.Nominal | None = None, plain: bool = False
    ) -> tree.Phrase:
        """Draw a noun phrase; a `plain` one has nothing that a negation would change."""
        fitting = [one for one in adjectives(noun.kind) if one.attributive]
        adjective = self.rng.choice(fitting) if fitting and self.chance(0.3) else None
        if noun.mass:
            bare = self.chance(0.75)
            return tree.Phrase(noun, "bare" if bare else "the", adjective=adjective)
        plural = self.chance(0.3)
        share, owner = self.rng.random(), None
        if share < 0.25 and noun.kind in OWNED:
            owner = self.owner(subject)
        indefinite: tree.Determiner = "some" if plural else "a"
        determiner = self.rng.choice(("the", "the", "this", *([] if plain else [indefinite] * 3)))
        number = 0
        if plural and not plain and self.chance(0.5):
            determiner = self.rng.choice(("many", "few", "number", "number"))
            number = self.rng.randint(2, 12)
        if owner:
            determiner, number = "the", 0
        if determiner == "number":
            adjective = None
        return tree.Phrase(noun, determiner, plural, self.chance(0.5), adjective, owner, number)

    def owner(self, subject: tree.Nominal | None) -> tree.Pronoun | tree.Name | tree.Phrase:
        """Draw an owner; he, she or they only if that is the subject itself."""
        share = self.rng.random()
        if share < 0.2:
            return self.rng.choice([name for name in NAMES if name not in _people(subject)])
        if share < 0.35:
            return self.stranger()
        own = subject.person if subject else 2
        if subject and own in (2, 5) and self.chance(0.6):
            return tree.Pronoun(own, tree.feminine(subject, "es"))
        if isinstance(subject, tree.Pronoun) and self.chance(0.6):
            return subject
        return self.one_of_us()

    def object(self, verb: Verb, subject: tree.Nominal, plain: bool) -> tree.Phrase | tree.Name:
        """Draw an object that fits the verb; friends and family always have an owner."""
        noun = self.rng.choice(nouns(*verb.objects.split(",")))
        if noun.kind in PEOPLE and verb.en != "have":
            return self.name() if self.chance(0.2) else self.someone()
        if verb.en != "have":
            return self.thing(noun, subject, plain)
        if plain:
            noun = self.rng.choice(nouns("animal", "vehicle", "clothes"))
            return tree.Phrase(noun, "a", feminine=self.chance(0.5))
        phrase = self.thing(noun)
        if noun.kind != "kin" and phrase.determiner != "the" and phrase.owner is None:
            return phrase
        return tree.Phrase(noun, "a", feminine=self.chance(0.5))

    def objects(
        self, verb: Verb, subject: tree.Nominal, plain: bool
    ) -> tuple[tree.Phrase | tree.Name, ...]:
        """Draw the object of a verb, or none for a verb without objects."""
        return () if verb.objects == "none" else (self.object(verb, subject, plain),)

    def place(self, preposition: str | None = None) -> tree.Place:
        """Draw where something is."""
        if preposition is None:
            preposition = self.rng.choice(
                ("in", "in", "in", "on", "on", "under", "behind", "in front of", "near", "next to")
            )
        kinds: Sequence[str] = {
            "in": ("room", "goal", "building"),
            "on": ("surface", "shore"),
            "under": ("surface",),
            "to": ("goal", "shore"),
            "from": ("goal", "shore"),
        }.get(preposition, PLACES)
        owner = None
        noun = self.rng.choice(nouns(*kinds))
        if noun.kind in ("building", "surface") and self.chance(0.3):
            owner = self.name() if self.chance(0.3) else self.one_of_us()
        return tree.Place(preposition, tree.Phrase(noun, owner=owner))

    def time(self, tense: str) -> Time:
        return self.rng.choice([time for time in TIMES if time.tense == tense])
