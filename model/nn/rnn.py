"""Sequence to sequence with recurrent networks (Sutskever et al. 2014, Cho et al. 2014).

B batch, W hypotheses, T target tokens, S source tokens, D = d_model, H = d_hidden.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from model.config import CellName, ModelConfig
from model.nn.cell import GRU, Elman, RecurrentCell, Step
from model.nn.hooks import NO_HOOK, Hook
from model.nn.masks import Mask
from model.nn.translator import Cache, Translator, stack

CELLS: Final[Mapping[CellName, type[RecurrentCell]]] = {"gru": GRU, "tanh": Elman}


def make_cell(config: ModelConfig) -> RecurrentCell:
    """Return an untrained cell of the configured kind, which reads embeddings."""
    return CELLS[config.cell](config.d_model, config.d_hidden)


@dataclass
class State:
    """The decoder's state of each hypothesis, (B, W, H)."""

    state: Tensor

    def select(self, rows: Tensor) -> "State":
        """Return the states of the given sentences of the batch, in their order."""
        return State(self.state.index_select(0, rows))

    def follow(self, rows: Tensor) -> None:
        """Give each hypothesis the state of the one that it continues, `rows` (B, new W)."""
        index = rows[..., None].expand(-1, -1, self.state.shape[-1])  # (B, new W, H)
        self.state = self.state.gather(1, index)


def real_tokens(src_mask: Mask) -> Tensor | None:
    """Return which source tokens are not padding: (B, 1, 1, S) -> (B, S, 1)."""
    return None if src_mask is None else src_mask[:, 0, 0, :, None]


def hooked(step: Step, hook: Hook, state: str) -> Tensor:
    """Pass all activations of a cell through the hook, and return its states, hooked as `state`."""
    for name, activation in step.items():
        if name != "hidden":
            hook(name, activation)
    return hook(state, step["hidden"])


class RnnEncoder(nn.Module):
    """One cell that reads the sentence from its first token to its last."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.gru = make_cell(config)  # so the weights are named, whichever the cell

    def forward(self, x: Tensor, src_mask: Mask, hook: Hook = NO_HOOK) -> Tensor:
        """Return the state after the last token: (B, S, D) -> (B, 1, H)."""
        steps = self.gru(x, self.gru.start(x), real_tokens(src_mask))
        return hooked(steps, hook.at("forward"), "hidden")[:, -1:]


class RnnDecoder(nn.Module):
    """A cell that starts from the encoder's last state, and the readout of its states."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.gru = make_cell(config)  # so the weights are named, whichever the cell
        self.readout = nn.Linear(config.d_hidden, config.d_model)

    def read(self, states: Tensor, hook: Hook) -> Tensor:
        """Turn states into readouts, which the generator scores: (B, T, H) -> (B, T, D)."""
        return hook("readout", torch.tanh(self.readout(states)))


class Rnn(Translator):
    """A translator whose decoder knows the source only as one vector, the encoder's last state."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.encoder, self.decoder = stack([RnnEncoder(config)]), stack([RnnDecoder(config)])

    def encode(self, src: Tensor, src_mask: Mask, hook: Hook = NO_HOOK) -> Tensor:
        """Return the encoder's last state: (B, S) -> (B, 1, H)."""
        x = self.dropout(self.lookup(self.src_embed, src, hook.at("src")))
        return hook("memory", self.encoder[0](x, src_mask, hook.at("encoder.0")))

    def decode(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Mask, src_mask: Mask, hook: Hook = NO_HOOK
    ) -> Tensor:
        """Return the readouts: (B, T), (B, 1, H) -> (B, T, D); the masks are not used."""
        layer, below = self.decoder[0], hook.at("decoder.0")
        y = self.dropout(self.lookup(self.tgt_embed, tgt, hook.at("tgt")))
        states = hooked(layer.gru(y, memory), below, "state")
        return self.dropout(layer.read(states, below))

    def start_cache(self, memory: Tensor, src_mask: Mask) -> State:
        """Start from the encoder's last state, (B, 1, H)."""
        return State(memory)

    def decode_step(
        self, tokens: Tensor, cache: Cache, tgt_mask: Mask = None, hook: Hook = NO_HOOK
    ) -> Tensor:
        """Read the next token of W hypotheses, (B, W), and score what follows, (B, W, V)."""
        assert isinstance(cache, State), "a cache of this model's own"
        layer, below = self.decoder[0], hook.at("decoder.0")
        y = self.lookup(self.tgt_embed, tokens, hook.at("tgt"))  # (B, W, D)
        step = layer.gru.step(layer.gru.w(y), cache.state)
        cache.state = hooked(step, below, "state")
        return self.logits(layer.read(cache.state, below), hook)
