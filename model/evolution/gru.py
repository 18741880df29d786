"""The gated recurrent unit (Cho et al. 2014), the same numbers as torch's nn.GRU.

B batch, W hypotheses or one token, S tokens, H = d_hidden.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn


class Gates(NamedTuple):
    """What one step makes of a state, each (…, H); `hidden` is the next state."""

    reset: Tensor
    update: Tensor
    candidate: Tensor
    hidden: Tensor


class GRU(nn.Module):
    """r = σ(W_r x + U_r h), z = σ(W_z x + U_z h), n = tanh(W_n x + r ∘ U_n h).

    The next state is (1 - z) ∘ n + z ∘ h. W and U hold the three matrices stacked, in this order.
    """

    def __init__(self, d_in: int, d_hidden: int) -> None:
        super().__init__()
        self.d_hidden = d_hidden
        self.w = nn.Linear(d_in, 3 * d_hidden)
        self.u = nn.Linear(d_hidden, 3 * d_hidden)
        for linear in (self.w, self.u):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def start(self, x: Tensor) -> Tensor:
        """Return the state before the first token, zeros: (B, S, …) -> (B, 1, H)."""
        return x.new_zeros(x.shape[0], 1, self.d_hidden)

    def step(self, wx: Tensor, h: Tensor) -> Gates:
        """Take one step: W x (B, W, 3H) and the state (B, W, H) make the next."""
        uh = self.u(h)  # (B, W, 3H)
        gates = torch.sigmoid(wx[..., : 2 * self.d_hidden] + uh[..., : 2 * self.d_hidden])
        reset, update = gates.chunk(2, dim=-1)
        new = reset * uh[..., 2 * self.d_hidden :]
        candidate = torch.tanh(wx[..., 2 * self.d_hidden :] + new)
        return Gates(reset, update, candidate, candidate + update * (h - candidate))

    def forward(
        self, x: Tensor, h: Tensor, real: Tensor | None = None, backwards: bool = False
    ) -> Gates:
        """Read (B, S, d_in) from the state h, (B, 1, H), and return all steps, (B, S, H) each.

        Tokens that are not `real`, (B, S, 1), leave the state as it is.
        """
        made = []
        steps = list(enumerate(self.w(x).split(1, dim=1)))  # S of (B, 1, 3H)
        for t, wx in reversed(steps) if backwards else steps:
            gates = self.step(wx, h)
            h = gates.hidden if real is None else torch.where(real[:, t : t + 1], gates.hidden, h)
            made.append(gates._replace(hidden=h))
        if backwards:
            made.reverse()
        return Gates(*(torch.cat(steps, dim=1) for steps in zip(*made, strict=True)))
