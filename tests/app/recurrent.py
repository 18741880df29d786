"""Tiny recurrent translators beside the tiny Transformers, as they ship."""

from pathlib import Path

import torch

from model import checkpoint
from model.config import Arch, ModelConfig
from model.nn.architectures import build
from tests.app.tiny import make_models

RECURRENT: tuple[Arch, ...] = ("rnn", "rnnsearch")


def make_every_model(folder: Path) -> Path:
    """Write the tiny models, and one of each recurrent architecture with their tokenizer."""
    make_models(folder)
    tokenizer = checkpoint.load(folder / "es-en").tokenizer
    for arch in RECURRENT:
        torch.manual_seed(0)
        config = ModelConfig(
            tokenizer.vocab_size, d_model=16, n_heads=1, n_encoder_layers=1, n_decoder_layers=1,
            max_len=64, arch=arch, d_hidden=24,
        )  # fmt: skip
        model = build(config).eval()
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.dim() == 2:
                    parameter.mul_(3)
        checkpoint.save(folder / arch / "es-en", model, tokenizer, {})
    return folder
