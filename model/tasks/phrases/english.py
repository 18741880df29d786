"""English: do-support, the third person's -s, a or an, irregular plurals and pasts."""

from num2words import num2words

from model.tasks.phrases import tree
from model.tasks.phrases.lexicon import Adjective, Noun, Verb

PRONOUNS = ("I", "you", "he", "we", "you", "they")
OBJECTS = ("me", "you", "him", "us", "you", "them")
POSSESSIVES = ("my", "your", "his", "our", "your", "their")
BE = ("am", "are", "is", "are", "are", "are")
WAS = ("was", "were", "was", "were", "were", "were")
MODALS = ("can", "must")


def _ends(word: str, ending: str) -> str:
    """Return a word with -s or -es, as English spells it."""
    if word.endswith(("s", "x", "z", "ch", "sh")) or (word.endswith("go") and ending == "s"):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + ending


def noun_form(noun: Noun, plural: bool) -> str:
    """Return a noun in number."""
    singular, *irregular = noun.en.split("/")
    if not plural:
        return singular
    return irregular[0] if irregular else _ends(singular, "s")


def a_or_an(following: str) -> str:
    """Return the article before a word."""
    return "an" if following[0] in "aeiouAEIOU" else "a"


def third_person(verb: str) -> str:
    """Return the verb after he or she: looks for."""
    word, *particle = verb.split()
    return " ".join(["has" if word == "have" else _ends(word, "s"), *particle])


def comparative(adjective: Adjective, degree: str, than: tree.Nominal) -> str:
    """Return how an adjective compares: bigger than, less big than, as big as."""
    if degree == "as":
        return f"as {adjective.en} as {nominal(than)}"
    word = f"less {adjective.en}" if degree == "less" else adjective.more or f"more {adjective.en}"
    return f"{word} than {nominal(than)}"


def _determiner(phrase: tree.Phrase, following: str) -> str:
    owner = phrase.owner
    if isinstance(owner, tree.Pronoun):
        return "her" if owner.person == 2 and owner.feminine else POSSESSIVES[owner.person]
    if owner:
        words = nominal(owner)
        return words + ("'" if words.endswith("s") and owner.plural else "'s")
    match phrase.determiner:
        case "a":
            return a_or_an(following)
        case "number":
            return num2words(phrase.number, lang="en")
        case "this":
            return "these" if phrase.plural else "this"
        case "bare":
            return ""
    return phrase.determiner


def nominal(of: tree.Nominal) -> str:
    """Return a subject or object in words."""
    match of:
        case tree.Pronoun(person=person, feminine=is_feminine):
            return "she" if person == 2 and is_feminine else PRONOUNS[person]
        case tree.Name(name=name):
            return name
        case tree.Both(first=first, second=second):
            return f"{nominal(first)} and {nominal(second)}"
    words = [noun_form(of.noun, of.plural)]
    if of.adjective:
        words.insert(0, of.adjective.en)
    return " ".join([_determiner(of, words[0]), *words])


def _complement(complement: tree.Complement, verb: Verb, subject: tree.Nominal) -> str:
    match complement:
        case tree.Phrase() | tree.Name():
            return nominal(complement)
        case tree.Them(person=person):
            return OBJECTS[person]
        case tree.Being(adjective=adjective, degree=degree, than=than):
            return comparative(adjective, degree, than) if degree and than else adjective.en
        case tree.Place(preposition=preposition, phrase=phrase):
            return f"{preposition} {nominal(phrase)}"
        case tree.Job(noun=noun):
            word = noun_form(noun, subject.plural)
            return word if subject.plural else f"{a_or_an(word)} {word}"
        case tree.Feeling(name="age", years=years):
            return f"{num2words(years, lang='en')} years old"
        case tree.Feeling(name=name):
            return name
    return f"{_linked(complement.verb, verb)} {_complements(complement, subject)}"


def _complements(of: tree.Clause | tree.Command | tree.Doing, subject: tree.Nominal) -> str:
    return " ".join(_complement(one, of.verb, subject) for one in of.complements)


def _linked(doing: Verb, after: Verb) -> str:
    """Return the second verb: (is) eating, (can) eat, (wants) to eat."""
    if after.en == "be":
        return doing.en_ing
    return doing.en if after.en in MODALS else f"to {doing.en}"


def _verb(clause: tree.Clause) -> tuple[str, str]:
    """Return the auxiliary, or nothing, and the verb; with an auxiliary one can ask and negate."""
    verb, person, past = clause.verb.en, clause.subject.person, clause.tense == "past"
    if clause.tense == "future":
        return "will", verb
    if verb == "be":
        return (WAS if past else BE)[person], ""
    if verb in MODALS:
        return verb, ""
    if clause.negative or clause.question not in ("", "who"):
        does = "does" if person == 2 else "do"
        return "did" if past else does, verb
    if past:
        return "", clause.verb.en_past
    return "", third_person(verb) if person == 2 else verb


def _clause(clause: tree.Clause) -> str:
    subject = clause.subject
    auxiliary, verb = _verb(clause)
    if clause.negative:
        auxiliary = "cannot" if auxiliary == "can" else f"{auxiliary} not"
    rest = f"{clause.adverb} {verb} {_complements(clause, subject)}"
    time = clause.time.en if clause.time else ""
    match clause.question:
        case "":
            words = f"{nominal(subject)} {auxiliary} {rest}"
            return f"{time} {words}." if clause.time_first else f"{words} {time}."
        case "who":
            return f"who {auxiliary} {rest} {time}?"
        case "how many" if clause.counted:
            ask = f"how many {noun_form(clause.counted, True)}"
        case "yes-no":
            ask = ""
        case _:
            ask = clause.question
    return f"{ask} {auxiliary} {nominal(subject)} {rest} {time}?"


def _there(there: tree.There) -> str:
    is_there = (WAS if there.past else BE)[there.phrase.person]
    no = "no" if there.negative else ""
    place = f"{there.place.preposition} {nominal(there.place.phrase)}"
    return f"there {is_there} {no} {nominal(there.phrase)} {place}."


def write(sentence: tree.Sentence) -> str:
    """Return a sentence in English."""
    match sentence:
        case tree.Clause():
            words = _clause(sentence)
        case tree.There():
            words = _there(sentence)
        case tree.Command(verb=verb):
            words = f"{verb.en} {_complements(sentence, tree.Pronoun(1))}!"
        case tree.Saying(en=en):
            words = en
    return tree.sentence_of(words).replace(" ?", "?")
