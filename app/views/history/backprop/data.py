"""The door to the reverse-mode engine and the network that learns with it; torch checks both."""

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import islice

import numpy as np
import streamlit as st
import torch
from torch import Tensor

from model.history.descent import Descents, outputs
from model.history.descent import descend as _descend
from model.history.expression import LONGEST, MOST_NAMES, Expression, parse
from model.history.graph import Back, Graph, Node
from model.history.operations import FUNCTIONS, OPERATIONS, ExpressionError
from model.history.xor import ENOUGH, INPUTS, TARGETS, Plan, Report, Squash, learn
from model.interpret.calculation.latex import number, signed

__all__ = [
    "ENOUGH", "FUNCTIONS", "INPUTS", "LONGEST", "MOST_NAMES", "OPERATIONS", "STARTS", "TARGETS",
    "Back", "Descents", "Expression", "ExpressionError", "Graph", "Node", "Plan", "Report",
    "Squash", "begin", "by_torch", "descend", "descend_again", "first_updates", "number", "parse",
    "signed", "surface",
]  # fmt: skip

STARTS = 50  # how many seeds are tried side by side
FIRST = 40  # updates that the badge makes again
SLOW, SECONDS = 200, 0.004  # the first updates take this long: the engine is too fast for the eye

TORCH: Mapping[str, Callable[..., Tensor]] = {
    "+": torch.add, "-": torch.sub, "*": torch.mul, "/": torch.div, "**": torch.pow,
    "neg": torch.neg, **{name: getattr(torch, name) for name in FUNCTIONS},
}  # fmt: skip


def by_torch(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    """Return every node's value and the derivative by it, (N,) both, from torch.autograd."""
    tensors: list[Tensor] = []
    for node in graph.nodes:
        if node.inputs:
            made = TORCH[node.name](*(tensors[i] for i in node.inputs))
        else:
            made = torch.tensor(node.value, dtype=torch.float64, requires_grad=not node.constant)
        if made.requires_grad:
            made.retain_grad()
        tensors.append(made)
    tensors[-1].backward()
    slopes = [0.0 if tensor.grad is None else tensor.grad.item() for tensor in tensors]
    return np.array([tensor.item() for tensor in tensors]), np.array(slopes)


def begin(plan: Plan) -> Iterator[Report]:
    """Train on XOR, at first slowly enough for the eye."""
    for made, report in enumerate(learn(plan)):
        yield report
        if made < SLOW:
            time.sleep(SECONDS)


@st.cache_data(max_entries=64, show_spinner=False)
def descend(plan: Plan) -> Descents:
    """Train from each of the first seeds, in NumPy, all of them at once."""
    return _descend(plan, range(STARTS))


@st.cache_data(max_entries=64, show_spinner=False)
def first_updates(plan: Plan) -> np.ndarray:
    """Return the weights after the plan's first updates, by the engine."""
    *_, last = islice(learn(plan), FIRST + 1)
    return np.array(last.weights)


@st.cache_data(max_entries=64, show_spinner=False)
def descend_again(plan: Plan) -> np.ndarray:
    """Return the weights after the same updates, by formulas in NumPy."""
    made = Plan(plan.hidden, plan.squash, plan.rate, plan.seed, FIRST)
    return np.asarray(_descend(made, [plan.seed]).weights[0])


def surface(report: Report, plan: Plan, places: np.ndarray) -> np.ndarray:
    """Return what the network says over a square of places (M,): (M, M), rows upwards."""
    across, up = np.meshgrid(places, places)
    inputs = np.column_stack([across.ravel(), up.ravel()])
    said = outputs(np.array([report.weights]), inputs, plan)[0]
    return np.asarray(said.reshape(across.shape))
