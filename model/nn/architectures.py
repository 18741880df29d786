"""The available translators, by their name in a configuration."""

from model.config import Arch, ModelConfig
from model.nn.rnn import Rnn
from model.nn.rnnsearch import RnnSearch
from model.nn.transformer import Transformer
from model.nn.translator import Translator

ARCHITECTURES: dict[Arch, type[Translator]] = {
    "transformer": Transformer,
    "rnn": Rnn,
    "rnnsearch": RnnSearch,
}


def build(config: ModelConfig) -> Translator:
    """Return an untrained translator of the architecture that the configuration names."""
    return ARCHITECTURES[config.arch](config)
