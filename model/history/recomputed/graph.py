"""The derivatives of a computation by PyTorch's own engine."""

from typing import Final

import numpy as np
import torch
from torch import Tensor

from model.history.graph import Graph

SIGNS: Final = {"+": "add", "-": "sub", "*": "mul", "/": "div", "**": "pow"}


def by_autograd(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
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
