"""Copy, reverse and sort letters: the answer is known, and so is what must be attended to."""

import random
import string
from collections.abc import Callable

from model.tasks.task import Alignment
from model.text.pairs import Pair

SHORTEST, LONGEST = 3, 10


def backwards(letters: list[str]) -> list[str]:
    """Return the letters in reverse order."""
    return letters[::-1]


def pair_of(letters: list[str], change: Callable[[list[str]], list[str]]) -> Pair:
    """Return the letters and what they become, separated by blanks."""
    return Pair(" ".join(letters), " ".join(change(letters)))


def maker(change: Callable[[list[str]], list[str]]) -> Callable[[random.Random], Pair]:
    """Return a function that draws different letters and makes a pair of them."""

    def make(rng: random.Random) -> Pair:
        letters = rng.sample(string.ascii_lowercase, rng.randint(SHORTEST, LONGEST))
        return pair_of(letters, change)

    return make


def align(pair: Pair) -> Alignment:
    """Align each letter with itself: no letter occurs twice in a sentence."""
    source = pair.src.split()
    return tuple((i, source.index(letter)) for i, letter in enumerate(pair.tgt.split()))
