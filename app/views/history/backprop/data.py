"""What the page asks of the reverse-mode engine and of the network that learns with it."""

from dataclasses import replace
from itertools import islice
from typing import Final

import numpy as np
import streamlit as st

from model.history import xor
from model.history.expression import LONGEST, MOST_NAMES, parse
from model.history.graph import Back, Graph, Node, Rounded, rounded
from model.history.operations import FUNCTIONS, ExpressionError
from model.history.recomputed import graph_by_autograd
from model.interpret.calculation import parts as latex

__all__ = ["Back", "ExpressionError", "Graph", "Node", "Rounded", "graph_by_autograd", "latex"]
__all__ += ["parse", "rounded", "xor"]

# The limits of an expression, for the texts.
LIMITS: Final = {"functions": ", ".join(FUNCTIONS), "longest": LONGEST, "names": MOST_NAMES}
STARTS = 50  # seeds that are tried side by side
FIRST = 40  # updates that the proof's badge computes again


@st.cache_data(max_entries=64, show_spinner=False)
def descend(plan: xor.NetworkPlan) -> xor.Descents:
    """Train from each of the first seeds in NumPy, all at once."""
    return xor.descend(plan, range(STARTS))


@st.cache_data(max_entries=64, show_spinner=False)
def first_updates(plan: xor.NetworkPlan) -> np.ndarray:
    """Return the weights after the plan's first updates, by the engine."""
    *_, last = islice(xor.learn(plan), FIRST + 1)
    return np.array(last.weights)


@st.cache_data(max_entries=64, show_spinner=False)
def descend_again(plan: xor.NetworkPlan) -> np.ndarray:
    """Return the weights after the same updates, by formulas in NumPy."""
    return np.asarray(xor.descend(replace(plan, updates=FIRST), [plan.seed]).weights[0])


def surface(report: xor.NetworkReport, plan: xor.NetworkPlan, places: np.ndarray) -> np.ndarray:
    """Return the network's outputs on a square grid of places (M,): (M, M), rows upwards."""
    across, up = np.meshgrid(places, places)
    inputs = np.column_stack([across.ravel(), up.ravel()])
    answers = xor.outputs(np.array([report.weights]), inputs, plan)[0]
    return np.asarray(answers.reshape(across.shape))
