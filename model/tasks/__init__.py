"""The project's own tasks to train on: correct pairs by seed, in the order of the sidebar."""

import random
import string
from collections.abc import Callable
from typing import Final

from model.errors import UserError
from model.tasks import numbers, phrases
from model.tasks.task import Alignment, Task
from model.text.pairs import Pair

# Of letters in a sentence.
SHORTEST, LONGEST = 3, 10
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


def _letters(letters: list[str], change: Callable[[list[str]], list[str]]) -> Pair:
    """Return the letters and what they become, separated by blanks."""
    return Pair(" ".join(letters), " ".join(change(letters)))


def _letters_maker(change: Callable[[list[str]], list[str]]) -> Callable[[random.Random], Pair]:
    """Return a function that draws different letters and makes a pair of them."""

    def make(rng: random.Random) -> Pair:
        letters = rng.sample(string.ascii_lowercase, rng.randint(SHORTEST, LONGEST))
        return _letters(letters, change)

    return make


def _align_letters(pair: Pair) -> Alignment:
    """Align each letter with itself: no letter occurs twice in a sentence."""
    source = pair.src.split()
    return tuple((i, source.index(letter)) for i, letter in enumerate(pair.tgt.split()))


_SYMBOLS = [
    Task(name, "", "", _letters_maker(change), _align_letters, probe, "tiny", 20_000, settings, 285)
    for name, change, settings in (
        ("copy", list, {}),
        ("reverse", lambda letters: letters[::-1], {}),
        ("sort", sorted, {"n_decoder_layers": 2, "steps": 600}),
    )
    for probe in [_letters(LETTERS, change)]
]
_NUMBERS = [
    Task(
        f"{name}-{source}",
        source,
        target,
        numbers.maker(pair_of, source),
        numbers.aligner(source) if pair_of is numbers.in_words else None,
        pair_of(NUMBER, source),
        "tiny",
        20_000,
        _COUNTING | settings,
        pieces,
    )
    for name, source, target, pair_of, settings, pieces in (
        ("numbers", "es", "en", numbers.in_words, {}, 476),
        ("numbers", "fr", "en", numbers.in_words, {}, 427),
        # So few pieces that digits are not merged.
        ("digits", "es", "", numbers.in_digits, {"vocab_size": 350}, None),
        ("digits", "fr", "", numbers.in_digits, {"vocab_size": 340}, None),
    )
]
_PHRASES = [
    Task(
        f"phrases-{source}",
        source,
        "en",
        phrases.maker(source),
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
