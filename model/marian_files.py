"""The files of a Marian model as Hugging Face saves it, and how large each may be.

Imports no torch: a process that only fetches them has to be small.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CONFIG, VOCABULARY, SOURCE, TARGET = "config.json", "vocab.json", "source.spm", "target.spm"
WEIGHTS, PICKLED = "model.safetensors", "pytorch_model.bin"
SETTINGS, README = "tokenizer_config.json", "README.md"
KILOBYTE, MEGABYTE = 2**10, 2**20
# A pickled file may name one table of numbers four times; where it is written again, they are four.
TABLES = 4
# How large each file may be that is read whole.
LARGEST: Final[Mapping[str, int]] = {
    CONFIG: 64 * KILOBYTE,
    SETTINGS: 64 * KILOBYTE,
    README: MEGABYTE,
    VOCABULARY: 8 * MEGABYTE,
    SOURCE: 4 * MEGABYTE,
    TARGET: 4 * MEGABYTE,
}
# And that of the weights, of which one is there.
LARGEST_WEIGHTS: Final[Mapping[str, int]] = dict.fromkeys(
    (WEIGHTS, PICKLED),
    512 * MEGABYTE,  # those of OPUS-MT have 310
)
