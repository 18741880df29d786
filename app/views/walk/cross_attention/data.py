"""The door to encoder-decoder attention as a bridge: the model with it, and without."""

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app.data.translation import load
from app.data.walk import Walk
from model.interpret.calculation.numbers import softmax
from model.interpret.calculation.target import next_tokens
from model.interpret.experiments.interventions import logits_without_cross_attention

Floats = NDArray[np.floating]


def with_bridge(walk: Walk) -> Floats:
    """Return the probability that the model gives to each next word of its translation, (T,)."""
    return _of_next(walk, walk.capture.logits)


def without_bridge(walk: Walk) -> Floats:
    """Return the same, (T,), when what encoder-decoder attention hands over is 0 in each layer."""
    return _without(walk.key, walk)


@st.cache_resource(max_entries=32, show_spinner=False)
def _without(key: tuple[object, ...], _walk: Walk) -> Floats:
    src, tgt = ([token.id for token in side] for side in (_walk.capture.src, _walk.capture.tgt))
    model = load(_walk.translation.model).model
    return _of_next(_walk, logits_without_cross_attention(model, src, tgt))


def _of_next(walk: Walk, logits: Floats) -> Floats:
    probabilities = softmax(logits.astype(np.float64))  # (T, V)
    return probabilities[range(len(probabilities)), list(next_tokens(walk.capture))]
