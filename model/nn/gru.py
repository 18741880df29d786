"""The gated recurrent unit (Cho et al. 2014), the same numbers as torch's nn.GRU.

B batch, W hypotheses or one token, H = d_hidden.
"""

import torch
from torch import Tensor

from model.nn.cell import Cell, Step


class GRU(Cell):
    """r = σ(W_r x + U_r h), z = σ(W_z x + U_z h), n = tanh(W_n x + r ∘ U_n h).

    The next state is (1 - z) ∘ n + z ∘ h. W and U hold the three matrices stacked, in this order.
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
