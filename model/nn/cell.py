"""The recurrent cells: gated (GRU, the same numbers as torch's nn.GRU), and plain (nn.RNN's).

B batch, W hypotheses or one token, S tokens, H = d_hidden, N = number of products in a step.
"""

from abc import ABC, abstractmethod
from typing import ClassVar, Self

import torch
from torch import Tensor, nn

# All activations of a step, by name in a capture, (…, H) each; `hidden` is the next state.
Step = dict[str, Tensor]


class RecurrentCell(nn.Module, ABC):
    """One step of a recurrent network; W and U hold the matrices of its products stacked."""

    products: ClassVar[int]

    def __init__(self, d_in: int, d_hidden: int) -> None:
        super().__init__()
        self.d_hidden = d_hidden
        self.w = nn.Linear(d_in, self.products * d_hidden)
        self.u = nn.Linear(d_hidden, self.products * d_hidden)
        for linear in (self.w, self.u):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def start(self, x: Tensor) -> Tensor:
        """Return the state before the first token, zeros: (B, S, …) -> (B, 1, H)."""
        return x.new_zeros(x.shape[0], 1, self.d_hidden)

    @abstractmethod
    def step(self, wx: Tensor, h: Tensor) -> Step:
        """Take one step from W x (B, W, NH) and the state (B, W, H) to the next state."""

    def forward(
        self, x: Tensor, h: Tensor, real: Tensor | None = None, backwards: bool = False
    ) -> Step:
        """Read (B, S, d_in) from the state h, (B, 1, H), and return all steps, (B, S, H) each.

        Tokens that are not `real`, (B, S, 1), leave the state as it is.
        """
        steps = []
        inputs = list(enumerate(self.w(x).split(1, dim=1)))  # S of (B, 1, NH)
        for t, wx in reversed(inputs) if backwards else inputs:
            step = self.step(wx, h)
            new = step["hidden"]
            h = new if real is None else torch.where(real[:, t : t + 1], new, h)
            steps.append(step | {"hidden": h})
        if backwards:
            steps.reverse()
        return {name: torch.cat([step[name] for step in steps], dim=1) for name in steps[0]}


class GRU(RecurrentCell):
    """r = σ(W_r x + U_r h), z = σ(W_z x + U_z h), n = tanh(W_n x + r ∘ U_n h).

    The next state is (1 - z) ∘ n + z ∘ h (Cho et al. 2014). W and U hold the three matrices
    stacked, in this order.
    """

    products = 3

    def step(self, wx: Tensor, h: Tensor) -> Step:
        """Take one step from W x (B, W, 3H) and the state (B, W, H) to the next state."""
        uh = self.u(h)  # (B, W, 3H)
        gates = torch.sigmoid(wx[..., : 2 * self.d_hidden] + uh[..., : 2 * self.d_hidden])
        reset, update = gates.chunk(2, dim=-1)
        new = reset * uh[..., 2 * self.d_hidden :]
        candidate = torch.tanh(wx[..., 2 * self.d_hidden :] + new)
        hidden = candidate + update * (h - candidate)
        return {"reset": reset, "update": update, "candidate": candidate, "hidden": hidden}


class Elman(RecurrentCell):
    """The next state is tanh(W x + U h) (Elman 1990): all of the old one passes through U."""

    products = 1

    def step(self, wx: Tensor, h: Tensor) -> Step:
        """Take one step from W x (B, W, H) and the state (B, W, H) to the next state."""
        return {"hidden": torch.tanh(wx + self.u(h))}

    @classmethod
    @torch.no_grad()
    def without_gates(cls, gru: GRU) -> Self:
        """Return what is left of a GRU whose gates are fixed at r = 1 and z = 0: a plain cell."""
        plain = cls(gru.w.in_features, gru.d_hidden)
        for ours, theirs in ((plain.w, gru.w), (plain.u, gru.u)):
            ours.weight.copy_(theirs.weight[-gru.d_hidden :])
            ours.bias.copy_(theirs.bias[-gru.d_hidden :])
        return plain
