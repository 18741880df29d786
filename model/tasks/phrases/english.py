"""English: do-support, the third person's -s, a or an, irregular plurals and past tenses."""

from model.tasks.phrases import tree
from model.tasks.phrases.lexicon import Noun, Verb
from model.tasks.phrases.tree import say
from model.text.spelling import spell

PRONOUNS = ("I", "you", "he", "we", "you", "they")
OBJECTS = ("me", "you", "him", "us", "you", "them")
POSSESSIVES = ("my", "your", "his", "our", "your", "their")
BE = ("am", "are", "is", "are", "are", "are")
WAS = ("was", "were", "was", "were", "were", "were")
MODALS = ("can", "must")


def _ends(word: str, ending: str) -> str:
    """Return a word with -s or -es, by the rules of English spelling."""
    if word.endswith(("s", "x", "z", "ch", "sh")) or (word.endswith("go") and ending == "s"):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + ending


def noun_form(noun: Noun, plural: bool) -> str:
    """Return the singular or plural of a noun."""
    singular, *irregular = noun.en.split("/")
    if not plural:
        return singular
    return irregular[0] if irregular else _ends(singular, "s")


def a_or_an(following: str) -> str:
    """Return the indefinite article for the word that follows."""
    return "an" if following[0] in "aeiouAEIOU" else "a"


def third_person(verb: str) -> str:
    """Return the form of a verb after he or she, such as "looks for"."""
    word, *particle = verb.split()
    return " ".join(["has" if word == "have" else _ends(word, "s"), *particle])


def _being(being: tree.Being) -> str:
    """Return an adjective, perhaps compared: bigger than, less big than, as big as."""
    word, degree = say(being.adjective.en, being), being.degree
    if not (degree and being.than):
        return word
    if degree == "more" and being.adjective.more:
        word = say(say(being.adjective.more, being), being, "adverb")
    else:
        word = f"{say(degree, being, 'adverb')} {word}"
    return f"{word} {say('as' if degree == 'as' else 'than', being, 'than')} {nominal(being.than)}"


def _determiner(phrase: tree.Phrase, following: str) -> str:
    owner = phrase.owner
    if isinstance(owner, tree.Pronoun):
        her = owner.person == 2 and owner.feminine
        return say("her" if her else POSSESSIVES[owner.person], phrase, "determiner")
    if owner:
        words = nominal(owner)
        ends = tree.unmarked(words).endswith("s") and owner.plural
        # The last word carries both marks: the owner's, and that of the possessive.
        *before, last = words.split()
        return " ".join([*before, say(last + ("'" if ends else "'s"), phrase, "of")])
    return say(_article(phrase, following), phrase, "determiner")


def _article(phrase: tree.Phrase, following: str) -> str:
    match phrase.determiner:
        case "a":
            return a_or_an(following)
        case "number":
            return spell(phrase.number, "en")
        case "this":
            return "these" if phrase.plural else "this"
        case "bare":
            return ""
    return phrase.determiner


def nominal(of: tree.Nominal) -> str:
    """Return a subject or object in words."""
    match of:
        case tree.Pronoun(person=person, feminine=is_feminine):
            return say("she" if person == 2 and is_feminine else PRONOUNS[person], of)
        case tree.Name(name=name):
            return say(name, of)
        case tree.Both(first=first, second=second):
            return f"{nominal(first)} {say('and', of)} {nominal(second)}"
    words = [say(noun_form(of.noun, of.plural), of, "noun")]
    if of.adjective:
        words.insert(0, say(of.adjective.en, of, "adjective"))
    return " ".join([_determiner(of, words[0]), *words])


def _complement(complement: tree.Complement, verb: Verb, subject: tree.Nominal) -> str:
    match complement:
        case tree.Phrase() | tree.Name():
            return nominal(complement)
        case tree.Them(person=person):
            return say(OBJECTS[person], complement)
        case tree.Being():
            return _being(complement)
        case tree.Place(preposition=preposition, phrase=phrase):
            return f"{say(preposition, complement)} {nominal(phrase)}"
        case tree.Job(noun=noun):
            word = say(noun_form(noun, subject.plural), complement)
            return word if subject.plural else f"{a_or_an(word)} {word}"
        case tree.Feeling(name="age", years=years):
            number = say(spell(years, "en"), complement)
            return f"{number} {say('years old', complement, 'noun')}"
        case tree.Feeling(name=name):
            return say(name, complement)
    return f"{say(_linked(complement.verb, verb), complement)} {_complements(complement, subject)}"


def _complements(of: tree.Clause | tree.Command | tree.Doing, subject: tree.Nominal) -> str:
    return " ".join(_complement(one, of.verb, subject) for one in of.complements)


def _linked(doing: Verb, after: Verb) -> str:
    """Return the form of a second verb: (is) eating, (can) eat, (wants) to eat."""
    if after.en == "be":
        return doing.en_ing
    return doing.en if after.en in MODALS else f"to {doing.en}"


def _verb(clause: tree.Clause) -> tuple[str, str]:
    """Return the auxiliary, or "", and the verb; questions and negation need an auxiliary."""
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
    auxiliary, verb = (say(word, clause, "verb") for word in _verb(clause))
    if clause.negative:
        no = say("not", clause, "not")
        auxiliary += no if clause.verb.en == "can" and clause.tense == "present" else f" {no}"
    adverb = say(clause.adverb, clause, "adverb")
    rest = f"{adverb} {verb} {_complements(clause, subject)}"
    time = say(clause.time.en, clause, "time") if clause.time else ""
    match clause.question:
        case "":
            words = f"{nominal(subject)} {auxiliary} {rest}"
            return f"{time} {words}." if clause.time_first else f"{words} {time}."
        case "who":
            return f"{say('who', clause, 'ask')} {auxiliary} {rest} {time}?"
        case "how many" if clause.counted:
            counted = say(noun_form(clause.counted, True), clause, "noun")
            ask = f"{say('how many', clause, 'ask')} {counted}"
        case "yes-no":
            ask = ""
        case _:
            ask = say(clause.question, clause, "ask")
    return f"{ask} {auxiliary} {nominal(subject)} {rest} {time}?"


def _there(there: tree.There) -> str:
    is_there = (WAS if there.past else BE)[there.phrase.person]
    no = say("no", there, "not") if there.negative else ""
    place = f"{say(there.place.preposition, there.place)} {nominal(there.place.phrase)}"
    return f"{say(f'there {is_there}', there, 'verb')} {no} {nominal(there.phrase)} {place}."


def write(sentence: tree.Sentence) -> str:
    """Return a sentence in English."""
    match sentence:
        case tree.Clause():
            words = _clause(sentence)
        case tree.There():
            words = _there(sentence)
        case tree.Command(verb=verb):
            words = f"{say(verb.en, sentence, 'verb')} {_complements(sentence, tree.Pronoun(1))}!"
        case tree.Saying(en=en):
            words = say(en, sentence)
    return tree.sentence_of(words).replace(" ?", "?")
