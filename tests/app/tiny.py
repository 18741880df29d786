"""Tiny models with random weights, enough for all but good translations."""

from pathlib import Path

import torch

from model import checkpoint
from model.config import ModelConfig
from model.tokenizer import Tokenizer
from model.transformer import Transformer

LINES = [
    "Nunca es tarde para aprender.",
    "It's never too late to learn.",
    "Qué será, será.",
    "Whatever will be, will be.",
    "Donde hay humo, hay fuego.",
    "Je suis étudiant.",
    "I am a student.",
    "Je suis, donc je suis.",
]


def make_models(folder: Path, names: tuple[str, ...] = ("es-en", "fr-en")) -> Path:
    """Write a model under each name; return the folder that PRETRAINED_DIR may point to."""
    tokenizer = Tokenizer.train(LINES * 3, 340)
    config = ModelConfig(
        tokenizer.vocab_size, d_model=32, n_heads=4, d_ff=64, n_encoder_layers=2,
        n_decoder_layers=2, max_len=64,
    )  # fmt: skip
    for seed, name in enumerate(names):
        torch.manual_seed(seed)
        model = Transformer(config).eval()
        # Larger than usual, so that translations and attention differ from token to token.
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.dim() == 2:
                    parameter.mul_(3)
        checkpoint.save(folder / name, model, tokenizer, {"validation": {"bleu": 12.3}})
    return folder
