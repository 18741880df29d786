"""The plain recurrent cell (Elman 1990), the same numbers as torch's nn.RNN.

B batch, W hypotheses or one token, H = d_hidden.
"""

from __future__ import annotations

import torch
from torch import Tensor

from model.nn.cell import Cell, Step
from model.nn.gru import GRU


class Elman(Cell):
    """The next state is tanh(W x + U h): all of the old state passes through U at every step."""

    products = 1

    def step(self, wx: Tensor, h: Tensor) -> Step:
        """Take one step from W x (B, W, H) and the state (B, W, H) to the next state."""
        return {"hidden": torch.tanh(wx + self.u(h))}

    @classmethod
    @torch.no_grad()
    def without_gates(cls, gru: GRU) -> Elman:
        """Return what is left of a GRU whose gates are fixed at r = 1 and z = 0: a plain cell."""
        plain = cls(gru.w.in_features, gru.d_hidden)
        for ours, theirs in ((plain.w, gru.w), (plain.u, gru.u)):
            ours.weight.copy_(theirs.weight[-gru.d_hidden :])
            ours.bias.copy_(theirs.bias[-gru.d_hidden :])
        return plain
