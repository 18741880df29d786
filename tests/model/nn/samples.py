"""What the tests of the recurrent translators share."""

from typing import Any, get_args

import torch

from model.config import Arch, CellName, ModelConfig
from model.interpret.capture import Capture
from model.interpret.recording import capture
from model.nn.architectures import build
from model.nn.translator import Translator
from model.text.byte_level import BOS, EOS
from tests.model.samples import letters_tokenizer, randomise

RECURRENT: tuple[Arch, ...] = ("rnn", "rnnsearch")
CELLS: tuple[CellName, ...] = get_args(CellName)


def tiny_config(arch: Arch, **changes: Any) -> ModelConfig:
    """Return the configuration of a recurrent model that computes in a millisecond."""
    settings = {
        "vocab_size": 300, "d_model": 8, "d_hidden": 12, "n_heads": 1, "n_encoder_layers": 1,
        "n_decoder_layers": 1, "dropout": 0.0, "max_len": 64,
    }  # fmt: skip
    return ModelConfig(**{**settings, **changes}, arch=arch)


def tiny_model(arch: Arch, seed: int = 0, **changes: Any) -> Translator:
    """Return a tiny model with random weights everywhere, in evaluation mode."""
    torch.manual_seed(seed)
    model = build(tiny_config(arch, **changes))
    randomise(model)
    return model.eval()


def tiny_capture(arch: Arch, **changes: Any) -> tuple[Translator, Capture]:
    """Return a tiny model and its capture of five source and four target tokens."""
    model, tokenizer = tiny_model(arch, **changes), letters_tokenizer()
    src = [*tokenizer.encode("a b c d"), EOS]
    return model, capture(model, tokenizer, src, [BOS, *tokenizer.encode("d c b")])
