"""The choice of token, layer and head in one kind of attention."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import streamlit as st

from app.data.atlas import HeadPlace, first_head
from app.data.translation import Kind
from app.data.walk import Walk
from app.i18n import _
from app.inspector.head import Head
from app.inspector.picks import head_of, layer_of, pick_head, pick_layer, pick_word, word_of


def pick_look(head: Head) -> None:
    """Draw the choices in one row."""
    capture, cross = head.walk.capture, _("The token of the translation that looks")
    label = cross if head.kind == "cross" else _("The token that looks")
    with st.container(horizontal=True, gap="medium", key="picks"):
        pick_word(capture.queries(head.kind), label, head.query)
        pick_layer(capture.n_layers(head.kind), head.layer)
        pick_head(capture.n_heads, head.head)


def look_of(walk: Walk, kind: Kind, first: Callable[[Head], int]) -> Head:
    """Return what is chosen; `first` says which word of the chosen head it is at first.

    At first, a chapter looks through the first layer, and at the source through the best head.
    """
    capture = walk.capture
    best = first_head(walk.translation.model, kind) if kind == "cross" else HeadPlace(0, 0)
    layer = layer_of(capture.n_layers(kind), best.layer)
    head = Head(walk, kind, layer, head_of(capture.n_heads, best.head), 0)
    return replace(head, query=word_of(capture.queries(kind), first(head)))


def looks_away(head: Head) -> int:
    """Return the word that looks most decidedly at another one in the encoder's first head."""
    weights = np.array(head.walk.capture.weights("encoder", 0, 0), dtype=float)  # (T, T)
    np.fill_diagonal(weights, 0)
    words = _words(head.walk)
    if words.sum() < 2:
        return 0
    chosen = np.where(np.outer(words, words), weights, -1)
    return int(np.unravel_index(chosen.argmax(), chosen.shape)[0])


def divides_heads(head: Head) -> int:
    """Return the word about which the heads of the encoder's first layer disagree most."""
    weights = head.walk.capture.weights("encoder", 0)  # (H, T, T)
    apart = (weights.max(0) - weights.mean(0)).sum(-1)  # (T,)
    return int(np.where(_words(head.walk), apart, -1).argmax())


def surest(head: Head) -> int:
    """Return the word that looks most at one word of the source, in its encoder-decoder head."""
    weights = head.walk.array(f"{head.scope}.weights")[head.head]  # (T, S)
    words = [not token.special for token in head.walk.capture.src]
    return int((weights[:, words] if any(words) else weights).max(-1).argmax())


def _words(walk: Walk) -> np.ndarray:
    words = (not token.special and any(map(str.isalpha, token.text)) for token in walk.capture.src)
    return np.fromiter(words, bool)
