"""How fast translators train on the same number of tokens in shorter and longer sentences.

B sentences per batch, L tokens per sentence, on both sides.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Final

import torch

from model.config import ModelConfig
from model.nn.architectures import build
from model.nn.translator import Translator
from model.text.batches import Batch
from model.training.loss import batch_loss

LENGTHS: Final = (5, 10, 20, 30, 40)
TOKENS: Final = 240  # on each side; all lengths divide it, so that no batch is larger
REPEATS: Final = 3
LONG: Final = 0.5  # seconds of wall-clock time; a slower step is not repeated


@dataclass(frozen=True)
class Speed:
    """The best time that a model took for a batch forward and backward.

    In seconds of processor time, so that other work on the machine does not count.
    """

    name: str
    length: int
    tokens: int
    seconds: float

    @property
    def tokens_per_second(self) -> float:
        return self.tokens / self.seconds


def measure(models: Mapping[str, ModelConfig], ids: Sequence[int]) -> Iterator[Speed]:
    """Time training steps of untrained models, by name, on sentences that repeat `ids`.

    Nothing is learned: the weights keep their initial random values.
    """
    built = {name: build(config).train() for name, config in models.items()}
    for length in LENGTHS:
        row = list(islice(cycle(ids), length))
        rows = torch.tensor([row] * (TOKENS // length))  # (B, L)
        batch = Batch(rows, rows, rows)
        for name, model in built.items():
            times: list[float] = []
            start = time.perf_counter()
            while len(times) < REPEATS and time.perf_counter() - start < LONG:
                times.append(_time(model, batch))
            yield Speed(name, length, batch.n_tokens, min(times))


def _time(model: Translator, batch: Batch) -> float:
    """Return the processor seconds of one step without an update; it all runs in this thread."""
    start = time.thread_time()
    loss, *_ = batch_loss(model, batch, smoothing=0.1)
    loss.backward()
    seconds = time.thread_time() - start
    model.zero_grad()
    return seconds


def steps_in_a_row(config: ModelConfig, n_src: int, n_tgt: int) -> int:
    """Return how many steps of training must run one after another for sentences of these lengths.

    A recurrent network takes one for each token; in the encoder, both directions run at once. A
    Transformer takes one for each layer, whatever the length.
    """
    if config.recurrent:
        return n_src + n_tgt
    return config.n_encoder_layers + config.n_decoder_layers
