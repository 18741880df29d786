"""What the page asks of the artificial neuron, and its numbers again as one matrix product."""

from itertools import product
from operator import eq

import numpy as np
import streamlit as st

from model.history.neuron import GATES, THRESHOLDS, WEIGHTS, GateSearch, Neuron, Row, rows, settings
from model.history.neuron import search as _search

__all__ = ["GATES", "THRESHOLDS", "Neuron", "Row", "rows"]


@st.cache_data(show_spinner=False)
def search(gate: str) -> GateSearch:
    """Try every setting of the steppers on a gate."""
    return _search(GATES[gate])


def weights_of(gate: str) -> list[Row]:
    """Return all weights that a neuron for a gate can be set to."""
    return list(product(WEIGHTS, repeat=len(GATES[gate]).bit_length() - 1))


@st.cache_data(show_spinner=False)
def rows_right(gate: str) -> list[list[int]]:
    """Return how many rows of a gate each setting gets right, with one row per threshold."""
    return [
        [sum(map(eq, GATES[gate], Neuron(weights, t).answers())) for weights in weights_of(gate)]
        for t in THRESHOLDS
    ]


def functions() -> set[Row]:
    """Return all functions of two inputs that a setting computes."""
    return {neuron.answers() for neuron in settings(2)}


def answers_again(neuron: Neuron) -> tuple[np.ndarray, np.ndarray]:
    """Return w·x and the neuron's output for each row, both (N,), as one product in NumPy."""
    potentials = np.array(rows(len(neuron.weights)), float) @ np.array(neuron.weights, float)
    return potentials, np.heaviside(potentials - neuron.threshold, 1)


def counts_again(gate: str) -> np.ndarray:
    """Count the settings by how many rows of a gate they get right, all in one array."""
    inputs = np.array(rows(len(GATES[gate]).bit_length() - 1), float)  # (N, I)
    weights = np.array(np.meshgrid(*[WEIGHTS] * inputs.shape[1])).reshape(inputs.shape[1], -1)
    fires = (inputs @ weights)[..., None] >= np.array(THRESHOLDS)  # (N, W, T)
    correct = (fires == np.array(GATES[gate])[:, None, None]).sum(0)
    return np.bincount(correct.ravel(), minlength=len(inputs) + 1)
