"""What dividing by √d_k is for: the same softmax with it and without."""

from collections.abc import Callable
from typing import Final

import numpy as np
import streamlit as st

from app.data.attention import unscaled_weights
from app.format import number, share, short
from app.i18n import _
from app.inspector.arrays import arrays, weights_grid
from app.inspector.head import Head
from app.page.quiz import Task
from app.views.walk.self_attention import texts


def scaling_text(head: Head) -> str:
    """Say what is compared, why it is the root of d_k, and what it does for training."""
    scaled, unscaled = _rows(head)
    compared = _(texts.SCALE).format(d_k=head.d_k, root=_root(head))
    why = _(texts.SCALE_WHY).format(
        before=number(head.walk.array(f"{head.scope}.scores").std()),
        after=number(head.walk.array(f"{head.scope}.scaled").std()),
        with_answer=number(answer(scaled)),
        without_answer=number(answer(unscaled)),
    )
    return f"{compared} {why}"


def guess_scaling(head: Head) -> Task:
    """Ask what becomes of the largest weight without the division."""
    scaled, unscaled = (row.max() for row in _rows(head))
    options = [_(texts.SCALE_GROWS), _(texts.SCALE_STAYS), _(texts.SCALE_SHRINKS)]
    alone = head.mask.sum() == 1
    says = _(texts.SCALE_SAME if alone else texts.SCALE_SAYS).format(without=share(unscaled, 3))
    token = head.walk.capture.queries(head.kind)[head.query].text
    question = _(texts.SCALE_ASK).format(word=token, weight=share(scaled, 3), root=_root(head))
    right = 1 if alone or unscaled == scaled else 0 if unscaled > scaled else 2
    return Task(question, options, frozenset([right]), says, says)


def draw_scaling(head: Head) -> None:
    """Draw the weights with the division and without it, and how spread they are."""
    _scaled, unscaled = _rows(head)
    without = weights_grid(unscaled[:, None], _(texts.SCALE_WITHOUT))
    picture, measures = st.columns([0.45, 0.55], gap="medium")
    with picture:
        arrays(head.walk, [head.column("weights", _(texts.SCALE_WITH)), without], key="scaling")
    measures.markdown(_measured(head))


def _measured(head: Head) -> str:
    """Say how spread the weights are, with the division and without."""
    rows = _rows(head)
    head_line = [_(texts.MEASURE), _(texts.SCALE_WITH), _(texts.SCALE_WITHOUT)]
    lines = [head_line, ["---", "--:", "--:"]]
    for name, measure in MEASURES:
        lines.append([_(name), *(number(measure(row)) for row in rows)])
    means = [number(weights.max(-1).mean()) for weights in _weights(head)]
    lines.append([_(texts.ALL_HEADS), *means])
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{table}\n\n{_verdict(head, *rows)}"


def entropy(weights: np.ndarray) -> float:
    """Return how spread weights are, in bits: 0 for one token alone, log₂ n for n alike."""
    some = weights[weights > 0]
    return float(-(some * np.log2(some)).sum())


def tokens_seen(weights: np.ndarray) -> float:
    """Return how many tokens of equal weight would be as spread as these."""
    return float(2 ** entropy(weights))


def answer(weights: np.ndarray) -> float:
    """Return how strongly weights react to their scores: Σ ∂w/∂score = Σ w (1 − w)."""
    return float((weights * (1 - weights)).sum())


MEASURES: Final[tuple[tuple[str, Callable[[np.ndarray], float]], ...]] = (
    (texts.MOST, lambda weights: float(weights.max())),
    (texts.ENTROPY, entropy),
    (texts.WIDTH, tokens_seen),
    (texts.ANSWER, answer),
)


def _root(head: Head) -> str:
    return short(np.sqrt(head.d_k), 3)


def _weights(head: Head) -> tuple[np.ndarray, np.ndarray]:
    """Return all heads' weights with the division and without, (H, T, S) each."""
    scaled = np.asarray(head.walk.array(f"{head.scope}.weights"), dtype=np.float64)
    return scaled, unscaled_weights(head.walk, head.kind, head.layer)


def _rows(head: Head) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights of the token that looks, with the division and without, (S,) each."""
    scaled, unscaled = _weights(head)
    return scaled[head.head, head.query], unscaled[head.head, head.query]


def _verdict(head: Head, scaled: np.ndarray, unscaled: np.ndarray) -> str:
    if head.mask.sum() == 1:
        return _(texts.SCALE_ONE)
    return _(texts.SCALE_NARROW).format(
        word=head.word,
        with_words=number(tokens_seen(scaled), 1),
        without_words=number(tokens_seen(unscaled), 1),
    )
