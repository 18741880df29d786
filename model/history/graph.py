"""Derivatives by going backwards through a computation, node by node.

Linnainmaa (1970), The Representation of the Cumulative Rounding Error of an Algorithm as a Taylor
Expansion of the Local Rounding Errors, for the sums of derivatives along all paths; Rumelhart,
Hinton and Williams (1986) for networks that learn this way.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import torch
from torch import Tensor

from model.history.operations import ExpressionError, call, slope

SIGNS: Final = {"+": "add", "-": "sub", "*": "mul", "/": "div", "**": "pow"}  # as torch calls them


@dataclass(frozen=True, slots=True)
class Node:
    """One number of a computation: a variable, a constant, or an operation on earlier nodes.

    `slopes` are its derivatives by each input, None for an input that depends on no variable.
    """

    name: str
    value: float
    inputs: tuple[int, ...] = ()
    slopes: tuple[float | None, ...] = ()
    constant: bool = False


@dataclass(frozen=True)
class Share:
    """What a node passes to one of its inputs: its own derivative times the slope between them.

    `total` is what the input has received so far, this share included.
    """

    to: int
    slope: float
    amount: float
    total: float


@dataclass(frozen=True)
class Back:
    """One step backwards: a node, its derivative, which is now complete, and what it passes on."""

    node: int
    derivative: float
    shares: tuple[Share, ...]


@dataclass
class Graph:
    """A recorded computation: every node comes after those it was computed from."""

    nodes: list[Node] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """The variables' names; they come before all other nodes."""
        return [node.name for node in self.nodes if not node.inputs and not node.constant]

    def variable(self, name: str, value: float) -> int:
        """Add a number to differentiate by; return its place."""
        return self._add(Node(name, value))

    def number(self, value: float) -> int:
        """Add a constant; return its place."""
        return self._add(Node(f"{value:g}", value, constant=True))

    def apply(self, name: str, *inputs: int) -> int:
        """Add an operation; return its place. Raises ExpressionError without a value or slope."""
        values = tuple(self.nodes[i].value for i in inputs)
        value = call(name, values)
        slopes = tuple(
            None if self.nodes[i].constant else slope(name, place, values, value)
            for place, i in enumerate(inputs)
        )
        constant = all(each is None for each in slopes)
        return self._add(Node(name, value, inputs, slopes, constant))

    def backward(self) -> Iterator[Back]:
        """Go from the last node to the first; yield each node that depends on a variable."""
        totals = [0.0] * len(self.nodes)
        totals[-1] = 1.0
        for place in reversed(range(len(self.nodes))):
            node = self.nodes[place]
            if node.constant:
                continue
            shares = []
            for to, between in zip(node.inputs, node.slopes, strict=True):
                if between is None:
                    continue
                amount = totals[place] * between
                totals[to] += amount
                if not math.isfinite(totals[to]):
                    raise ExpressionError("slope", node.name)
                shares.append(Share(to, between, amount, totals[to]))
            yield Back(place, totals[place], tuple(shares))

    def derivatives(self) -> list[float]:
        """Return the derivative of the last node by every node; 0 where no variable is involved."""
        derivatives = [0.0] * len(self.nodes)
        for back in self.backward():
            derivatives[back.node] = back.derivative
        return derivatives

    def _add(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1


def by_autograd(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    """Return every node's value and the result's derivative by it, both (N,), from PyTorch."""
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
