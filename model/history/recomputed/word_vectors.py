"""An update of word vectors by PyTorch's own engine."""

import numpy as np
import torch
from torch.nn.functional import logsigmoid

from model.history.word_vectors import Update


def by_autograd(update: Update) -> dict[str, np.ndarray]:
    """Return, in float64, an update's scores and the changes that its loss's gradient asks for."""
    input_rows = torch.tensor(update.input_rows, dtype=torch.float64, requires_grad=True)  # (N, D)
    rows = torch.tensor(update.rows, dtype=torch.float64, requires_grad=True)  # (1 + K, D)
    scores = rows @ input_rows.mean(0)
    loss = -logsigmoid(scores[0]) - logsigmoid(-scores[1:]).sum()
    loss.backward()
    assert input_rows.grad is not None
    assert rows.grad is not None
    return {
        "scores": scores.detach().numpy(),
        "input": (-update.rate * input_rows.grad[0]).numpy(),
        "outputs": (-update.rate * rows.grad).numpy(),
    }
