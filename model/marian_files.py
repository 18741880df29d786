"""The files of a Marian model as Hugging Face saves it, and how large each may be.

This file does not import torch, so that a process that only downloads models takes little memory.
"""

from collections.abc import Mapping
from typing import Final

CONFIG, VOCABULARY, SOURCE, TARGET = "config.json", "vocab.json", "source.spm", "target.spm"
WEIGHTS, PICKLED = "model.safetensors", "pytorch_model.bin"
SETTINGS, README = "tokenizer_config.json", "README.md"
KILOBYTE, MEGABYTE = 2**10, 2**20
# A pickled file may refer to one table four times; converted, it then has four copies.
TABLES = 4
# The largest size of each file that is read as a whole.
LARGEST: Final[Mapping[str, int]] = {
    CONFIG: 64 * KILOBYTE,
    SETTINGS: 64 * KILOBYTE,
    README: MEGABYTE,
    VOCABULARY: 8 * MEGABYTE,
    SOURCE: 4 * MEGABYTE,
    TARGET: 4 * MEGABYTE,
}
# The largest size of the weights, which are in one of these files.
LARGEST_WEIGHTS: Final = dict.fromkeys((WEIGHTS, PICKLED), 512 * MEGABYTE)  # OPUS-MT's take 310
