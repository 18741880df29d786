"""The derivatives of a computation, and an update of word vectors, by PyTorch's own engine."""

from typing import Final

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from model.history.graph import Graph
from model.history.word_vectors import Update

SIGNS: Final = {"+": "add", "-": "sub", "*": "mul", "/": "div", "**": "pow"}


def graph_by_autograd(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    """Return every node's value and the result's derivative by it, both (N,)."""
    tensors: list[Tensor] = []
    for node in graph.nodes:
        if node.inputs:
            operation = getattr(torch, SIGNS.get(node.name, node.name))
            tensor = operation(*(tensors[i] for i in node.inputs))
        else:
            tensor = torch.tensor(node.value, dtype=torch.float64, requires_grad=not node.constant)
        if tensor.requires_grad:
            tensor.retain_grad()
        tensors.append(tensor)
    tensors[-1].backward()
    slopes = [0.0 if each.grad is None else each.grad.item() for each in tensors]
    return np.array([each.item() for each in tensors]), np.array(slopes)


def update_by_autograd(update: Update) -> dict[str, np.ndarray]:
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
