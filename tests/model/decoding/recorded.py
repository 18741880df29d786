"""The activations of each step of decoding, and which of them are one hypothesis's own."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from model.decoding.beam import Hypothesis, Step, path
from model.nn.hooks import Hook, Recorder
from model.nn.translator import Translator

BOS = 1
MAPS = (".scores", ".scaled", ".masked", ".weights")  # (H, W, n), the others are (…, W, D)


class Steps(Hook):
    """Records what the decoder computes, step by step: W hypotheses over the n keys of all."""

    def __init__(self) -> None:
        self.arrays: list[dict[str, np.ndarray]] = []

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        return tensor

    def step(self, index: int) -> Hook:
        recorder = Recorder()
        self.arrays.append(recorder.arrays)
        return recorder

    def of(self, steps: Sequence[Step], hypothesis: Hypothesis) -> list[dict[str, np.ndarray]]:
        """Return those of a hypothesis, a step each: its row, and of all keys those of its past."""
        found, past, n_keys = [], list[int](), 0
        for i, one in enumerate(path(steps, hypothesis)):
            before = steps[i - 1].hypotheses if i else ()
            read = [j for j, h in enumerate(before) if not h.finished] or [0]
            row = read.index(one.parent or 0)
            past.append(n_keys + row)
            n_keys += len(read)
            arrays = self.arrays[i].items()
            found.append({name: own(name, array[0], row, past) for name, array in arrays})
        return found


def own(name: str, array: np.ndarray, row: int, past: list[int]) -> np.ndarray:
    if name.endswith((".k", ".v")):
        return array[:, past] if ".self_attn." in name else array
    array = array[..., row : row + 1, :]
    return array[..., past] if ".self_attn." in name and name.endswith(MAPS) else array


def assert_captures_equal_forced(
    model: Translator, src: list[int], hypothesis: Hypothesis, found: list[dict[str, np.ndarray]]
) -> None:
    """What was computed step by step is what one pass over the whole hypothesis computes."""
    recorder = Recorder()
    with torch.inference_mode():
        tgt = [BOS, *hypothesis.tokens[:-1]]
        model(torch.tensor([src]), torch.tensor([tgt]), recorder)
    forced = {k: v[0] for k, v in recorder.arrays.items() if k.startswith(("decoder.", "logits"))}
    forced.pop("decoder.0.begin", None)  # a state before the first step
    for i, arrays in enumerate(found):
        for name, array in forced.items():
            expected = own(name, array, i, list(range(i + 1)))
            np.testing.assert_allclose(arrays[name], expected, atol=1e-5, err_msg=f"{i} {name}")
    assert len(found) == len(hypothesis.tokens)
