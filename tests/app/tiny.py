"""Tiny models with random weights, enough for all but good translations."""

from pathlib import Path

import torch

from model import checkpoint
from model.config import Arch, ModelConfig
from model.nn.architectures import ARCHITECTURES, build
from model.text.tokenizer import Tokenizer

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


RECURRENT: tuple[Arch, ...] = ("rnn", "rnnsearch")
NAMES = ("es-en", "fr-en", "rnn/es-en", "rnnsearch/es-en")


def make_models(folder: Path, names: tuple[str, ...] = NAMES) -> Path:
    """Write a model under each name; return the folder that PRETRAINED_DIR may point to."""
    tokenizer = Tokenizer.train(LINES * 3, 340)
    for seed, name in enumerate(names):
        torch.manual_seed(seed)
        model = build(tiny_config(name.partition("/")[0], tokenizer.vocab_size)).eval()
        # Larger than usual, so that translations and attention differ from token to token.
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.dim() == 2:
                    parameter.mul_(3)
        lengths = [by_length([1, 6], 12, 40.0 + seed), by_length([7, 30], 8, 20.0 + seed)]
        everyday = [by_length([1, 6], 12, 35.0, 45.0), by_length([7, 30], 8, 15.0, 25.0)]
        early = [by_length([1, 6], 12, 30.0), by_length([7, 30], 8, 10.0)]
        metrics = {
            "validation": {"bleu": 12.3},
            "test_by_length": lengths,
            "everyday_by_length": everyday,
            "train": {"batch_tokens": 5000, "steps": 2400},
            "early": {"step": 2400, "test": {"bleu": 25.5}, "test_by_length": early},
        }
        checkpoint.save(folder / name, model, tokenizer, metrics)
    return folder


def by_length(words: list[int], count: int, bleu: float, chrf: float | None = None) -> dict:
    """Return a model's scores on the sentences of some lengths, as an evaluation records them."""
    scores = {"words": words, "n": count, "bleu": bleu}
    return scores if chrf is None else scores | {"chrf": chrf}


def tiny_config(arch: str, vocab_size: int) -> ModelConfig:
    """Return the shape of a tiny model; what is no architecture's name means a Transformer."""
    if arch == "transformer" or arch not in ARCHITECTURES:
        return ModelConfig(
            vocab_size, d_model=32, n_heads=4, d_ff=64, n_encoder_layers=2, n_decoder_layers=2,
            max_len=64,
        )  # fmt: skip
    return ModelConfig(
        vocab_size, d_model=32, n_heads=1, n_encoder_layers=1, n_decoder_layers=1, max_len=64,
        arch="rnn" if arch == "rnn" else "rnnsearch", d_hidden=40,
    )  # fmt: skip
