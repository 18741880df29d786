"""What the tests of model/ share: tiny models, a tiny tokenizer, and sentence pairs."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from typing import Any

import torch
from torch import nn

from model.config import ModelConfig
from model.data import Pair
from model.tokenizer import Tokenizer
from model.transformer import Transformer

LETTERS = "abcdefghijkl"
TINY: Mapping[str, Any] = {
    "vocab_size": 300,
    "d_model": 16,
    "n_heads": 2,
    "d_ff": 32,
    "n_encoder_layers": 2,
    "n_decoder_layers": 2,
    "dropout": 0.0,
    "max_len": 64,
}


def tiny_config(**changes: Any) -> ModelConfig:
    """Return the configuration of a model that computes in a millisecond."""
    return ModelConfig(**{**TINY, **changes})


def randomise(module: nn.Module, std: float = 0.3) -> None:
    """Draw every parameter anew, biases and gains too, so that none hides behind 0 or 1."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_(std=std)


def tiny_model(seed: int = 0, **changes: Any) -> Transformer:
    """Return a tiny model with random weights everywhere, in evaluation mode."""
    torch.manual_seed(seed)
    model = Transformer(tiny_config(**changes))
    randomise(model)
    return model.eval()


def reversed_pairs(n: int, seed: int = 0, longest: int = 7) -> list[Pair]:
    """Return lines of letters and the same backwards: a task whose alignment is known."""
    rng = random.Random(seed)
    rows = [rng.choices(LETTERS, k=rng.randint(3, longest)) for _ in range(n)]
    return [Pair(" ".join(row), " ".join(reversed(row))) for row in rows]


@cache
def letters_tokenizer() -> Tokenizer:
    """Return a tokenizer with one piece a letter."""
    return Tokenizer.train([pair.src for pair in reversed_pairs(200)], 300)
