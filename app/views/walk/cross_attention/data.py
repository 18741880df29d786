"""The bridge between encoder and decoder, cut: the model run without encoder-decoder attention."""

import numpy as np
import streamlit as st
import torch
from numpy.typing import NDArray

from app.data.translation import load
from app.data.walk import Walk
from model.interpret.calculation.numbers import softmax
from model.interpret.calculation.target import next_tokens
from model.nn.hooks import Intervention

Floats = NDArray[np.floating]


def with_bridge(walk: Walk) -> Floats:
    """Return the probability that the model gives to each next word of its translation, (T,)."""
    return _of_next(walk, walk.capture.logits)


def without_bridge(walk: Walk) -> Floats:
    """Return the same, (T,), when what encoder-decoder attention hands over is 0 in each layer."""
    return _without(walk.key, walk)


@st.cache_resource(max_entries=32, show_spinner=False)
@torch.inference_mode()
def _without(key: tuple[object, ...], _walk: Walk) -> Floats:
    layers = range(_walk.config.n_decoder_layers)
    cut = Intervention({f"decoder.{i}.cross_attn.out": torch.zeros_like for i in layers})
    src, tgt = (
        torch.tensor([[token.id for token in tokens]])
        for tokens in (_walk.capture.src, _walk.capture.tgt)
    )
    return _of_next(_walk, load(_walk.translation.model).model(src, tgt, cut)[0].numpy())


def _of_next(walk: Walk, logits: Floats) -> Floats:
    probabilities = softmax(logits.astype(np.float64))  # (T, V)
    return probabilities[range(len(probabilities)), list(next_tokens(walk.capture))]
