"""Draws sentences about how things are: qualities, places, feelings, professions, existence."""

from dataclasses import replace

from model.tasks.phrases import tree
from model.tasks.phrases.lexicon import ADJECTIVES, FEELINGS, VERBS, Noun, Verb, adjectives, nouns
from model.tasks.phrases.words import Words
from model.text.spelling import spell

AROUND = ("in", "in", "in", "behind", "in front of", "near", "next to")
WEATHER = (
    tree.Saying("it is cold", "hace frío", "il fait froid"),
    tree.Saying("it is hot", "hace calor", "il fait chaud"),
    tree.Saying("the weather is nice", "hace buen tiempo", "il fait beau"),
    tree.Saying("the weather is bad", "hace mal tiempo", "il fait mauvais"),
    tree.Saying("it rains a lot", "llueve mucho", "il pleut beaucoup"),
    tree.Saying("it snows a lot", "nieva mucho", "il neige beaucoup"),
)


class States(Words):
    """Sentences that say how things are."""

    def clause(
        self,
        subject: tree.Nominal,
        verb: Verb,
        complements: tuple[tree.Complement, ...],
        tense: tree.Tense,
        negative: bool = False,
        question: tree.Question = "",
        counted: Noun | None = None,
        timeless: bool = False,
    ) -> tree.Clause:
        """Complete a clause with a time, a word order and adverbs."""
        wants_time = self.chance(0.35) or (tense == "past" and subject.person == 3)
        time = self.time(tense) if wants_time and not timeless else None
        plain = not (time or negative or question) and tense == "present"
        adverb: tree.Adverb = ""
        if plain and not timeless and self.chance(0.12):
            adverb = self.rng.choice(("always", "never"))
        time_first = bool(time) and not (question or negative) and self.chance(0.3)
        order = time_first, self.chance(0.5)
        return tree.Clause(
            subject, verb, complements, tense, negative, adverb, question, counted, time, *order
        )

    def mood(self, subject: tree.Nominal) -> tuple[bool, tree.Question]:
        """Draw whether a sentence is negated or a question; nobody asks about themselves."""
        if self.chance(0.2):
            return True, ""
        asks = self.chance(0.2) and subject.person != 0
        return False, "yes-no" if asks else ""

    def state_tense(self) -> tree.Tense:
        return "past" if self.chance(0.2) else "present"

    def described(self) -> tuple[tree.Nominal, tree.Being]:
        """Draw a subject, and an adjective that fits it."""
        if self.chance(0.5):
            subject = self.subject()
            kind = subject.noun.kind if isinstance(subject, tree.Phrase) else "person"
            if isinstance(subject, tree.Both):
                kind = "kin"
        else:
            adjective = self.rng.choice([a for a in ADJECTIVES if "person" not in a.kinds])
            kind = self.rng.choice(adjective.kinds.split(","))
            subject = self.thing(self.rng.choice(nouns(kind)), plain=True)
            if subject.noun.mass:
                subject = tree.Phrase(subject.noun)
        if isinstance(subject, tree.Phrase):
            subject = replace(subject, adjective=None, number=0)
        # "nouveau" comes only before a noun.
        fitting = [one for one in adjectives(kind) if one.en != "new"]
        return subject, tree.Being(self.rng.choice(fitting))

    def being(self) -> tree.Clause:
        """Somebody or something has a quality, or more of it than another."""
        subject, being = self.described()
        adjective = being.adjective
        if isinstance(subject, tree.Phrase) and adjective.gradable and self.chance(0.4):
            others = [noun for noun in nouns(subject.noun.kind) if noun is not subject.noun]
            other = tree.Phrase(self.rng.choice(others), feminine=self.chance(0.5))
            if other.noun.kind in ("kin", "parent"):
                other = tree.Phrase(other.noun, owner=self.one_of_us())
            degree: tree.Degree = self.rng.choice(("more", "more", "less", "as"))
            return tree.Clause(subject, VERBS["be"], (tree.Being(adjective, degree, other),))
        mood, tense = self.mood(subject), self.state_tense()
        timeless = adjective.copula == "ser"
        return self.clause(subject, VERBS["be"], (being,), tense, *mood, timeless=timeless)

    def located(self) -> tree.Clause:
        """Somebody or something is somewhere."""
        near: str | None = self.rng.choice(AROUND)
        if self.chance(0.5):
            subject: tree.Nominal = self.subject()
        else:
            subject = self.thing(self.rng.choice(nouns("animal", "vehicle")), plain=True)
            if self.chance(0.7):
                near = None
                thing = self.rng.choice(nouns("thing", "reading", "writing"))
                subject = self.thing(thing, plain=True)
        mood, tense = self.mood(subject), self.state_tense()
        if self.chance(0.15):
            where = tree.Pronoun(5, True) if subject.person == 0 else subject
            return tree.Clause(where, VERBS["be"], (), tense, question="where", inverted=True)
        place = (self.place(near),)
        return self.clause(subject, VERBS["be"], place, tense, *mood, timeless=True)

    def there(self) -> tree.There:
        """There is something somewhere, or none of it."""
        past = self.chance(0.2)
        around = self.chance(0.5)
        place = self.place(self.rng.choice(AROUND if around else ("in", "on", "on", "under")))
        if self.chance(0.35):
            noun = self.rng.choice(nouns("dish", "drink"))
            return tree.There(tree.Phrase(noun, "bare"), place, past, self.chance(0.5))
        beside, inside = ("animal", "person", "vehicle"), ("thing", "clothes", "food", "reading")
        noun = self.rng.choice(nouns(*(beside if around else inside)))
        if self.chance(0.4):
            return tree.There(tree.Phrase(noun, "a"), place, past)
        number = self.rng.randint(2, 12)
        determiner: tree.Determiner = self.rng.choice(("number", "number", "many", "few"))
        return tree.There(tree.Phrase(noun, determiner, plural=True, number=number), place, past)

    def feeling(self) -> tree.Clause:
        """Somebody is hungry, or is of some age."""
        subject = self.subject()
        if self.chance(0.4):
            feeling = tree.Feeling("age", self.rng.randint(2, 99))
            return tree.Clause(subject, VERBS["be"], (feeling,))
        feeling = tree.Feeling(self.rng.choice(list(FEELINGS)))
        mood, tense = self.mood(subject), self.state_tense()
        return self.clause(subject, VERBS["be"], (feeling,), tense, *mood)

    def job(self) -> tree.Clause:
        """Somebody is a doctor."""
        subject: tree.Nominal = self.pronoun() if self.chance(0.6) else self.name()
        mood, job = self.mood(subject), tree.Job(self.rng.choice(nouns("job")))
        return self.clause(subject, VERBS["be"], (job,), self.state_tense(), *mood, timeless=True)

    def saying(self) -> tree.Saying:
        """The weather, or the time of day."""
        if self.chance(0.4):
            hour = self.rng.randint(2, 12)
            en, es, fr = (spell(hour, language) for language in ("en", "es", "fr"))
            return tree.Saying(f"it is {en} o'clock.", f"son las {es}.", f"il est {fr} heures.")
        weather, time = self.rng.choice(WEATHER), self.time("present")
        return tree.Saying(
            f"{weather.en} {time.en}.", f"{weather.es} {time.es}.", f"{weather.fr} {time.fr}."
        )
