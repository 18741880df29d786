"""Pairs of the phrase book: one drawn sentence, written in two languages."""

import random
from collections import defaultdict
from collections.abc import Callable

from model.tasks.phrases import english, french, spanish, tree
from model.tasks.phrases.grammar import Grammar
from model.text.pairs import AlignedPair, Pair

WRITERS = {"es": spanish.write, "fr": french.write}


def maker(source: str) -> Callable[[random.Random], Pair]:
    """Return a function that draws a sentence and writes it in a source language and in English."""

    def make(rng: random.Random) -> Pair:
        sentence = Grammar(rng).sentence()
        return Pair(WRITERS[source](sentence), english.write(sentence))

    return make


def aligned(sentence: tree.Sentence, source: str) -> AlignedPair:
    """Write a sentence in a source language and in English, and align words of the same meaning."""
    marked = tree.marked(sentence)
    texts = WRITERS[source](marked), english.write(marked)
    src, tgt = map(_places, texts)
    sure, possible = set[tuple[int, int]](), set[tuple[int, int]]()
    for mark in src.keys() & tgt.keys():
        links = {(s, t) for s in src[mark] for t in tgt[mark]}
        possible |= links
        if len(links) == 1:
            sure |= links
    return AlignedPair(Pair(*map(tree.unmarked, texts)), frozenset(sure), frozenset(possible))


def _places(text: str) -> dict[str, list[int]]:
    """Return the positions of the words with each mark."""
    places = defaultdict[str, list[int]](list)
    for place, word in enumerate(text.split()):
        for mark in dict.fromkeys(tree.MARKS.findall(word)):
            places[mark].append(place)
    return places
