"""A task to train on: a source of correct pairs, and what its attention should look like."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from model.text.pairs import Pair

Alignment = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Task:
    """A task made by the project; `source` and `target` are language codes, or "" for symbols.

    `make` draws one correct pair. `align`, if the alignment is known, returns which target word
    comes from which source word, as (target, source) positions of words separated by blanks and
    hyphens; nothing for a pair whose alignment is not known. `probe` is the pair whose attention is
    filmed; it is never trained on. `preset` names the preset that suits the task, `settings` what
    to change in it, and `pairs` how many pairs to train on. `pieces`, if known, is about the most
    pieces that a tokenizer can learn from them, and `most` how many pairs there are.
    """

    name: str
    source: str
    target: str
    make: Callable[[random.Random], Pair]
    align: Callable[[Pair], Alignment] | None
    probe: Pair
    preset: str
    pairs: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    pieces: int | None = None
    most: int | None = None
