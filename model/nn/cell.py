"""What every recurrent cell has: the products W x and U h, and the loop over a sentence.

B batch, W hypotheses or one token, S tokens, H = d_hidden, N = number of products in a step.
"""

from abc import ABC, abstractmethod
from typing import ClassVar

import torch
from torch import Tensor, nn

# All activations of a step, by name in a capture, (…, H) each; `hidden` is the next state.
Step = dict[str, Tensor]


class Cell(nn.Module, ABC):
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
