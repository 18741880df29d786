"""Additive attention, the alignment model of Bahdanau et al. (2015).

B batch, T queries, S source tokens, D = d_model, M = size of an annotation, H = d_hidden.
"""

import math

import torch
from torch import Tensor, nn

from model.nn.hooks import NO_HOOK, Hook
from model.nn.masks import Mask


class AdditiveAttention(nn.Module):
    """e = v_aᵀ tanh(W_a s + U_a h): how well a state s goes with each annotation h."""

    def __init__(self, d_state: int, d_annotation: int, d_model: int) -> None:
        super().__init__()
        self.w_a = nn.Linear(d_state, d_model)
        self.u_a = nn.Linear(d_annotation, d_model, bias=False)
        self.v_a = nn.Parameter(torch.empty(d_model))
        for linear in (self.w_a, self.u_a):
            nn.init.xavier_uniform_(linear.weight)
        nn.init.zeros_(self.w_a.bias)
        nn.init.normal_(self.v_a, std=d_model**-0.5)

    def key_value(self, annotations: Tensor, hook: Hook = NO_HOOK) -> tuple[Tensor, Tensor]:
        """Make keys and values of the annotations: (B, S, M) -> (B, 1, S, D), (B, 1, S, M)."""
        k = hook("k", self.u_a(annotations)[:, None])  # (B, 1, S, D)
        return k, hook("v", annotations[:, None])  # (B, 1, S, M)

    def attend(
        self, state: Tensor, k: Tensor, v: Tensor, mask: Mask, hook: Hook = NO_HOOK
    ) -> Tensor:
        """Attend with states (B, T, H) to keys and values, and return their contexts (B, T, M).

        `mask`, (B, 1, 1, S), is True where attention is allowed; None allows all.
        """
        q = hook("q", self.w_a(state)[:, None])  # (B, 1, T, D)
        match = torch.tanh(q[..., None, :] + k[..., None, :, :])  # (B, 1, T, S, D)
        scores = hook("scores", match @ self.v_a)  # (B, 1, T, S)
        if mask is not None:
            scores = torch.where(mask, scores, -math.inf)  # (B, 1, T, S)
        weights = hook("weights", torch.softmax(hook("masked", scores), dim=-1))  # (B, 1, T, S)
        return hook("context", weights @ v)[:, 0]  # (B, T, M)
