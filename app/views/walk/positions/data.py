"""What positions are good for: the real model reads the words in two orders, with and without them.

S source tokens, D = d_model.
"""

import math
from dataclasses import dataclass

import numpy as np
import streamlit as st
import torch
from torch import Tensor

from app.data.translation import load
from app.data.walk import Walk
from model.checkpoint import Checkpoint
from model.config import Positions
from model.decoding.beam import never_written
from model.decoding.search import limit
from model.interpret.calculation.positions import encodings, position_dots, rate, wave
from model.nn.hooks import Intervention
from model.nn.masks import padding_mask

__all__ = ["Positions", "encodings", "position_dots", "rate", "wave"]

Order = tuple[int, ...]  # for each place of the new order, the token's place in the given one


@dataclass(frozen=True, eq=False)
class Reordered:
    """Four runs of one model: the given and the other order, with positions and without.

    `memory[with_positions][other]` is the encoder's output (S, D), `outputs` the greedy
    translation in the same places; `ids` are the source tokens in both orders.
    """

    order: Order
    ids: tuple[tuple[int, ...], tuple[int, ...]]
    memory: tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
    outputs: tuple[tuple[str, str], tuple[str, str]]

    @property
    def same_text(self) -> bool:
        """Whether both orders read the same, as with a word that is only repeated."""
        return self.ids[0] == self.ids[1]

    def back(self, with_positions: bool) -> np.ndarray:
        """Return the outputs of the other order, each put back to its token's place, (S, D)."""
        return self.memory[with_positions][1][np.argsort(self.order)]

    def moved(self, with_positions: bool) -> np.ndarray:
        """Return how far each token's output is from its own in the other order, (S,)."""
        difference = self.memory[with_positions][0] - self.back(with_positions)
        return np.asarray(np.abs(difference).max(-1), dtype=float)


def reordered(walk: Walk, order: Order) -> Reordered:
    """Run the model on the source tokens in both orders, once for all visitors."""
    return _reordered(walk.key, order, walk)


@st.cache_resource(max_entries=32, show_spinner=False)
def _reordered(key: tuple[object, ...], order: Order, _walk: Walk) -> Reordered:
    loaded = load(_walk.translation.model)
    given = tuple(token.id for token in _walk.capture.src)
    ids = (given, tuple(given[i] for i in order))
    memory, outputs = _run(loaded, ids)
    return Reordered(
        order, ids, ((memory[2], memory[3]), (memory[0], memory[1])),
        ((outputs[2], outputs[3]), (outputs[0], outputs[1])),
    )  # fmt: skip


@torch.inference_mode()
def _run(
    loaded: Checkpoint, ids: tuple[tuple[int, ...], tuple[int, ...]]
) -> tuple[np.ndarray, list[str]]:
    """Read both orders with positions, then both with zeros in their place: (4, S, D)."""
    model = loaded.model
    src = torch.tensor([*ids, *ids])  # (4, S)
    mask = padding_mask(src, model.config.pad_id)
    keep = torch.tensor([1.0, 1.0, 0.0, 0.0])[:, None, None]  # (4, 1, 1)
    memory = model.encode(src, mask, Intervention({"src.pos": lambda p: p * keep}))
    written = _greedy(loaded, memory, mask, limit(model.config, ids[0]))
    return memory.numpy(), [loaded.tokenizer.decode(tokens) for tokens in written]


def _greedy(loaded: Checkpoint, memory: Tensor, mask: Tensor, most: int) -> list[list[int]]:
    """Write the likeliest token at each step over each memory, until all have ended."""
    model, config = loaded.model, loaded.config
    cache, never = model.start_cache(memory, mask), never_written(config)
    steps: list[Tensor] = []
    token = torch.full((len(memory),), config.bos_id)
    ended = torch.zeros(len(memory), dtype=torch.bool)
    while len(steps) < most and not ended.all():
        logits = model.decode_step(token[:, None], cache)[:, 0]  # (4, V)
        token = logits.index_fill(-1, never, -math.inf).argmax(-1)
        ended |= token == config.eos_id
        steps.append(token)
    rows: list[list[int]] = torch.stack(steps, dim=1).tolist()
    return [row[: row.index(config.eos_id)] if config.eos_id in row else row for row in rows]
