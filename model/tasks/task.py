"""What a task to train on is: a source of true pairs, and what attention should look like."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from model.text.pairs import Pair

Alignment = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Task:
    """A task made by the project; `source` and `target` are language codes, or "" for symbols.

    `make` draws one true pair. `align` returns which target word comes from which source word, as
    (target, source) places counted in words between blanks and hyphens, where that is known.
    `probe` is the pair whose attention is filmed; it is never trained on. `preset` names the preset
    that suits the task, `settings` what to change in it, and `pairs` how many pairs to train on.
    A tokenizer finds at most about `pieces` in them, if that is known.
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
