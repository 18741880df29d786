"""The project's own tasks to train on: correct pairs by seed, in the order of the sidebar."""

import random
import string
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

from model.errors import UserError
from model.tasks import numbers, phrases
from model.tasks.task import Alignment, Task
from model.text.pairs import Pair

MAX_LETTERS = 10
LETTERS_TO_DRAW_FROM = 13  # in one word: of all 26, too few words would repeat a letter
LETTER_PIECES = (
    285  # bytes, special tokens, and letters with a blank before them: no pairs of letters
)
LETTERS = list("planets")
NUMBER = 234
REPEATS = 1000  # after this many repeated sources in a row, a task is exhausted
# Found by experiment: exact on more than 99 % of unseen numbers, and on 95 % of unseen phrases.
_COUNTING = {"n_encoder_layers": 2, "n_decoder_layers": 2, "learning_rate": 1e-2, "steps": 600}
_PHRASE_BOOK = {
    "vocab_size": 3000,  # whole words: fewer tokens, and no spelling mistakes
    "dropout": 0.0,
    "learning_rate": 6e-3,
    "warmup": 30,
    "schedule": "linear",  # in such a short run, an early decay ends with a better model
    "batch_tokens": 3072,
    "steps": 224,
    "validate_every": 112,
    "validate_pairs": 500,
}


def _symbols(name: str, order: Callable[[list[str]], Iterable[int]], **settings: Any) -> Task:
    """Return the task of putting a word's letters in another order.

    Words are random, but as people type them: they repeat letters, and half of them have blanks
    between their letters. Without blanks, no alignment of words tells which letter goes where.
    """

    def pair_of(letters: list[str], between: str) -> Pair:
        return Pair(between.join(letters), between.join(letters[i] for i in order(letters)))

    def make(rng: random.Random) -> Pair:
        letters = rng.sample(string.ascii_lowercase, LETTERS_TO_DRAW_FROM)
        return pair_of(rng.choices(letters, k=rng.randint(1, MAX_LETTERS)), rng.choice(("", " ")))

    def align(pair: Pair) -> Alignment:
        letters = pair.src.split()
        return tuple(enumerate(order(letters))) if max(map(len, letters)) == 1 else ()

    probe, changed = pair_of(LETTERS, " "), {"vocab_size": LETTER_PIECES} | settings
    return Task(name, "", "", make, align, probe, "tiny", 20_000, changed, LETTER_PIECES)


def _numbers(
    name: str, target: str, pair_of: Callable[[int, str], Pair], pieces: int | None, **settings: Any
) -> Task:
    """Return the task of translating numbers in words, from the language that its name ends in."""
    source = name.partition("-")[2]

    def make(rng: random.Random) -> Pair:
        return pair_of(numbers.draw(rng), source)

    align = partial(numbers.align, source) if pair_of is numbers.in_words else None
    probe, changed = pair_of(NUMBER, source), _COUNTING | settings
    return Task(name, source, target, make, align, probe, "tiny", 20_000, changed, pieces)


_SYMBOLS = [
    _symbols("copy", lambda letters: range(len(letters))),
    _symbols("reverse", lambda letters: reversed(range(len(letters)))),
    _symbols(
        "sort",
        lambda letters: sorted(range(len(letters)), key=letters.__getitem__),
        n_decoder_layers=2,
        steps=600,
    ),
]
_NUMBERS = [
    _numbers("numbers-es", "en", numbers.in_words, 476),
    _numbers("numbers-fr", "en", numbers.in_words, 427),
    # So few pieces that digits are not merged.
    _numbers("digits-es", "", numbers.in_digits, None, vocab_size=350),
    _numbers("digits-fr", "", numbers.in_digits, None, vocab_size=340),
]
_PHRASES = [
    Task(
        f"phrases-{source}",
        source,
        "en",
        partial(phrases.draw, source),
        None,
        Pair(probe, "Tomorrow the teacher will read an interesting book."),
        "small",
        40_000,
        _PHRASE_BOOK,
        pieces,
        phrases.SIZE,
    )
    for source, probe, pieces in (
        ("es", "Mañana la profesora leerá un libro interesante.", 5011),
        ("fr", "Demain, la professeure lira un livre intéressant.", 3871),
    )
]
TASKS: Final = {task.name: task for task in (*_SYMBOLS, *_NUMBERS, *_PHRASES)}


def make_pairs(name: str, n_train: int, n_valid: int, seed: int) -> tuple[list[Pair], list[Pair]]:
    """Return training pairs of a task (0: as many as the task suggests), and held-out pairs.

    Raises UserError for an unknown task.
    """
    if name not in TASKS:
        raise UserError("no_pairs")
    return split(TASKS[name], n_train or TASKS[name].pairs, n_valid, seed)


def split(task: Task, n_train: int, n_valid: int, seed: int) -> tuple[list[Pair], list[Pair]]:
    """Draw training pairs and test pairs, or fewer of them if the task has no more.

    No source sentence occurs twice, and the task's probe is in neither part.
    """
    rng = random.Random(f"{task.name}/{seed}")
    by_source: dict[str, Pair] = {}
    repeats = 0
    while len(by_source) < n_train + n_valid and repeats < REPEATS:
        pair = task.make(rng)
        known = pair.src in by_source or pair.src == task.probe.src
        repeats = repeats + 1 if known else 0
        if not known:
            by_source[pair.src] = pair
    pairs = list(by_source.values())
    rng.shuffle(pairs)  # pairs drawn late are rare ones, and both parts must be alike
    return pairs[n_valid:], pairs[:n_valid]
