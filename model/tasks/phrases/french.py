"""French: agreement, elision, contraction, partitives, ne … pas, and two ways to ask."""

import re
from dataclasses import replace

from num2words import num2words

from model.tasks.phrases import tree
from model.tasks.phrases.french_forms import (
    adjective_form,
    before,
    command,
    conjugate,
    noun_form,
    participle,
)
from model.tasks.phrases.lexicon import FEELINGS, PREPOSITIONS, Verb, conjugations

PRONOUNS = ("je", "tu", "il", "nous", "vous", "ils")
FEMININE_PRONOUNS = ("je", "tu", "elle", "nous", "vous", "elles")
CLITICS = ("me", "te", "le", "nous", "vous", "les")
# Masculine, feminine, plural.
POSSESSIVES = (
    ("mon", "ma", "mes"),
    ("ton", "ta", "tes"),
    ("son", "sa", "ses"),
    ("notre", "notre", "nos"),
    ("votre", "votre", "vos"),
    ("leur", "leur", "leurs"),
)
DETERMINERS = {
    "the": ("le", "la", "les"),
    "a": ("un", "une", "des"),
    "some": ("des", "des", "des"),
    "this": ("ce", "cette", "ces"),
    "many": ("beaucoup de",) * 3,
    "few": ("peu de",) * 3,
    "bare": ("de le", "de la", "des"),
}
QUESTIONS = {"when": "quand", "why": "pourquoi"}
ADVERBS = {"": "", "always": "toujours", "never": "jamais"}
DEGREES = {"more": "plus", "less": "moins", "as": "aussi"}
CONTRACTIONS = {" de le ": " du ", " de les ": " des ", " à le ": " au ", " à les ": " aux "}
ELISION = re.compile(r"\b([JjMmTtNnDdLl]e|[Ll]a|[Qq]ue) (?=[aeiouhàâéèêëîïôœAEIOUHÉ])")


def _determiner(phrase: tree.Phrase, is_feminine: bool, following: str, negative: bool) -> str:
    index = 2 if phrase.plural else int(is_feminine)
    if isinstance(phrase.owner, tree.Pronoun):
        return before(POSSESSIVES[_person(phrase.owner)][index], following)
    if phrase.determiner == "number":
        return num2words(phrase.number, lang="fr")
    if negative and phrase.determiner in ("a", "bare", "some"):
        return "de"
    adjective = phrase.adjective
    if phrase.determiner == "some" and adjective and adjective.fr_place == "before":
        return "de"
    return before(DETERMINERS[phrase.determiner][index], following)


def _person(of: tree.Nominal) -> int:
    return 4 if isinstance(of, tree.Pronoun) and of.formal else of.person


def _pronoun(of: tree.Nominal) -> str:
    return (FEMININE_PRONOUNS if tree.feminine(of, "fr") else PRONOUNS)[_person(of)]


def nominal(of: tree.Nominal, negative: bool = False) -> str:
    """Return a subject or object in words; after a negation, "du pain" is "de pain"."""
    match of:
        case tree.Pronoun():
            return _pronoun(of)
        case tree.Name(name=name):
            return name
        case tree.Both(first=first, second=second):
            return f"{nominal(first)} et {nominal(second)}"
    is_feminine = tree.feminine(of, "fr")
    words = [noun_form(of.noun, of.plural, is_feminine)]
    if of.adjective:
        adjective = adjective_form(of.adjective, of.plural, is_feminine)
        leads = of.adjective.fr_place == "before"
        elides = leads and not of.plural  # le vieil homme, but les vieux hommes
        words.insert(0 if leads else 1, before(adjective, words[0]) if elides else adjective)
    words.insert(0, _determiner(of, is_feminine, words[0], negative))
    if of.owner and not isinstance(of.owner, tree.Pronoun):
        words += ["de", nominal(of.owner)]
    return " ".join(words)


def _complement(
    complement: tree.Complement, verb: Verb, subject: tree.Nominal, negative: bool
) -> str:
    is_feminine = tree.feminine(subject, "fr")
    match complement:
        case tree.Phrase() if verb.fr == "aimer" and complement.determiner == "bare":
            return nominal(replace(complement, determiner="the"))
        case tree.Phrase() | tree.Name():
            return nominal(complement, negative)
        case tree.Being(adjective=adjective, degree=degree, than=than):
            word = adjective_form(adjective, subject.plural, is_feminine)
            return f"{DEGREES[degree]} {word} que {nominal(than)}" if degree and than else word
        case tree.Place(preposition=preposition, phrase=phrase):
            return f"{PREPOSITIONS[preposition].fr} {nominal(phrase)}"
        case tree.Job(noun=noun):
            return noun_form(noun, subject.plural, is_feminine)
        case tree.Feeling(name="age", years=years):
            return f"{num2words(years, lang='fr')} ans"
        case tree.Feeling(name=name):
            return FEELINGS[name].fr
        case tree.Doing(verb=doing):
            just_now = "en train de" if verb.fr == "être" else ""
            return f"{just_now} {doing.fr} {_complements(complement, subject, negative)}"
    return ""  # a clitic, which stands before the verb


def _complements(
    of: tree.Clause | tree.Command | tree.Doing, subject: tree.Nominal, negative: bool = False
) -> str:
    return " ".join(_complement(one, of.verb, subject, negative) for one in of.complements)


def _auxiliary(clause: tree.Clause) -> tuple[str, str, str]:
    """Return infinitive and tense of the finite verb of a clause, and its participle if any."""
    infinitive, table = clause.verb.fr, conjugations("fr")
    if clause.question == "how old" or any(isinstance(c, tree.Feeling) for c in clause.complements):
        infinitive = "avoir"
    if clause.tense != "past" or (infinitive, "past") in table:
        return infinitive, clause.tense, ""
    word, auxiliary = participle(infinitive), table.get((infinitive, "auxiliary"), ["avoir"])[0]
    if auxiliary == "être":
        word += "e" * tree.feminine(clause.subject, "fr") + "s" * clause.subject.plural
    return auxiliary, "present", word


def _inverted(finite: str, subject: tree.Nominal) -> str:
    """Return "mange-t-il", with the pronoun of the subject."""
    pronoun = _pronoun(subject)
    link = "-t-" if finite[-1] in "aeé" and pronoun[0] in "ie" else "-"
    return finite + link + pronoun


def _clause(clause: tree.Clause) -> str:
    subject, negative = clause.subject, clause.negative or clause.adverb == "never"
    infinitive, tense, past_participle = _auxiliary(clause)
    finite = conjugate(infinitive, tense, _person(subject))
    clitics = [CLITICS[c.person] for c in clause.complements if isinstance(c, tree.Them)]
    before_verb = " ".join(["ne"] * negative + clitics)
    no = "pas" if clause.negative else ADVERBS[clause.adverb]
    rest = f"{no} {past_participle} {_complements(clause, subject, negative)}"
    time = clause.time.fr if clause.time else ""
    if clause.question:
        return _question(clause, f"{before_verb} ", finite, f"{rest} {time}")
    statement = f"{nominal(subject)} {before_verb} {finite} {rest}"
    return f"{time}, {statement}." if clause.time_first else f"{statement} {time}."


def _question(clause: tree.Clause, clitics: str, finite: str, rest: str) -> str:
    subject = clause.subject
    pronoun = isinstance(subject, tree.Pronoun)
    if clause.question == "who":
        return f"qui {clitics}{finite} {rest} ?"
    if clause.question in ("where", "how old"):
        ask = "où" if clause.question == "where" else "quel âge"
        order = _inverted(finite, subject) if pronoun else f"{finite} {nominal(subject)}"
        return f"{ask} {order} {rest} ?"
    ask = QUESTIONS.get(clause.question, "")
    if clause.question == "how many" and clause.counted:
        ask = f"combien de {noun_form(clause.counted, True, False)}"
    if clause.question == "what":
        if clause.inverted and pronoun:
            return f"que {_inverted(finite, subject)} {rest} ?"
        return f"qu'est-ce que {nominal(subject)} {finite} {rest} ?"
    if clause.inverted and subject.person != 0:
        name = "" if pronoun else nominal(subject)
        return f"{ask} {name} {clitics}{_inverted(finite, subject)} {rest} ?"
    return f"{ask} est-ce que {nominal(subject)} {clitics}{finite} {rest} ?"


def _there(there: tree.There) -> str:
    is_there = "il n'y " if there.negative else "il y "
    is_there += "avait" if there.past else "a"
    no = "pas" if there.negative else ""
    place = f"{PREPOSITIONS[there.place.preposition].fr} {nominal(there.place.phrase)}"
    return f"{is_there} {no} {nominal(there.phrase, there.negative)} {place}."


def joined(words: str) -> str:
    """Return words with what French joins: l'eau, du, au."""
    words = ELISION.sub(lambda match: match[1][:-1] + "'", " ".join(words.split()))
    for separate, joint in CONTRACTIONS.items():
        words = words.replace(separate, joint)
    return words


def write(sentence: tree.Sentence) -> str:
    """Return a sentence in French."""
    match sentence:
        case tree.Clause():
            words = _clause(sentence)
        case tree.There():
            words = _there(sentence)
        case tree.Command(verb=verb):
            words = f"{command(verb.fr)} {_complements(sentence, tree.Pronoun(1))} !"
        case tree.Saying(fr=fr):
            words = fr
    return tree.sentence_of(joined(words))
