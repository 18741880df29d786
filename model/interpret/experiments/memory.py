"""What the states of a recurrent encoder still know of words that were read before.

B sentences, S source tokens, H = d_hidden.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model.nn.cell import GRU, Elman, RecurrentCell
from model.nn.hooks import NO_HOOK
from model.nn.rnn import Rnn
from model.nn.translator import Translator


@dataclass(frozen=True, eq=False)
class Remembered:
    """What is left of the first token after each token, (T,), and the mean of the update gates."""

    gru: np.ndarray
    plain: np.ndarray
    update: float


@torch.inference_mode()
def remembered(model: Translator, src_ids: Sequence[int]) -> Remembered:
    """Read tokens with and without the first one, and compare the states.

    By the encoder as it is, and by the plain cell that is left of it without its gates: the
    distance of both states, as a share of their distance after the first token.
    """
    assert isinstance(model, Rnn)
    gru = model.encoder[0].gru
    assert isinstance(gru, GRU)
    x = model.lookup(model.src_embed, torch.tensor([src_ids]), NO_HOOK)  # (1, S, D)
    update = float(gru(x, gru.start(x))["update"].mean())
    return Remembered(_left(gru, x), _left(Elman.without_gates(gru), x), update)


def _left(cell: RecurrentCell, x: Tensor) -> np.ndarray:
    """Return the distance of two readers, (S,), one of which missed the first token."""
    nothing = cell.start(x)  # (1, 1, H)
    first = cell(x[:, :1], nothing)["hidden"]
    both = cell(x[:, 1:].expand(2, -1, -1), torch.cat([first, nothing]))["hidden"]
    states = torch.cat([torch.cat([first, nothing]), both], dim=1).double()  # (2, S, H)
    distances = (states[0] - states[1]).norm(dim=-1)
    return (distances / distances[0]).numpy()
