"""What the RNN page asks beyond one run: the sentence without a word, or repeated many times.

S source tokens.
"""

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.data.cache import cached
from app.data.decoding import Decoding
from app.data.embedding import embedded
from app.data.translation import Stamp, stamp_of, translate
from app.data.walk import Walk
from model.interpret.calculation.derived import length
from model.interpret.experiments import memory
from model.interpret.experiments.memory import Remembered

__all__ = ["memory"]

TIMES = 4  # a long text shows how much is remembered
Floats = NDArray[np.floating]


@dataclass(frozen=True)
class Repeated:
    """A repeated sentence: what was read and written, and the share of words kept."""

    text: str
    output: str
    kept: float


@cached()
def remembered(walk: Walk) -> Remembered:
    """Read the repeated sentence with and without its first token, and compare the states.

    For the encoder as it is, and for the plain cell that remains without its gates, the result is
    how far apart the two states are, as a share of how far the first token moved them apart.
    """
    ids = walk.tokenizer.encode(joined(walk.translation.text, TIMES))
    return memory.remembered(walk.model, ids[: walk.config.max_len])


@cached()
def moved(walk: Walk) -> Floats:
    """Return how far leaving out each token moves the last state, as a share of that, (S,)."""
    return memory.moved(walk.model, walk.capture.src_ids, walk.array("memory"))


def repeated(model: str, text: str, most: int) -> tuple[Repeated, ...]:
    """Translate a sentence greedily, said once up to `most` times and joined by “y”.

    Raises what `translate` raises.
    """
    return tuple(_repeated(stamp_of(model), model, text, n) for n in range(1, most + 1))


@cached()
def _repeated(stamp: Stamp, model: str, text: str, copies: int) -> Repeated:
    longer = joined(text, copies)
    one, many = (translate(model, each, Decoding("greedy")) for each in (joined(text, 1), longer))
    wanted = Counter({word: copies * n for word, n in Counter(_words(one.output)).items()})
    kept = wanted & Counter(_words(many.output))
    return Repeated(longer, many.output, kept.total() / max(wanted.total(), 1))


def joined(text: str, copies: int) -> str:
    """Repeat a sentence several times: "A" -> "A y a y a"."""
    bare = text.strip().rstrip(".!?…")
    return " y ".join([bare, *[bare[:1].lower() + bare[1:]] * (copies - 1)])


def pad_length(walk: Walk) -> float:
    """Return how long the vector of <pad> is."""
    return float(length(embedded(walk, [walk.config.pad_id]))[0])


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
