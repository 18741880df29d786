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

from app.data.translation import Decoding, Stamp, load, stamp_of, translate
from app.data.walk import Walk
from model.nn.cell import Cell as RecurrentCell
from model.nn.elman import Elman
from model.nn.gru import GRU
from model.nn.hooks import NO_HOOK
from model.nn.rnn import Rnn

TIMES = 4  # a memory shows in the long run
Floats = NDArray[np.floating]


@dataclass(frozen=True)
class Repeated:
    """A sentence said several times: what was read and written, and the share of words kept."""

    text: str
    output: str
    kept: float


@dataclass(frozen=True, eq=False)
class Remembered:
    """What is left of the first token after each token, (T,), and the mean of the update gates."""

    gru: Floats
    plain: Floats
    update: float


def remembered(walk: Walk) -> Remembered:
    """Read the sentence, said some times, with and without its first token, and compare the states.

    By the encoder as it is, and by the plain cell that is left of it without its gates: how far
    apart both states are, as a share of how far the first token moved them apart.
    """
    return _remembered(walk.key, walk)


@st.cache_resource(max_entries=32, show_spinner=False)
@torch.inference_mode()
def _remembered(key: tuple[object, ...], _walk: Walk) -> Remembered:
    model = load(_walk.translation.model).model
    assert isinstance(model, Rnn)
    gru = model.encoder[0].gru
    assert isinstance(gru, GRU)
    ids = _walk.tokenizer.encode(joined(_walk.translation.text, TIMES))[: model.config.max_len]
    x = model.lookup(model.src_embed, torch.tensor([ids]), NO_HOOK)  # (1, S, D)
    update = float(gru(x, gru.start(x))["update"].mean())
    return Remembered(_left(gru, x), _left(Elman.without_gates(gru), x), update)


def _left(cell: RecurrentCell, x: torch.Tensor) -> Floats:
    """Return how far apart two readers are, (S,), one of which missed the first token."""
    nothing = cell.start(x)  # (1, 1, H)
    first = cell(x[:, :1], nothing)["hidden"]
    both = cell(x[:, 1:].expand(2, -1, -1), torch.cat([first, nothing]))["hidden"]
    states = torch.cat([torch.cat([first, nothing]), both], dim=1).double()  # (2, S, H)
    apart = (states[0] - states[1]).norm(dim=-1)
    distances: Floats = (apart / apart[0]).numpy()
    return distances


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
