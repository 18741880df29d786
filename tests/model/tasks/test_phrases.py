"""Any sentence of the phrase book: agreement read back through the lexicon, and clean spelling."""

from __future__ import annotations

import itertools
import random
import re
from collections import defaultdict

from hypothesis import example, given
from hypothesis import strategies as st

from model.tasks import TASKS
from model.tasks.phrases import english, french, spanish
from model.tasks.phrases.grammar import Grammar
from model.tasks.phrases.lexicon import ADJECTIVES, NOUNS, VERBS, Noun, Verb

SEEDS = st.integers()
Reading = tuple[bool, bool]  # plural, feminine
Readings = dict[str, set[Reading]]


def readings(language: str) -> tuple[Readings, Readings]:
    """Return what each form of a noun, and of an adjective, may be."""
    of_nouns, of_adjectives = (
        defaultdict[str, set[Reading]](set),
        defaultdict[str, set[Reading]](set),
    )
    module = spanish if language == "es" else french
    for plural in (False, True):
        for feminine in (False, True):
            for noun in NOUNS:
                gender = noun.es_gender if language == "es" else noun.fr_gender
                if gender == "mf" or gender.startswith("f") == feminine:
                    of_nouns[module.noun_form(noun, plural, feminine)].add((plural, feminine))
            for adjective in ADJECTIVES:
                form = module.adjective_form(adjective, plural, feminine)
                of_adjectives[form].add((plural, feminine))
                if language == "fr" and not plural and not feminine:
                    of_adjectives[french.before(form, "a")].add((plural, feminine))
    of_adjectives |= {"buen": {(False, False)}, "mal": {(False, False)}} if language == "es" else {}
    return dict(of_nouns), dict(of_adjectives)


VERB_FORMS = {  # "limpia" is "clean", and "cleans"; "court" is "short", and "runs"
    form
    for verb in VERBS.values()
    for person in range(6)
    for form in (
        spanish.conjugate(verb.es, "present", person),
        french.conjugate(verb.fr, "present", person),
    )
}
ES_NOUNS, ES_ADJECTIVES = readings("es")
FR_NOUNS, FR_ADJECTIVES = readings("fr")


def determiners(*of: str) -> Readings:
    """Read which determiners go with a singular of each gender, and with each plural."""
    kinds = ((False, False), (False, True), (True, False), (True, True))
    return {word: {kind} for kind, words in zip(kinds, of, strict=True) for word in words.split()}


ES_DETERMINERS = determiners(
    "el del al un este nuestro vuestro",
    "la una esta nuestra vuestra",
    "los unos estos muchos pocos nuestros cuántos",
    "las unas estas muchas pocas nuestras cuántas",
)
ONE, MANY = {(False, False), (False, True)}, {(True, False), (True, True)}
FR_DETERMINERS = {
    **determiners("le un ce cet du au", "la une cette ma ta sa", "", ""),
    **dict.fromkeys(("mon", "ton", "son", "notre", "votre", "leur"), ONE),
    **dict.fromkeys(("les", "des", "ces", "mes", "tes", "ses", "nos", "vos", "leurs"), MANY),
    **dict.fromkeys(("aux", "deux", "trois", "dix"), MANY),
}


def disagreements(
    words: list[str], determiners: Readings, nouns: Readings, adjectives: Readings, el: set[str]
) -> list[str]:
    """Return determiners and adjectives that cannot go with the noun beside them."""
    found = []
    for i, word in enumerate(words):
        if word not in nouns:
            continue
        start = i - 1 if i and words[i - 1] in adjectives else i
        if not start or words[start - 1] not in determiners:
            continue  # no noun phrase with a determiner: a verb of the same form, say
        open_readings = nouns[word] & determiners[words[start - 1]]
        if word in el and words[i - 1] in ("el", "del", "al"):
            open_readings = nouns[word]
        after, of_next = words[i + 1 : i + 2], words[i + 2 : i + 3]
        if not set(after) <= adjectives.keys() - VERB_FORMS or set(of_next) & nouns.keys():
            after = []  # no adjective, or the one of the next noun: "drink good coffee"
        near = words[start:i] + after
        for adjective in near:
            open_readings = open_readings & adjectives[adjective]
        if not open_readings:
            found.append(" ".join(words[start - 1 : i + 2]))
    return found


def plain(sentence: str) -> list[str]:
    return re.sub(r"[¿?¡!.,]", "", sentence).lower().split()


@given(SEEDS)
@example(13373)  # "¿Beberá esta estudiante buen café?": the coffee is good
def test_spanish_agrees(seed: int) -> None:
    sentence = spanish.write(Grammar(random.Random(seed)).sentence())
    assert not disagreements(plain(sentence), ES_DETERMINERS, ES_NOUNS, ES_ADJECTIVES, {"agua"})


@given(SEEDS)
@example(14035)  # "la chanteuse court": she runs
@example(21319)  # "les vieux hommes", which were "les vieil hommes" once
def test_french_agrees(seed: int) -> None:
    sentence = french.write(Grammar(random.Random(seed)).sentence())
    words = plain(sentence.replace("'", "' "))
    assert not disagreements(words, FR_DETERMINERS, FR_NOUNS, FR_ADJECTIVES, set())


def test_the_check_of_agreement_sees_what_is_wrong() -> None:
    for wrong in ("la libro", "el casa blanca", "una casa blanco", "los coche"):
        assert disagreements(wrong.split(), ES_DETERMINERS, ES_NOUNS, ES_ADJECTIVES, {"agua"})
    for wrong in ("le maison", "une maison blanc", "ces cheval", "cette homme"):
        assert disagreements(wrong.split(), FR_DETERMINERS, FR_NOUNS, FR_ADJECTIVES, set())


@given(SEEDS)
def test_french_elides_and_contracts(seed: int) -> None:
    sentence = french.write(Grammar(random.Random(seed)).sentence())
    assert not re.search(r"\b([jmtndl]e|la|que) (?=[aeiouyhàâéèêœ])", sentence, re.IGNORECASE)
    assert not re.search(r"\b(de|à) les? ", sentence, re.IGNORECASE)
    assert not re.search(r"\b(ma|ta|sa|ce|beau|nouveau|vieux) (?=[aeiouhéèêœ]\w+)", sentence)


@given(SEEDS)
@example(504992)
def test_spanish_contracts(seed: int) -> None:
    """A question that began with "¿A el" was once left as it was."""
    sentence = spanish.write(Grammar(random.Random(seed)).sentence())
    assert not re.search(r"\b(a|de) el ", sentence, re.IGNORECASE)


@given(SEEDS)
def test_every_sentence_is_spelled_as_one(seed: int) -> None:
    sentence = Grammar(random.Random(seed)).sentence()
    texts = [english.write(sentence), spanish.write(sentence), french.write(sentence)]
    for text in texts:
        assert text == " ".join(text.split())
        assert text.lstrip("¿¡")[0].isupper()
        assert text[-1] in ".?!"
        assert text[-2] != " " or text is texts[2]
    assert len({text[-1] for text in texts}) == 1
    assert ("¿" in texts[1]) == texts[1].endswith("?")


@given(SEEDS)
def test_english_agrees(seed: int) -> None:
    text = english.write(Grammar(random.Random(seed)).sentence())
    words = plain(text)
    for word, following in itertools.pairwise(words):
        if word in ("a", "an"):
            assert (word == "an") == (following[0] in "aeiou"), text
    third = {english.third_person(verb.en).split()[0] for verb in VERBS.values()}
    base = {verb.en.split()[0] for verb in VERBS.values() if verb.en_past.split()[0] != verb.en}
    for person, wrong in (
        ("he", base - {"can", "must"}),
        ("she", base - {"can", "must"}),
        ("they", third),
    ):
        told = re.search(rf"^(?:\w+ )*?{person} (\w+)", text.lower())
        if told and not text.endswith("?") and "put" not in told[1]:
            assert told[1] not in wrong, text


def test_there_is_more_to_say_than_anyone_trains_on() -> None:
    for name in ("phrases-es", "phrases-fr"):
        rng = random.Random(0)
        sources = {TASKS[name].make(rng).src for _ in range(4000)}
        assert len(sources) > 3500, name  # so that there are far more than these


def test_the_probes_are_sentences_of_the_grammar() -> None:
    for name, word in (("phrases-es", "profesora"), ("phrases-fr", "professeure")):
        words = plain(TASKS[name].probe.src)
        assert word in words
        assert plain(TASKS[name].probe.tgt)[-2:] == ["interesting", "book"]


def test_a_word_has_one_translation() -> None:
    for language in ("es", "fr"):
        meanings = defaultdict[str, set[str]](set)
        words: list[Noun | Verb] = [*NOUNS, *VERBS.values()]
        for word in words:
            meanings[getattr(word, language)].add(word.en)
        assert [form for form, found in meanings.items() if len(found) > 1] == []
    adjectives = defaultdict[str, set[str]](set)
    for adjective in ADJECTIVES:
        adjectives[adjective.fr].add(adjective.en)
    # A person who is "grand" is tall, and a thing big: no noun is both.
    assert {word: found for word, found in adjectives.items() if len(found) > 1} == {
        "grand": {"big", "tall"}
    }
    big, tall = (set(one.kinds.split(",")) for one in ADJECTIVES if one.fr == "grand")
    assert not big & tall
