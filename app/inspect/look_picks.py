"""The choice of word, layer and head, which stays in sight while one reads on."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from app.data.translation import Token
from app.data.walk import Walk
from app.inspect.head import Head
from app.inspect.picks import head_of, layer_of, pick_head, pick_layer, pick_word, word_of

Telling = Callable[[Walk], int]


def pick_look(head: Head, label: str) -> None:
    """Draw the choices in the encoder."""
    capture = head.walk.capture
    with st.container(key="picks", gap="small"):
        pick_word(capture.src, label, head.query)
        with st.container(horizontal=True, gap="medium"):
            pick_layer(capture.n_layers("encoder"))
            pick_head(capture.n_heads)


def look_of(walk: Walk, telling: Telling) -> Head:
    """Return what is chosen in the encoder; `telling` says which word it is at first."""
    capture = walk.capture
    layer, head = layer_of(capture.n_layers("encoder")), head_of(capture.n_heads)
    return Head(walk, "encoder", layer, head, word_of(capture.src, telling(walk)))


def looks_away(walk: Walk) -> int:
    """Return the word that looks most decidedly at another one in the first head."""
    weights = np.array(walk.capture.weights("encoder", 0, 0), dtype=float)  # (T, T)
    np.fill_diagonal(weights, 0)
    words = _words(walk)
    if words.sum() < 2:
        return 0
    chosen = np.where(np.outer(words, words), weights, -1)
    return int(np.unravel_index(chosen.argmax(), chosen.shape)[0])


def divides_heads(walk: Walk) -> int:
    """Return the word about which the heads of the first layer disagree most."""
    weights = walk.capture.weights("encoder", 0)  # (H, T, T)
    apart = (weights.max(0) - weights.mean(0)).sum(-1)  # (T,)
    return int(np.where(_words(walk), apart, -1).argmax())


def _words(walk: Walk) -> np.ndarray:
    return np.array([_is_word(token) for token in walk.capture.src])


def _is_word(token: Token) -> bool:
    return not token.special and any(char.isalpha() for char in token.text)
