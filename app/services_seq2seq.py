"""What the page on the RNN asks beyond one run: the same sentence without a word, or many times.

S source tokens, H = d_hidden.
"""

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np
import streamlit as st
import torch
from numpy.typing import NDArray

from app.services import Decoding, Stamp, load, stamp_of, translate
from app.services_walk import Walk

Floats = NDArray[np.floating]


@dataclass(frozen=True)
class Repeated:
    """A sentence said several times: what was read and written, and the share of words kept."""

    text: str
    output: str
    kept: float


def moved(walk: Walk) -> Floats:
    """Return how far the last state moves when a token is left out, as a share of it, (S,)."""
    return _moved(walk.key, walk)


@st.cache_resource(max_entries=32, show_spinner=False)
@torch.inference_mode()
def _moved(key: tuple[object, ...], _walk: Walk) -> Floats:
    ids = torch.tensor([token.id for token in _walk.capture.src])  # (S,)
    rest = ids.repeat(len(ids), 1)[~torch.eye(len(ids), dtype=torch.bool)]  # (S * (S - 1),)
    model = load(_walk.translation.model).model
    states = model.encode(rest.reshape(len(ids), len(ids) - 1), None)[:, 0].double().numpy()
    whole = _walk.array("memory").astype(np.float64)  # (1, H)
    distances: Floats = np.linalg.norm(states - whole, axis=-1) / np.linalg.norm(whole)
    return distances


def repeated(model: str, text: str, most: int) -> tuple[Repeated, ...]:
    """Translate greedily a sentence that is joined with itself by “y”, from once to `most` times.

    Raises what `translate` raises.
    """
    return tuple(_repeated(stamp_of(model), model, text, n) for n in range(1, most + 1))


@st.cache_resource(max_entries=64, show_spinner=False)
def _repeated(stamp: Stamp, model: str, text: str, copies: int) -> Repeated:
    said = joined(text, copies)
    one, made = (translate(model, each, Decoding("greedy")) for each in (joined(text, 1), said))
    wanted = Counter({word: copies * n for word, n in Counter(_words(one.output)).items()})
    found = wanted & Counter(_words(made.output))
    return Repeated(said, made.output, found.total() / max(wanted.total(), 1))


def joined(text: str, copies: int) -> str:
    """Say a sentence several times: "A" -> "A y a y a"."""
    bare = text.strip().rstrip(".!?…")
    return " y ".join([bare, *[bare[:1].lower() + bare[1:]] * (copies - 1)])


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
