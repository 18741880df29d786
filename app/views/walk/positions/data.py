"""The door to positions: their waves, and the words read in another order."""

import streamlit as st

from app.data.translation import load
from app.data.walk import Walk
from model.config import Positions
from model.interpret.calculation.positions import encodings, position_dots, rate, wave
from model.interpret.experiments.order import Order, Reordered, reorder

__all__ = ["Order", "Positions", "Reordered", "encodings", "position_dots", "rate", "wave"]


def reordered(walk: Walk, order: Order) -> Reordered:
    """Run the model on the source tokens in both orders, once for all visitors."""
    return _reordered(walk.key, order, walk)


@st.cache_resource(max_entries=32, show_spinner=False)
def _reordered(key: tuple[object, ...], order: Order, _walk: Walk) -> Reordered:
    model = load(_walk.translation.model).model
    return reorder(model, _walk.tokenizer, [token.id for token in _walk.capture.src], order)
