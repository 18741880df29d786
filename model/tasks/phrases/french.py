"""French: agreement, elision, contraction, partitives, ne … pas, and two ways to ask."""

import re
from dataclasses import replace

from model.tasks.phrases import tree
from model.tasks.phrases.lexicon import FEELINGS, PREPOSITIONS, Adjective, Noun, Verb, conjugations
from model.tasks.phrases.tree import say
from model.text.spelling import spell

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
# Joined words keep the marks of both.
MARKS = f"({tree.MARKS.pattern}*)"
CONTRACTED = re.compile(rf"(?<= )(de|à){MARKS} (les?){MARKS}(?= )")
CONTRACTIONS = {"de le": "du", "de les": "des", "à le": "au", "à les": "aux"}
ELISION = re.compile(rf"\b([JjMmTtNnDdLl]e|[Ll]a|[Qq]ue){MARKS} (?=[aeiouhàâéèêëîïôœAEIOUHÉ])")


def _determiner(phrase: tree.Phrase, is_feminine: bool, following: str, negative: bool) -> str:
    index = 2 if phrase.plural else int(is_feminine)
    if isinstance(phrase.owner, tree.Pronoun):
        return before(POSSESSIVES[_person(phrase.owner)][index], following)
    if phrase.determiner == "number":
        return spell(phrase.number, "fr")
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
            return say(_pronoun(of), of)
        case tree.Name(name=name):
            return say(name, of)
        case tree.Both(first=first, second=second):
            return f"{nominal(first)} {say('et', of)} {nominal(second)}"
    is_feminine = tree.feminine(of, "fr")
    words = [say(noun_form(of.noun, of.plural, is_feminine), of, "noun")]
    if of.adjective:
        adjective = adjective_form(of.adjective, of.plural, is_feminine)
        leads = of.adjective.fr_place == "before"
        elides = leads and not of.plural  # le vieil homme, but les vieux hommes
        word = before(adjective, words[0]) if elides else adjective
        words.insert(0 if leads else 1, say(word, of, "adjective"))
    words.insert(0, say(_determiner(of, is_feminine, words[0], negative), of, "determiner"))
    if of.owner and not isinstance(of.owner, tree.Pronoun):
        words += [say("de", of, "of"), nominal(of.owner)]
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
            word = say(word, complement)
            if not (degree and than):
                return word
            more, as_ = say(DEGREES[degree], complement, "adverb"), say("que", complement, "than")
            return f"{more} {word} {as_} {nominal(than)}"
        case tree.Place(preposition=preposition, phrase=phrase):
            return f"{say(PREPOSITIONS[preposition].fr, complement)} {nominal(phrase)}"
        case tree.Job(noun=noun):
            return say(noun_form(noun, subject.plural, is_feminine), complement)
        case tree.Feeling(name="age", years=years):
            number = say(spell(years, "fr"), complement)
            return f"{number} {say('ans', complement, 'noun')}"
        case tree.Feeling(name=name):
            return say(FEELINGS[name].fr, complement)
        case tree.Doing(verb=doing):
            just_now = "en train de" if verb.fr == "être" else ""
            rest = _complements(complement, subject, negative)
            return f"{just_now} {say(doing.fr, complement)} {rest}"
    return ""  # a clitic, which stands before the verb


def _complements(
    of: tree.Clause | tree.Command | tree.Doing, subject: tree.Nominal, negative: bool = False
) -> str:
    return " ".join(_complement(one, of.verb, subject, negative) for one in of.complements)


def _auxiliary(clause: tree.Clause) -> tuple[str, str, str]:
    """Return a clause's finite verb, as infinitive and tense, and its participle if any."""
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
    """Return the inverted verb with the subject's pronoun, such as "mange-t-il"."""
    pronoun = _pronoun(subject)
    link = "-t-" if tree.unmarked(finite)[-1] in "aeé" and pronoun[0] in "ie" else "-"
    return finite + link + (say(pronoun, subject) if isinstance(subject, tree.Pronoun) else pronoun)


def _clause(clause: tree.Clause) -> str:
    subject, negative = clause.subject, clause.negative or clause.adverb == "never"
    infinitive, tense, past_participle = _auxiliary(clause)
    finite = say(conjugate(infinitive, tense, _person(subject)), clause, "verb")
    clitics = [say(CLITICS[c.person], c) for c in clause.complements if isinstance(c, tree.Them)]
    denies: tree.Part = "not" if clause.negative else "adverb"
    before_verb = " ".join([say("ne", clause, denies)] * negative + clitics)
    no = say("pas" if clause.negative else ADVERBS[clause.adverb], clause, denies)
    done = say(past_participle, clause, "verb")
    rest = f"{no} {done} {_complements(clause, subject, negative)}"
    time = say(clause.time.fr, clause, "time") if clause.time else ""
    if clause.question:
        return _question(clause, f"{before_verb} ", finite, f"{rest} {time}")
    statement = f"{nominal(subject)} {before_verb} {finite} {rest}"
    return f"{time}, {statement}." if clause.time_first else f"{statement} {time}."


def _question(clause: tree.Clause, clitics: str, finite: str, rest: str) -> str:
    subject = clause.subject
    pronoun = isinstance(subject, tree.Pronoun)
    if clause.question == "who":
        return f"{say('qui', clause, 'ask')} {clitics}{finite} {rest} ?"
    if clause.question in ("where", "how old"):
        ask = say("où" if clause.question == "where" else "quel âge", clause, "ask")
        order = _inverted(finite, subject) if pronoun else f"{finite} {nominal(subject)}"
        return f"{ask} {order} {rest} ?"
    ask = say(QUESTIONS.get(clause.question, ""), clause, "ask")
    if clause.question == "how many" and clause.counted:
        counted = say(noun_form(clause.counted, True, False), clause, "noun")
        ask = f"{say('combien de', clause, 'ask')} {counted}"
    if clause.question == "what":
        if clause.inverted and pronoun:
            return f"{say('que', clause, 'ask')} {_inverted(finite, subject)} {rest} ?"
        ask = say("qu'est-ce que", clause, "ask")
        return f"{ask} {nominal(subject)} {finite} {rest} ?"
    if clause.inverted and subject.person != 0:
        name = "" if pronoun else nominal(subject)
        return f"{ask} {name} {clitics}{_inverted(finite, subject)} {rest} ?"
    return f"{ask} est-ce que {nominal(subject)} {clitics}{finite} {rest} ?"


def _there(there: tree.There) -> str:
    is_there = say("avait" if there.past else "a", there, "verb")
    y, no = "y", ""
    if there.negative:
        y, no = say("n'y", there, "not"), say("pas", there, "not")
    preposition = say(PREPOSITIONS[there.place.preposition].fr, there.place)
    place = f"{preposition} {nominal(there.place.phrase)}"
    return f"il {y} {is_there} {no} {nominal(there.phrase, there.negative)} {place}."


def joined(words: str) -> str:
    """Return words with the elisions and contractions of French: l'eau, du, au."""
    words = ELISION.sub(lambda m: f"{m[1][:-1]}'{m[2]}", " ".join(words.split()))
    return CONTRACTED.sub(lambda m: CONTRACTIONS[f"{m[1]} {m[3]}"] + m[2] + m[4], words)


def write(sentence: tree.Sentence) -> str:
    """Return a sentence in French."""
    match sentence:
        case tree.Clause():
            words = _clause(sentence)
        case tree.There():
            words = _there(sentence)
        case tree.Command(verb=verb):
            order = say(command(verb.fr), sentence, "verb")
            words = f"{order} {_complements(sentence, tree.Pronoun(1))} !"
        case tree.Saying(fr=fr):
            words = say(fr, sentence)
    return tree.sentence_of(joined(words))
