"""Pairs of the phrase book: one drawn sentence, written in two languages."""

import random
from collections.abc import Callable

from model.tasks.phrases import english, french, spanish
from model.tasks.phrases.grammar import Grammar
from model.text.pairs import Pair

WRITERS = {"es": spanish.write, "fr": french.write}


def maker(source: str) -> Callable[[random.Random], Pair]:
    """Return what draws a sentence and writes it in a language and in English."""

    def make(rng: random.Random) -> Pair:
        sentence = Grammar(rng).sentence()
        return Pair(WRITERS[source](sentence), english.write(sentence))

    return make
