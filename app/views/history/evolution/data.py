"""What the page asks of the three translators, their speed in training, and six attentions."""

from collections.abc import Iterator, Sequence
from typing import Final

from app.data.decoding import Decoding
from app.data.translation import ModelUnavailableError, Translation, load, model_names, translate
from model.history import speed
from model.history.attentions import AttentionOutput, Inputs, Name, attentions
from model.history.recomputed.attentions import recomputed
from model.history.speed import LENGTHS, TOKENS, Speed

__all__ = ["LENGTHS", "TOKENS", "AttentionOutput", "Inputs", "Name", "Speed", "attentions"]
__all__ += ["recomputed"]

# In the order of their years; the last one has the most layers and heads.
MODELS: Final = ("rnn/es-en", "rnnsearch/es-en", "es-en")
RECURRENT, SEARCH, TRANSFORMER = MODELS


def translations(text: str, decoding: Decoding) -> dict[str, Translation]:
    """Translate a sentence with each of the models that are there, by name.

    Raises what `translate` raises, and ModelUnavailableError if none is there.
    """
    names = [name for name in MODELS if name in model_names()]
    if not names:
        raise ModelUnavailableError(MODELS[-1])
    return {name: translate(name, text, decoding) for name in names}


def looks() -> bool:
    """Return whether a model with attention is there."""
    return any(name in model_names() for name in (SEARCH, TRANSFORMER))


def steps_in_a_row(name: str, n_src: int, n_tgt: int) -> int:
    """Return how many training steps of a model run one after another for these lengths."""
    return speed.steps_in_a_row(load(name).config, n_src, n_tgt)


def speeds(names: Sequence[str], ids: Sequence[int]) -> Iterator[Speed]:
    """Time the training of untrained copies of some models, on sentences made of some tokens."""
    return speed.measure({name: load(name).config for name in names}, ids)
