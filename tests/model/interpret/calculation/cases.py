"""Tiny models of every kind, each with one captured sentence and its parameters."""

from collections import deque
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import torch

from model.interpret.calculation.cell import Calculation, Cell, heaviest
from model.interpret.calculation.explain import explain
from model.interpret.calculation.parameters import Parameters, parameters
from model.interpret.calculation.stages import PARAM
from model.interpret.capture import Capture
from model.interpret.recording import capture
from model.nn.translator import Translator
from model.text.byte_level import BOS, EOS
from tests.model.samples import letters_tokenizer, tiny_translator


class Case(NamedTuple):
    """A model, what it computed, and its parameters."""

    model: Translator
    capture: Capture
    parameters: Parameters


OTHER_TARGET = {"share_embeddings": False, "tgt_vocab_size": 310}
RECURRENT_ONES: list[dict[str, Any]] = [
    {"arch": "rnn", "cell": "gru", **OTHER_TARGET},
    {"arch": "rnn", "cell": "tanh", "tie_generator": False, "d_hidden": 5},
    {"arch": "rnnsearch", "cell": "tanh", **OTHER_TARGET},
    {"arch": "rnnsearch", "cell": "gru"},
]
# Each value of each setting at least twice, with both kinds of norm.
VARIANTS: list[dict[str, Any]] = RECURRENT_ONES + [
    {
        "norm": norm,
        "positions": positions,
        "share_embeddings": share,
        "tgt_vocab_size": None if share else 310,
        "tie_generator": tie,
        "n_heads": n_heads,
        "n_encoder_layers": n_layers,
        "n_decoder_layers": n_layers,
    }
    for norm, positions, share, tie, n_heads, n_layers in (
        ("post", "interleaved", True, True, 8, 2),
        ("post", "half", False, False, 1, 1),
        ("post", "none", True, False, 8, 1),
        ("pre", "interleaved", False, True, 1, 2),
        ("pre", "half", True, True, 8, 1),
        ("pre", "none", False, False, 1, 2),
    )
]


def title(variant: dict[str, Any]) -> str:
    return "-".join(str(value) for value in list(variant.values())[:2])


@cache
def _case(items: tuple[tuple[str, Any], ...], src: str, tgt: str) -> Case:
    model, tokenizer = tiny_translator(**dict(items)), letters_tokenizer()
    made = capture(model, tokenizer, [*tokenizer.encode(src), EOS], [BOS, *tokenizer.encode(tgt)])
    return Case(model, made, parameters(model))


def case(src: str = "a b c d", tgt: str = "d c b", **variant: Any) -> Case:
    """Return a tiny model of a variant and its capture of one pair; the same one every time."""
    torch.set_num_threads(1)
    return _case(tuple(sorted(({"arch": "transformer"} | variant).items())), src, tgt)


def corrupted(made: Capture, name: str, index: tuple[int, ...], value: float) -> Capture:
    """Return a capture in which one number is another."""
    array: np.ndarray = made.arrays[name].copy()
    array[index] = value
    return replace(made, arrays={**made.arrays, name: array})


def walk_to_roots(made: Capture, parameters: Parameters, cell: Cell) -> dict[Cell, Calculation]:
    """Go up breadth first, entering each array once, at the number that weighs most there.

    Where a state is made of the one before, each step of an array is entered once.
    """
    steps = made.config.recurrent

    def entry(cell: Cell) -> tuple[str, tuple[int, ...]]:
        return cell.name, cell.index[-2:-1] if steps and not cell.name.startswith(PARAM) else ()

    queue, entered, found = deque([cell]), {entry(cell)}, dict[Cell, Calculation]()
    while queue:
        cell = queue.popleft()
        found[cell] = explain(made, parameters, cell)
        for parent in heaviest(found[cell]):
            if entry(parent) not in entered:
                entered.add(entry(parent))
                queue.append(parent)
    return found
