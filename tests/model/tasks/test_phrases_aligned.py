"""The alignment that the tree of a phrase knows: exact on chosen sentences, sane on any."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.tasks.phrases import english
from model.tasks.phrases.grammar import Grammar
from model.tasks.phrases.lexicon import VERBS
from model.tasks.phrases.phrase_book import WRITERS, aligned
from model.tasks.phrases.tree import Being, Both, Clause, Name, Phrase, Place, Pronoun, Sentence
from tests.model.tasks.test_phrases_golden import ANA, BE, LUCAS, WE, adjective, noun, time

CAT = Phrase(noun("cat"), adjective=adjective("black"))
CASES: list[tuple[Sentence, str, str]] = [
    (  # two words in one; an adjective that changes its place
        Clause(Pronoun(2), VERBS["come"], (Place("from", CAT),)),
        "Él=He viene=comes del=from del=the gato=cat. negro.=black",
        "Il=He vient=comes du=from du=the chat=cat. noir.=black",
    ),
    (  # the verb says the subject, two verbs say one, and so does a time of several words
        Clause(WE, VERBS["go"], (), "past", negative=True, time=time("last week")),
        "No=not fuimos=We fuimos~did fuimos~go la~last la~week. semana~last "
        "semana~week. pasada.~last pasada.~week.",
        "Nous=We ne~not sommes~did sommes~go pas~not allées~did allées~go la~last "
        "la~week. semaine~last semaine~week. dernière.~last dernière.~week.",
    ),
    (  # an owner; a name that stands twice is two people
        Clause(
            Both(ANA, LUCAS),
            BE,
            (Being(adjective("tall"), "more", Phrase(noun("cat"), owner=Name("Ana", True))),),
        ),
        "Ana=Ana y=and Lucas=Lucas son=are más=taller altos=taller que=than gato=cat. de=Ana's "
        "Ana.=Ana's",
        "Ana=Ana et=and Lucas=Lucas sont=are plus=taller grands=taller que=than chat=cat. "
        "d'Ana.=Ana's",
    ),
]


def written(sentence: Sentence, source: str) -> str:
    """Return the links as a text: sure ones with "=", others with "~"."""
    one = aligned(sentence, source)
    src, tgt = one.pair.src.split(), one.pair.tgt.split()
    signs = {link: "=" if link in one.sure else "~" for link in one.possible}
    return " ".join(f"{src[s]}{signs[s, t]}{tgt[t]}" for s, t in sorted(signs))


@pytest.mark.parametrize(("sentence", "spanish", "french"), CASES)
def test_the_tree_aligns(sentence: Sentence, spanish: str, french: str) -> None:
    assert written(sentence, "es") == spanish
    assert written(sentence, "fr") == french


@given(st.integers(), st.sampled_from(["es", "fr"]))
def test_marks_leave_no_trace_and_names_find_themselves(seed: int, source: str) -> None:
    sentence = Grammar(random.Random(seed)).sentence()
    one = aligned(sentence, source)
    assert one.pair.src == WRITERS[source](sentence)
    assert one.pair.tgt == english.write(sentence)
    assert one.sure <= one.possible
    src, tgt = one.pair.src.split(), one.pair.tgt.split()
    assert all(s < len(src) and t < len(tgt) for s, t in one.possible)
    for t, word in enumerate(tgt):
        if word.strip(".,?!") in ("Ana", "Lucas", "David"):
            assert any(word[:3] in src[s] for s, at in one.sure if at == t)
