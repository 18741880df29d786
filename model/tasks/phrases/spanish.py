"""Spanish: agreement, conjugation, the personal a, ser and estar, and the dropped subject."""

import re
from dataclasses import replace

from num2words import num2words

from model.tasks.phrases.lexicon import FEELINGS, PREPOSITIONS, Verb
from model.tasks.phrases.spanish_forms import (
    adjective_form,
    command,
    conjugate,
    gerund,
    noun_form,
)
from model.tasks.phrases.tree import (
    Being,
    Both,
    Clause,
    Command,
    Complement,
    Doing,
    Feeling,
    Job,
    Name,
    Nominal,
    Phrase,
    Place,
    Pronoun,
    Saying,
    Sentence,
    Them,
    There,
    feminine,
    sentence_of,
)

PRONOUNS = ("yo", "tú", "él", "nosotros", "vosotros", "ellos")
FEMININE_PRONOUNS = ("yo", "tú", "ella", "nosotras", "vosotras", "ellas")
CLITICS = ("me", "te", "le", "nos", "os", "les")
POSSESSIVES = ("mi", "tu", "su", "nuestro", "vuestro", "su")
# Masculine and feminine, singular, then plural.
DETERMINERS = {
    "the": ("el", "la", "los", "las"),
    "a": ("un", "una", "unos", "unas"),
    "some": ("un", "una", "unos", "unas"),
    "this": ("este", "esta", "estos", "estas"),
    "many": ("mucho", "mucha", "muchos", "muchas"),
    "few": ("poco", "poca", "pocos", "pocas"),
    "bare": ("", "", "", ""),
}
QUESTIONS = {
    "who": "quién",
    "what": "qué",
    "where": "dónde",
    "when": "cuándo",
    "why": "por qué",
    "how old": "cuántos años",
}
ADVERBS = {"": "", "always": "siempre", "never": "nunca"}
DEGREES = {"more": ("más", "que"), "less": ("menos", "que"), "as": ("tan", "como")}
PEOPLE = {"person", "job", "kin", "parent"}


def _index(plural: bool, is_feminine: bool) -> int:
    return 2 * plural + is_feminine


def _determiner(phrase: Phrase, is_feminine: bool) -> str:
    if isinstance(phrase.owner, Pronoun):
        word = "su" if phrase.owner.formal else POSSESSIVES[phrase.owner.person]
        if word.endswith("o") and is_feminine:
            word = word[:-1] + "a"
        return word + "s" * phrase.plural
    if phrase.determiner == "number":
        return num2words(phrase.number, lang="es")
    return DETERMINERS[phrase.determiner][_index(phrase.plural, is_feminine)]


def nominal(of: Nominal) -> str:
    """Return a subject or object in words."""
    match of:
        case Pronoun(formal=True):
            return "usted"
        case Pronoun(person=person, feminine=is_feminine):
            return (FEMININE_PRONOUNS if is_feminine else PRONOUNS)[person]
        case Name(name=name):
            return name
        case Both(first=first, second=second):
            return f"{nominal(first)} y {nominal(second)}"
    is_feminine = feminine(of, "es")
    words = [noun_form(of.noun, of.plural, is_feminine)]
    if of.adjective:
        adjective = adjective_form(of.adjective, of.plural, is_feminine)
        before = of.adjective.es_place == "before"
        if before and adjective in ("bueno", "malo"):
            adjective = adjective[:-1]
        words.insert(0 if before else 1, adjective)
    determiner = _determiner(of, is_feminine)
    if determiner == "la" and words[0] == of.noun.es and of.noun.es_gender == "fa":
        determiner = "el"
    if of.owner and not isinstance(of.owner, Pronoun):
        words += ["de", nominal(of.owner)]
    return " ".join([determiner, *words])


def _object(phrase: Phrase | Name, verb: Verb, negative: bool) -> str:
    person = isinstance(phrase, Name) or phrase.noun.kind in PEOPLE
    if negative and isinstance(phrase, Phrase) and phrase.determiner == "a":
        phrase = replace(phrase, determiner="bare")  # no tengo coche
    return ("a " if person and verb.es != "tener" else "") + nominal(phrase)


def _than(being: Being, adjective: str) -> str:
    if not being.degree or being.than is None:
        return adjective
    degree, than = DEGREES[being.degree]
    return f"{degree} {adjective} {than} {nominal(being.than)}"


def _complement(
    complement: Complement, verb: Verb, subject: Nominal, negative: bool = False
) -> str:
    is_feminine = feminine(subject, "es")
    match complement:
        case Phrase() | Name():
            return _object(complement, verb, negative)
        case Being(adjective=adjective):
            return _than(complement, adjective_form(adjective, subject.plural, is_feminine))
        case Place(preposition=preposition, phrase=phrase):
            return f"{PREPOSITIONS[preposition].es} {nominal(phrase)}"
        case Job(noun=noun):
            return noun_form(noun, subject.plural, is_feminine)
        case Feeling(name="age", years=years):
            many = num2words(years, lang="es").replace("veintiuno", "veintiún")
            return f"{many.replace('uno', 'un')} años"
        case Feeling(name=name):
            return FEELINGS[name].es
        case Doing(verb=doing, complements=complements):
            form = gerund(doing.es) if verb.es == "ser" else doing.es
            return " ".join([form, *(_complement(c, doing, subject) for c in complements)])
    return ""  # a clitic, which stands before the verb


def _copula(clause: Clause) -> str:
    """Return the verb that says "be" of a clause."""
    if clause.question in ("how old", "where"):
        return "tener" if clause.question == "how old" else "estar"
    match clause.complements[0]:
        case Being(adjective=adjective):
            return adjective.copula
        case Feeling():
            return "tener"
        case Job():
            return "ser"
    return "estar"


def _subject(subject: Nominal) -> str:
    if isinstance(subject, Pronoun) and not subject.spoken:
        return ""
    return nominal(subject)


def _liking(clause: Clause) -> str:
    """Return "me gusta el café": what is liked is the subject."""
    subject, liked = clause.subject, clause.complements[0]
    person = 2 if isinstance(subject, Pronoun) and subject.formal else subject.person
    to = f"a {nominal(subject)}" if person in (2, 5) else ""
    if isinstance(subject, Both):
        to = f"a {nominal(subject.first)} y a {nominal(subject.second)}"
    many = isinstance(liked, Phrase) and liked.plural
    if isinstance(liked, Phrase) and liked.determiner == "bare":
        liked = replace(liked, determiner="the")
    what = nominal(liked) if isinstance(liked, Phrase) else _complement(liked, clause.verb, subject)
    no = "no" if clause.negative else ""
    words = f"{to} {no} {CLITICS[person]} {'gustan' if many else 'gusta'} {what}"
    return f"¿{words.strip()}?" if clause.question else f"{words}."


def _clause(clause: Clause) -> str:
    if clause.verb.es == "gustar":
        return _liking(clause)
    subject = clause.subject
    person = 2 if isinstance(subject, Pronoun) and subject.formal else subject.person
    infinitive = _copula(clause) if clause.verb.en == "be" else clause.verb.es
    before = ["no"] if clause.negative else [ADVERBS[clause.adverb]]
    before += [CLITICS[c.person] for c in clause.complements if isinstance(c, Them)]
    if clause.complements and isinstance(clause.complements[0], Them):
        before[-1] = "los" if clause.complements[0].person == 5 else before[-1]
    verb = " ".join([*before, conjugate(infinitive, clause.tense, person)])
    rest = " ".join(
        _complement(c, clause.verb, subject, clause.negative) for c in clause.complements
    )
    time = clause.time.es if clause.time else ""
    if clause.question == "":
        words = f"{_subject(subject)} {verb} {rest}"
        return f"{time} {words}." if clause.time_first else f"{words} {time}."
    ask = QUESTIONS.get(clause.question, "")
    if clause.question == "how many" and clause.counted:
        is_feminine = clause.counted.es_gender.startswith("f")
        counted = noun_form(clause.counted, True, is_feminine)
        ask = f"{'cuántas' if is_feminine else 'cuántos'} {counted}"
    who = "" if clause.question == "who" else _subject(subject)
    last = clause.complements and isinstance(clause.complements[0], Being | Feeling)
    order = [rest, who] if last and not isinstance(subject, Pronoun) else [who, rest]
    return f"¿{' '.join(' '.join([ask, verb, *order, time]).split())}?"


def _there(there: There) -> str:
    place = f"{PREPOSITIONS[there.place.preposition].es} {nominal(there.place.phrase)}"
    is_there = "había" if there.past else "hay"
    return f"{'no' if there.negative else ''} {is_there} {nominal(there.phrase)} {place}."


def write(sentence: Sentence) -> str:
    """Return a sentence in Spanish."""
    match sentence:
        case Clause():
            words = _clause(sentence)
        case There():
            words = _there(sentence)
        case Command(verb=verb, complements=complements):
            you = Pronoun(1)
            rest = " ".join(_complement(c, verb, you) for c in complements)
            words = f"¡{command(verb.es)} {rest}!"
        case Saying(es=es):
            words = es
    words = re.sub(r"\b(a|de) el\b", r"\1l", " ".join(words.split()))
    return sentence_of(words.replace(" .", "."))
