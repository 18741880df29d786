"""What the page asks of traces: what a visitor's file holds, or why it is refused."""

from typing import NamedTuple

import numpy as np

from app.data.decoding import Decoding
from app.data.errors import worded
from app.data.translation import translate
from model.config import ATTENTIONS, Kind
from model.errors import UserError
from model.interpret.trace import MOST_BYTES, Trace

__all__ = ["MOST_BYTES", "Trace"]


class OpenedTrace(NamedTuple):
    """A file that was read: its trace, or why it has none."""

    name: str
    trace: Trace | None
    refusal: str = ""


def read(name: str, data: bytes) -> OpenedTrace:
    """Read an uploaded file."""
    try:
        return OpenedTrace(name, Trace.parse(data))
    except UserError as error:
        return OpenedTrace(name, None, worded(error))


def example(model: str, text: str) -> OpenedTrace:
    """Return what a file with one of our own translations would hold."""
    capture = translate(model, text, Decoding("beam")).capture
    return OpenedTrace(text, Trace(capture.src, capture.tgt, capture.arrays))


def mask_of(trace: Trace, kind: Kind, layer: int, head: int) -> np.ndarray | None:
    """Return where attending is allowed, (T, S), if the trace has the scores that tell."""
    masked = trace.arrays.get(f"{ATTENTIONS[kind].scope(layer)}.masked")
    weights = trace.weights(kind)[layer, head]
    if masked is None or masked.shape[1:] != weights.shape or head >= len(masked):
        return None
    return np.isfinite(masked[head])
