"""Draws what a sentence of the phrase book says: who does what to whom, when and where.

Anything that a source language leaves open but English must express is decided here, so that a
source sentence has one translation: "su" refers to the subject, Spanish drops only the pronouns I,
you and we, and a past tense that looks like a present comes with a time.
"""

from collections.abc import Callable
from dataclasses import replace

from model.tasks.phrases import tree
from model.tasks.phrases.lexicon import ADJECTIVES, FEELINGS, VERBS, Noun, Verb, adjectives, nouns
from model.tasks.phrases.words import PEOPLE, Words
from model.text.spelling import spell

ACTIONS = [verb for verb in VERBS.values() if verb.objects not in ("-", "modal")]
TRANSITIVE = [verb for verb in ACTIONS if verb.objects != "none"]
MODALS = [verb for verb in VERBS.values() if verb.objects == "modal"]
UNWANTED = ("arrive", "lose", "forget", "break", "receive", "cry")
STATES = ("have", "know", "understand", "see")  # no progressive, no imperative; "know" no past
AROUND = ("in", "in", "in", "behind", "in front of", "near", "next to")
WEATHER = (
    tree.Saying("it is cold", "hace frío", "il fait froid"),
    tree.Saying("it is hot", "hace calor", "il fait chaud"),
    tree.Saying("the weather is nice", "hace buen tiempo", "il fait beau"),
    tree.Saying("the weather is bad", "hace mal tiempo", "il fait mauvais"),
    tree.Saying("it rains a lot", "llueve mucho", "il pleut beaucoup"),
    tree.Saying("it snows a lot", "nieva mucho", "il neige beaucoup"),
)


class Grammar(Words):
    """All the sentences of the phrase book."""

    def sentence(self) -> tree.Sentence:
        """Draw one sentence."""
        kinds: dict[Callable[[], tree.Sentence], int] = {
            self.action: 30,
            self.being: 14,
            self.modal: 8,
            self.located: 7,
            self.movement: 7,
            self.liking: 7,
            self.there: 6,
            self.asking: 9,
            self.feeling: 4,
            self.job: 3,
            self.command: 3,
            self.in_progress: 5,
            self.saying: 1,
        }
        (kind,) = self.rng.choices(list(kinds), list(kinds.values()))
        return kind()

    def tense(self) -> tree.Tense:
        return self.rng.choice(("present", "present", "past", "future"))

    def action(self) -> tree.Clause:
        """Somebody does something: to a thing, to a person, or without an object."""
        subject, tense = self.subject(), self.tense()
        negative, question = self.mood(subject)
        verb = self.rng.choice(ACTIONS if self.chance(0.7) else TRANSITIVE)
        if verb.en in ("know", "have"):
            tense = "present"
        complements: tuple[tree.Complement, ...] = ()
        if verb in TRANSITIVE:
            complements = (self.object(verb, subject, negative),)
            if any(kind in PEOPLE for kind in verb.objects.split(",")) and verb.en != "have":
                tense = "present" if tense == "past" and self.chance(0.5) else tense
                persons = [p for p in (0, 1, 3, 5) if p % 3 != subject.person % 3]
                if tense != "past" and self.chance(0.35):
                    complements = (tree.Them(self.rng.choice(persons)),)
        elif verb.en not in ("arrive", "leave") and self.chance(0.3):
            complements = (self.place("in"),)
        timeless = verb.en in STATES and tense == "present"
        return self.clause(subject, verb, complements, tense, negative, question, timeless=timeless)

    def in_progress(self) -> tree.Clause:
        """Somebody is doing something now."""
        subject, verb = self.subject(), self.rng.choice(ACTIONS)
        while verb.en in (*STATES, "arrive", "leave"):
            verb = self.rng.choice(ACTIONS)
        objects = self.objects(verb, subject, False)
        question: tree.Question = "yes-no" if self.chance(0.2) and subject.person != 0 else ""
        doing = (tree.Doing(verb, objects),)
        time = self.time("now") if self.chance(0.3) else None
        return tree.Clause(subject, VERBS["be"], doing, question=question, time=time)

    def modal(self) -> tree.Clause:
        """Somebody wants to do something, can or must."""
        subject, modal = self.subject(), self.rng.choice(MODALS)
        negative, question = self.mood(subject)
        if modal.en == "can" and subject.person == 0 and self.chance(0.4):
            negative, question = False, "yes-no"
        if modal.en == "must":
            negative, question = False, ""
        verb = self.rng.choice(ACTIONS)
        while verb.en in ("have", "know", *UNWANTED):
            verb = self.rng.choice(ACTIONS)
        objects = self.objects(verb, subject, negative)
        doing = (tree.Doing(verb, objects),)
        return self.clause(subject, modal, doing, "present", negative, question, timeless=True)

    def movement(self) -> tree.Clause:
        """Somebody goes somewhere, comes from somewhere, or puts a thing somewhere."""
        subject, tense = self.subject(), self.tense()
        mood = self.mood(subject)
        verb = VERBS[self.rng.choice(("go", "go", "come", "put"))]
        place = self.place("to" if verb.en == "go" else "from")
        if verb.en != "put":
            return self.clause(subject, verb, (place,), tense, *mood)
        noun = self.rng.choice(nouns("thing", "clothes", "reading", "writing"))
        place = self.place(self.rng.choice(("on", "under")))
        thing = self.thing(noun, subject, plain=True)
        return self.clause(subject, verb, (thing, place), tense, *mood)

    def liking(self) -> tree.Clause:
        """Somebody likes things in general, one thing, or doing something."""
        subject = self.subject()
        mood = self.mood(subject)
        noun = self.rng.choice(nouns("food", "dish", "drink", "animal", "reading", "clothes"))
        liked: tree.Complement = tree.Phrase(noun, "bare", plural=not noun.mass)
        if self.chance(0.3):
            liked = tree.Phrase(noun, "this", plural=not noun.mass and self.chance(0.3))
        if self.chance(0.3):
            verbs = [verb for verb in ACTIONS if verb.objects == "none" and verb.en != "arrive"]
            liked = tree.Doing(self.rng.choice(verbs))
        return self.clause(subject, VERBS["like"], (liked,), "present", *mood, timeless=True)

    def asking(self) -> tree.Clause:
        """A question with a question word: who, what, when, why, how many, how old."""
        question: tree.Question = self.rng.choice(
            ("who", "what", "when", "why", "how many", "how old")
        )
        subject = self.subject()
        while subject.person == 0:
            subject = self.subject()
        if question == "how old":
            return tree.Clause(subject, VERBS["be"], (), question=question)
        if question == "how many":
            counted = ("food", "animal", "thing", "clothes", "reading", "writing")
            noun = self.rng.choice(nouns(*counted))
            verb = VERBS["have"]
            if noun.kind in ("food", "clothes"):
                verb = VERBS[self.rng.choice(("have", "buy", "sell"))]
            return self.clause(
                subject, verb, (), "present", question=question, counted=noun, timeless=True
            )
        tense = self.tense()
        if question == "who":
            subject = tree.Pronoun(2)
            verb = self.rng.choice([v for v in ACTIONS if v.en not in STATES])
            objects = self.objects(verb, tree.Pronoun(0), True)
            return self.clause(subject, verb, objects, tense, question=question)
        if question == "what":
            verb = self.rng.choice([v for v in TRANSITIVE if v.en not in (*STATES, "invite")])
            while any(kind in PEOPLE for kind in verb.objects.split(",")):
                verb = self.rng.choice([v for v in TRANSITIVE if v.en not in STATES])
            return self.clause(subject, verb, (), tense, question=question)
        verb = self.rng.choice([v for v in ACTIONS if v.en not in STATES])
        objects = self.objects(verb, subject, True)
        if tense == "past" and subject.person == 3:
            tense = "future"
        timeless = question == "when"
        return self.clause(subject, verb, objects, tense, question=question, timeless=timeless)

    def command(self) -> tree.Command:
        """An order."""
        orders = [verb for verb in TRANSITIVE if verb.en not in (*STATES, *UNWANTED)]
        verb = self.rng.choice(orders)
        return tree.Command(verb, (self.object(verb, tree.Pronoun(1), True),))

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
