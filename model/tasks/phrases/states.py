"""Draws what is: so, somewhere, hungry, a profession, or there at all."""

from dataclasses import replace

from num2words import num2words

from model.tasks.phrases.lexicon import ADJECTIVES, FEELINGS, VERBS, Noun, Verb, adjectives, nouns
from model.tasks.phrases.tree import (
    Adverb,
    Being,
    Both,
    Clause,
    Complement,
    Degree,
    Determiner,
    Feeling,
    Job,
    Nominal,
    Phrase,
    Pronoun,
    Question,
    Saying,
    Tense,
    There,
)
from model.tasks.phrases.words import Words

AROUND = ("in", "in", "in", "behind", "in front of", "near", "next to")
WEATHER = (
    Saying("it is cold", "hace frío", "il fait froid"),
    Saying("it is hot", "hace calor", "il fait chaud"),
    Saying("the weather is nice", "hace buen tiempo", "il fait beau"),
    Saying("the weather is bad", "hace mal tiempo", "il fait mauvais"),
    Saying("it rains a lot", "llueve mucho", "il pleut beaucoup"),
    Saying("it snows a lot", "nieva mucho", "il neige beaucoup"),
)


class States(Words):
    """Sentences that say how things are."""

    def clause(
        self,
        subject: Nominal,
        verb: Verb,
        complements: tuple[Complement, ...],
        tense: Tense,
        negative: bool = False,
        question: Question = "",
        counted: Noun | None = None,
        timeless: bool = False,
    ) -> Clause:
        """Complete a clause by time, order and adverbs."""
        wants_time = self.chance(0.35) or (tense == "past" and subject.person == 3)
        time = self.time(tense) if wants_time and not timeless else None
        plain = not (time or negative or question) and tense == "present"
        adverb: Adverb = ""
        if plain and not timeless and self.chance(0.12):
            adverb = self.rng.choice(("always", "never"))
        return Clause(
            subject,
            verb,
            complements,
            tense,
            negative,
            adverb,
            question,
            counted,
            time,
            time_first=bool(time) and not (question or negative) and self.chance(0.3),
            inverted=self.chance(0.5),
        )

    def mood(self, subject: Nominal) -> tuple[bool, Question]:
        """Draw whether a sentence denies or asks; nobody asks what he does himself."""
        if self.chance(0.2):
            return True, ""
        asks = self.chance(0.2) and subject.person != 0
        return False, "yes-no" if asks else ""

    def described(self) -> tuple[Nominal, Being]:
        """Draw a subject, and an adjective that fits it."""
        if self.chance(0.5):
            subject = self.subject()
            kind = subject.noun.kind if isinstance(subject, Phrase) else "person"
            if isinstance(subject, Both):
                kind = "kin"
        else:
            adjective = self.rng.choice([a for a in ADJECTIVES if "person" not in a.kinds])
            kind = self.rng.choice(adjective.kinds.split(","))
            subject = self.thing(self.rng.choice(nouns(kind)), plain=True)
            if subject.noun.mass:
                subject = Phrase(subject.noun)
        if isinstance(subject, Phrase):
            subject = replace(subject, adjective=None, number=0)
        fitting = [one for one in adjectives(kind) if one.en != "new"]  # nouveau only before
        return subject, Being(self.rng.choice(fitting))

    def being(self) -> Clause:
        """Somebody or something is so, or more so than another."""
        subject, being = self.described()
        adjective = being.adjective
        if isinstance(subject, Phrase) and adjective.gradable and self.chance(0.4):
            others = [noun for noun in nouns(subject.noun.kind) if noun is not subject.noun]
            other = Phrase(self.rng.choice(others), feminine=self.chance(0.5))
            if other.noun.kind in ("kin", "parent"):
                other = Phrase(other.noun, owner=Pronoun(self.rng.choice((0, 1, 3, 4))))
            degree: Degree = self.rng.choice(("more", "more", "less", "as"))
            being = Being(adjective, degree, other)
            return Clause(subject, VERBS["be"], (being,))
        negative, question = self.mood(subject)
        tense: Tense = "past" if self.chance(0.2) else "present"
        timeless = adjective.copula == "ser"
        return self.clause(
            subject, VERBS["be"], (being,), tense, negative, question, timeless=timeless
        )

    def located(self) -> Clause:
        """Somebody or something is somewhere."""
        near: str | None = self.rng.choice(AROUND)
        if self.chance(0.5):
            subject: Nominal = self.subject()
        else:
            subject = self.thing(self.rng.choice(nouns("animal", "vehicle")), plain=True)
            if self.chance(0.7):
                near = None
                thing = self.rng.choice(nouns("thing", "reading", "writing"))
                subject = self.thing(thing, plain=True)
        negative, question = self.mood(subject)
        tense: Tense = "past" if self.chance(0.2) else "present"
        if self.chance(0.15):
            where = Pronoun(5, True) if subject.person == 0 else subject
            return Clause(where, VERBS["be"], (), tense, question="where", inverted=True)
        return self.clause(
            subject, VERBS["be"], (self.place(near),), tense, negative, question, timeless=True
        )

    def there(self) -> There:
        """There is something somewhere, or none of it."""
        past = self.chance(0.2)
        around = self.chance(0.5)
        place = self.place(self.rng.choice(AROUND if around else ("in", "on", "on", "under")))
        if self.chance(0.35):
            noun = self.rng.choice(nouns("dish", "drink"))
            return There(Phrase(noun, "bare"), place, past, self.chance(0.5))
        beside, inside = ("animal", "person", "vehicle"), ("thing", "clothes", "food", "reading")
        noun = self.rng.choice(nouns(*(beside if around else inside)))
        if self.chance(0.4):
            return There(Phrase(noun, "a"), place, past)
        number = self.rng.randint(2, 12)
        determiner: Determiner = self.rng.choice(("number", "number", "many", "few"))
        return There(Phrase(noun, determiner, plural=True, number=number), place, past)

    def feeling(self) -> Clause:
        """Somebody is hungry, or has an age."""
        subject = self.subject()
        if self.chance(0.4):
            feeling = Feeling("age", self.rng.randint(2, 99))
            return Clause(subject, VERBS["be"], (feeling,))
        feeling = Feeling(self.rng.choice(list(FEELINGS)))
        negative, question = self.mood(subject)
        tense: Tense = "past" if self.chance(0.2) else "present"
        return self.clause(subject, VERBS["be"], (feeling,), tense, negative, question)

    def job(self) -> Clause:
        """Somebody is a doctor."""
        subject: Nominal = self.pronoun() if self.chance(0.6) else self.name()
        negative, question = self.mood(subject)
        noun = self.rng.choice(nouns("job"))
        tense: Tense = "past" if self.chance(0.2) else "present"
        return self.clause(
            subject, VERBS["be"], (Job(noun),), tense, negative, question, timeless=True
        )

    def saying(self) -> Saying:
        """The weather, or the time of day."""
        if self.chance(0.4):
            hour = self.rng.randint(2, 12)
            en, es, fr = (num2words(hour, lang=language) for language in ("en", "es", "fr"))
            return Saying(f"it is {en} o'clock.", f"son las {es}.", f"il est {fr} heures.")
        weather, time = self.rng.choice(WEATHER), self.time("present")
        return Saying(
            f"{weather.en} {time.en}.", f"{weather.es} {time.es}.", f"{weather.fr} {time.fr}."
        )
