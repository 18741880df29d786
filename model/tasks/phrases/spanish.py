"""Spanish: agreement, conjugation, the personal a, ser and estar, and the dropped subject."""

import re
from dataclasses import replace

from model.tasks.phrases import tree
from model.tasks.phrases.lexicon import FEELINGS, PREPOSITIONS, Adjective, Noun, Verb, conjugations
from model.tasks.phrases.tree import say
from model.text.spelling import spell

ENDINGS = {
    ("ar", "present"): ("o", "as", "a", "amos", "áis", "an"),
    ("er", "present"): ("o", "es", "e", "emos", "éis", "en"),
    ("ir", "present"): ("o", "es", "e", "imos", "ís", "en"),
    ("ar", "past"): ("é", "aste", "ó", "amos", "asteis", "aron"),
    ("er", "past"): ("í", "iste", "ió", "imos", "isteis", "ieron"),
    ("ir", "past"): ("í", "iste", "ió", "imos", "isteis", "ieron"),
}
FUTURE = ("é", "ás", "á", "emos", "éis", "án")
BEFORE_E = {"c": "qu", "g": "gu", "z": "c"}
UNACCENTED = str.maketrans("áéíóú", "aeiou")


def pluralise(word: str) -> str:
    """Return the plural of a noun or an adjective."""
    if word == "joven":
        return "jóvenes"
    if word[-1] in "aeiouáéó":
        return word + "s"
    if word.endswith("z"):
        return word[:-1] + "ces"
    if word[-2] in "áéíóú":
        return word[:-2] + word[-2].translate(UNACCENTED) + word[-1] + "es"
    return word if word == "paraguas" else word + "es"


def noun_form(noun: Noun, plural: bool, is_feminine: bool) -> str:
    """Return the singular or plural of a noun, and its gender's form if it has two."""
    word = noun.es.split("/")[-1 if is_feminine else 0]
    return pluralise(word) if plural else word


def adjective_form(adjective: Adjective, plural: bool, is_feminine: bool) -> str:
    """Return the form of an adjective for a gender and number."""
    word = adjective.es
    if is_feminine and word.endswith("o"):
        word = word[:-1] + "a"
    elif is_feminine and word in ("español", "francés", "inglés"):
        word = word.replace("é", "e") + "a"
    return pluralise(word) if plural else word


def conjugate(infinitive: str, tense: str, person: int) -> str:
    """Return a verb in the present, the past (preterite; imperfect for states) or the future."""
    table = conjugations("es")
    if tense == "future":
        return table.get((infinitive, "stem"), [infinitive])[0] + FUTURE[person]
    if (infinitive, tense) in table:
        return table[infinitive, tense][person]
    stem, kind = infinitive[:-2], infinitive[-2:]
    ending = ENDINGS[kind, tense][person]
    if ending == "é" and stem[-1] in BEFORE_E:
        stem = stem[:-1] + BEFORE_E[stem[-1]]
    return stem + ending


def gerund(infinitive: str) -> str:
    """Return the gerund, which follows estar, such as "comiendo"."""
    regular = infinitive[:-2] + ("ando" if infinitive.endswith("ar") else "iendo")
    return conjugations("es").get((infinitive, "gerund"), [regular])[0]


def command(infinitive: str) -> str:
    """Return the familiar imperative: come, pon."""
    irregular = conjugations("es").get((infinitive, "command"))
    return irregular[0] if irregular else conjugate(infinitive, "present", 2)


PRONOUNS = ("yo", "tú", "él", "nosotros", "vosotros", "ellos")
FEMININE_PRONOUNS = ("yo", "tú", "ella", "nosotras", "vosotras", "ellas")
CLITICS = ("me", "te", "le", "nos", "os", "les")
OBJECTS = (*CLITICS[:5], "los")
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
# "de" and "el" become "del", with the marks of both.
CONTRACTED = re.compile(rf"\b(a|de)({tree.MARKS.pattern}*) +el\b")
PEOPLE = {"person", "job", "kin", "parent"}


def _person(of: tree.Nominal) -> int:
    return 2 if isinstance(of, tree.Pronoun) and of.formal else of.person


def _determiner(phrase: tree.Phrase, is_feminine: bool) -> str:
    if isinstance(phrase.owner, tree.Pronoun):
        word = POSSESSIVES[_person(phrase.owner)]
        if word.endswith("o") and is_feminine:
            word = word[:-1] + "a"
        return word + "s" * phrase.plural
    if phrase.determiner == "number":
        return spell(phrase.number, "es")
    return DETERMINERS[phrase.determiner][2 * phrase.plural + is_feminine]


def nominal(of: tree.Nominal) -> str:
    """Return a subject or object in words."""
    match of:
        case tree.Pronoun(formal=True):
            return say("usted", of)
        case tree.Pronoun(person=person, feminine=is_feminine):
            return say((FEMININE_PRONOUNS if is_feminine else PRONOUNS)[person], of)
        case tree.Name(name=name):
            return say(name, of)
        case tree.Both(first=first, second=second):
            return f"{nominal(first)} {say('y', of)} {nominal(second)}"
    is_feminine = tree.feminine(of, "es")
    noun = noun_form(of.noun, of.plural, is_feminine)
    words, leads = [say(noun, of, "noun")], False
    if of.adjective:
        adjective = adjective_form(of.adjective, of.plural, is_feminine)
        leads = of.adjective.es_place == "before"
        if leads and adjective in ("bueno", "malo"):
            adjective = adjective[:-1]
        words.insert(0 if leads else 1, say(adjective, of, "adjective"))
    determiner = _determiner(of, is_feminine)
    if determiner == "la" and not leads and noun == of.noun.es and of.noun.es_gender == "fa":
        determiner = "el"
    if of.owner and not isinstance(of.owner, tree.Pronoun):
        words += [say("de", of, "of"), nominal(of.owner)]
    return " ".join([say(determiner, of, "determiner"), *words])


def _object(phrase: tree.Phrase | tree.Name, verb: Verb, negative: bool) -> str:
    person = isinstance(phrase, tree.Name) or phrase.noun.kind in PEOPLE
    if negative and isinstance(phrase, tree.Phrase) and phrase.determiner == "a":
        phrase = replace(phrase, determiner="bare")  # no tengo coche
    return ("a " if person and verb.es != "tener" else "") + nominal(phrase)


def _complement(
    complement: tree.Complement, verb: Verb, subject: tree.Nominal, negative: bool
) -> str:
    is_feminine = tree.feminine(subject, "es")
    match complement:
        case tree.Phrase() | tree.Name():
            return _object(complement, verb, negative)
        case tree.Being(adjective=adjective, degree=degree, than=than):
            word = adjective_form(adjective, subject.plural, is_feminine)
            word = say(word, complement)
            if not (degree and than):
                return word
            more, as_ = DEGREES[degree]
            more, as_ = say(more, complement, "adverb"), say(as_, complement, "than")
            return f"{more} {word} {as_} {nominal(than)}"
        case tree.Place(preposition=preposition, phrase=phrase):
            return f"{say(PREPOSITIONS[preposition].es, complement)} {nominal(phrase)}"
        case tree.Job(noun=noun):
            return say(noun_form(noun, subject.plural, is_feminine), complement)
        case tree.Feeling(name="age", years=years):
            many = spell(years, "es").replace("veintiuno", "veintiún")
            number = say(many.replace("uno", "un"), complement)
            return f"{number} {say('años', complement, 'noun')}"
        case tree.Feeling(name=name):
            return say(FEELINGS[name].es, complement)
        case tree.Doing(verb=doing):
            form = gerund(doing.es) if verb.es == "ser" else doing.es
            return f"{say(form, complement)} {_complements(complement, subject)}"
    return ""  # a clitic, which stands before the verb


def _complements(
    of: tree.Clause | tree.Command | tree.Doing, subject: tree.Nominal, negative: bool = False
) -> str:
    return " ".join(_complement(one, of.verb, subject, negative) for one in of.complements)


def _copula(clause: tree.Clause) -> str:
    """Return the verb for "be" in a clause."""
    if clause.question in ("how old", "where"):
        return "tener" if clause.question == "how old" else "estar"
    match clause.complements[0]:
        case tree.Being(adjective=adjective):
            return adjective.copula
        case tree.Feeling():
            return "tener"
        case tree.Job():
            return "ser"
    return "estar"


def _subject(subject: tree.Nominal) -> str:
    if isinstance(subject, tree.Pronoun) and not subject.spoken:
        return ""
    return nominal(subject)


def _finite(verb: str, clause: tree.Clause) -> str:
    """Return the finite verb, which also expresses a dropped subject."""
    verb, subject = say(verb, clause, "verb"), clause.subject
    return verb if _subject(subject) else say(verb, subject)


def _clitics(clause: tree.Clause) -> list[str]:
    return [say(OBJECTS[c.person], c) for c in clause.complements if isinstance(c, tree.Them)]


def _liking(clause: tree.Clause) -> str:
    """Return a clause like "me gusta el café", whose subject is what is liked."""
    subject, liked = clause.subject, clause.complements[0]
    person = _person(subject)
    to = f"a {nominal(subject)}" if person in (2, 5) else ""
    if isinstance(subject, tree.Both):
        to = f"a {nominal(subject.first)} {say('y', subject)} a {nominal(subject.second)}"
    verb, what = "gusta", _complements(clause, subject)
    if isinstance(liked, tree.Phrase):
        verb = "gustan" if liked.plural else "gusta"
        what = nominal(replace(liked, determiner="the") if liked.determiner == "bare" else liked)
    clitic = CLITICS[person] if to else say(CLITICS[person], subject)
    no = say("no", clause, "not") if clause.negative else ""
    words = f"{to} {no} {clitic} {say(verb, clause, 'verb')} {what}"
    return f"¿{words.strip()}?" if clause.question else f"{words}."


def _clause(clause: tree.Clause) -> str:
    if clause.verb.es == "gustar":
        return _liking(clause)
    subject = clause.subject
    infinitive = _copula(clause) if clause.verb.en == "be" else clause.verb.es
    no = say("no", clause, "not") if clause.negative else ""
    before = [no, say(ADVERBS[clause.adverb], clause, "adverb"), *_clitics(clause)]
    finite = conjugate(infinitive, clause.tense, _person(subject))
    verb = " ".join([*before, _finite(finite, clause)])
    rest = _complements(clause, subject, clause.negative)
    time = say(clause.time.es, clause, "time") if clause.time else ""
    if clause.question == "":
        words = f"{_subject(subject)} {verb} {rest}"
        return f"{time} {words}." if clause.time_first else f"{words} {time}."
    ask = say(QUESTIONS.get(clause.question, ""), clause, "ask")
    if clause.question == "how many" and clause.counted:
        is_feminine = clause.counted.es_gender.startswith("f")
        counted = say(noun_form(clause.counted, True, is_feminine), clause, "noun")
        ask = f"{say('cuántas' if is_feminine else 'cuántos', clause, 'ask')} {counted}"
    who = "" if clause.question == "who" else _subject(subject)
    last = clause.complements and isinstance(clause.complements[0], tree.Being | tree.Feeling)
    order = [rest, who] if last and not isinstance(subject, tree.Pronoun) else [who, rest]
    return f"¿{' '.join([ask, verb, *order, time]).strip()}?"


def _there(there: tree.There) -> str:
    preposition = say(PREPOSITIONS[there.place.preposition].es, there.place)
    place = f"{preposition} {nominal(there.place.phrase)}"
    is_there = say("había" if there.past else "hay", there, "verb")
    no = say("no", there, "not") if there.negative else ""
    return f"{no} {is_there} {nominal(there.phrase)} {place}."


def write(sentence: tree.Sentence) -> str:
    """Return a sentence in Spanish."""
    match sentence:
        case tree.Clause():
            words = _clause(sentence)
        case tree.There():
            words = _there(sentence)
        case tree.Command(verb=verb):
            order = say(command(verb.es), sentence, "verb")
            words = f"¡{order} {_complements(sentence, tree.Pronoun(1))}!"
        case tree.Saying(es=es):
            words = say(es, sentence)
    return tree.sentence_of(CONTRACTED.sub(r"\1l\2", words))
