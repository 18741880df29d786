"""Choosing the next token of each sentence from its logits (B, V)."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

Choose = Callable[[Tensor], Tensor]


def likeliest(logits: Tensor) -> Tensor:
    """Return the tokens with the highest scores: (B, V) -> (B,)."""
    return logits.argmax(dim=-1)


def sampling_probs(
    logits: Tensor, temperature: float = 1.0, top_k: int = 0, top_p: float = 1.0
) -> Tensor:
    """Return the probabilities to draw from: (…, V) -> (…, V).

    Of softmax(logits / temperature), keep the `top_k` likeliest (0: all), then the fewest that
    together reach `top_p` of what is left. Raises ValueError for invalid settings.
    """
    if not 0 < temperature < math.inf or top_k < 0 or not 0 < top_p <= 1:
        raise ValueError(
            "Temperature must be above 0 and finite, top_k at least 0, top_p in (0, 1]."
        )
    probs, order = torch.softmax(logits / temperature, dim=-1).sort(descending=True, stable=True)
    if top_k:
        probs[..., top_k:] = 0
    probs /= probs.sum(dim=-1, keepdim=True)
    likelier = probs.cumsum(dim=-1) - probs
    probs = probs.masked_fill(likelier >= top_p, 0)
    probs /= probs.sum(dim=-1, keepdim=True)
    return torch.zeros_like(probs).scatter_(-1, order, probs)  # back to the order of the ids


def sampler(temperature: float = 1.0, top_k: int = 0, top_p: float = 1.0, seed: int = 0) -> Choose:
    """Return a function that draws tokens from `sampling_probs`; a seed fixes what it draws."""
    numbers = torch.Generator().manual_seed(seed)

    def draw(logits: Tensor) -> Tensor:
        probs = sampling_probs(logits, temperature, top_k, top_p)
        return torch.multinomial(probs, 1, generator=numbers)[:, 0]

    return draw
