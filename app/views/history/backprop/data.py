"""The door to the reverse-mode engine and the network that learns with it."""

from itertools import islice

import numpy as np
import streamlit as st

from model.history.descent import Descents, outputs
from model.history.descent import descend as _descend
from model.history.expression import LONGEST, MOST_NAMES, parse
from model.history.graph import Back, Graph, Node
from model.history.operations import FUNCTIONS, ExpressionError
from model.history.recomputed.graph import by_autograd
from model.history.xor import ENOUGH, INPUTS, TARGETS, Plan, Report, Squash, learn
from model.interpret.calculation.latex import number, signed

__all__ = [
    "ENOUGH", "FUNCTIONS", "INPUTS", "LONGEST", "MOST_NAMES", "TARGETS", "Back", "ExpressionError",
    "Graph", "Node", "Plan", "Report", "Squash", "by_autograd", "learn", "number", "parse",
    "signed",
]  # fmt: skip

STARTS = 50  # how many seeds are tried side by side
FIRST = 40  # updates that the badge makes again


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
    first = Plan(plan.hidden, plan.squash, plan.rate, plan.seed, FIRST)
    return np.asarray(_descend(first, [plan.seed]).weights[0])


def surface(report: Report, plan: Plan, places: np.ndarray) -> np.ndarray:
    """Return what the network says over a square of places (M,): (M, M), rows upwards."""
    across, up = np.meshgrid(places, places)
    inputs = np.column_stack([across.ravel(), up.ravel()])
    answers = outputs(np.array([report.weights]), inputs, plan)[0]
    return np.asarray(answers.reshape(across.shape))
