"""What the tests of model/ share: tiny models, a tiny tokenizer, and sentence pairs."""

import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import nn

from model import checkpoint
from model.config import Arch, ModelConfig
from model.interpret.capture import Capture
from model.interpret.recording import capture
from model.nn.architectures import build
from model.nn.transformer import Transformer
from model.nn.translator import Translator
from model.text.byte_level import BOS, EOS
from model.text.pairs import Pair
from model.text.tokenizer import Tokenizer

LETTERS = "abcdefghijkl"
LAYER_NAMES = {
    "encoder": ["self_attn", "add_norm_1", "ffn", "add_norm_2"],
    "decoder": ["self_attn", "add_norm_1", "cross_attn", "add_norm_2", "ffn", "add_norm_3"],
}
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
RECURRENT: tuple[Arch, ...] = ("rnn", "rnnsearch")
ONE_LAYER: Mapping[str, Any] = {"n_encoder_layers": 1, "n_decoder_layers": 1}
ONE_OF_EACH = {"n_heads": 1, **ONE_LAYER}
TINY_RECURRENT = {**TINY, **ONE_OF_EACH, "d_model": 8, "d_hidden": 12}


def tiny_config(arch: Arch = "transformer", **changes: Any) -> ModelConfig:
    """Return the configuration of a model that computes in a millisecond."""
    sizes = TINY_RECURRENT if arch in RECURRENT else TINY
    return ModelConfig(**{**sizes, **changes}, arch=arch)


def randomise(module: nn.Module, std: float = 0.3) -> None:
    """Draw every parameter at random, biases and gains too, so that none hides behind 0 or 1."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_(std=std)


def tiny_translator(arch: Arch, seed: int = 0, **changes: Any) -> Translator:
    """Return a tiny model with random weights everywhere, in evaluation mode."""
    torch.manual_seed(seed)
    model = build(tiny_config(arch, **changes))
    randomise(model)
    return model.eval()


def tiny_model(seed: int = 0, **changes: Any) -> Transformer:
    """Return a tiny Transformer with random weights everywhere, in evaluation mode."""
    model = tiny_translator("transformer", seed, **changes)
    assert isinstance(model, Transformer)
    return model


def reversed_pairs(n: int, seed: int = 0, longest: int = 7) -> list[Pair]:
    """Return lines of letters and the same backwards: a task whose alignment is known."""
    rng = random.Random(seed)
    rows = [rng.choices(LETTERS, k=rng.randint(3, longest)) for _ in range(n)]
    return [Pair(" ".join(row), " ".join(reversed(row))) for row in rows]


@cache
def letters_tokenizer() -> Tokenizer:
    """Return a tokenizer with one piece a letter."""
    return Tokenizer.train([pair.src for pair in reversed_pairs(200)], 300)


def tiny_capture(arch: Arch = "transformer", **changes: Any) -> tuple[Translator, Capture]:
    """Return a tiny model and its capture of five source and four target tokens."""
    model, tokenizer = tiny_translator(arch, **changes), letters_tokenizer()
    src = [*tokenizer.encode("a b c d"), EOS]
    return model, capture(model, tokenizer, src, [BOS, *tokenizer.encode("d c b")])


def save_tiny(
    folder: Path, seed: int = 0, sizes: Mapping[str, Any] = TINY, **settings: object
) -> Transformer:
    """Save the tiny model of a seed as a checkpoint, and return it."""
    tokenizer = letters_tokenizer()
    model = tiny_model(seed, **{**sizes, "vocab_size": tokenizer.vocab_size})
    checkpoint.save(folder, model, tokenizer, {"seed": seed}, **settings)  # type: ignore[arg-type]
    return model


def same_weights(one: nn.Module, other: nn.Module) -> bool:
    """Tell whether two models have the same weights to the bit."""
    pairs = zip(one.parameters(), other.parameters(), strict=True)
    return all(torch.equal(a, b) for a, b in pairs)
