"""The door to the three translators side by side, how fast they train, and six attentions."""

from collections.abc import Iterator, Sequence
from typing import Final

from app.data.decoding import Decoding
from app.data.translation import (
    ModelUnavailableError,
    Translation,
    load,
    model_names,
    translate,
)
from model.config import ModelConfig
from model.history.attentions import Attention, Given, Name, attentions
from model.history.recomputed.attentions import recomputed
from model.history.speed import LENGTHS, TOKENS, Speed, measure, steps_in_a_row

__all__ = [
    "LENGTHS", "TOKENS", "Attention", "Given", "Name", "Speed", "attentions", "recomputed",
    "steps_in_a_row",
]  # fmt: skip

# In the order of their years; the last one has the most layers and heads.
MODELS: Final = ("rnn/es-en", "rnnsearch/es-en", "es-en")
RECURRENT, SEARCH, TRANSFORMER = MODELS


def translations(text: str, decoding: Decoding) -> dict[str, Translation]:
    """Translate a sentence by each of the models that are there, by name.

    Raises what `translate` raises, and ModelUnavailableError if none is there.
    """
    names = [name for name in MODELS if name in model_names()]
    if not names:
        raise ModelUnavailableError(MODELS[-1])
    return {name: translate(name, text, decoding) for name in names}


def configs(names: Sequence[str]) -> dict[str, ModelConfig]:
    """Return how models are built."""
    return {name: load(name).config for name in names}


def speeds(names: Sequence[str], ids: Sequence[int]) -> Iterator[Speed]:
    """Time the training of untrained twins of some models, on sentences made of some tokens."""
    return measure(configs(names), ids)
