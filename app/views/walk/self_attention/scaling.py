"""What dividing by √d_k is for: the same softmax with it and without."""

from collections.abc import Callable
from typing import Final

import numpy as np
import streamlit as st

from app.data.attention import unscaled_weights
from app.format import maths, number
from app.i18n import _
from app.inspect.arrays import arrays, weights_grid
from app.inspect.head import Head
from app.views.walk.self_attention import texts


def scaling_text(head: Head) -> str:
    """Say what is compared."""
    root = f"{np.sqrt(head.d_k):.3g}"
    return _(texts.SCALE).format(word=head.word, d_k=head.d_k, root=root)


def draw_scaling(head: Head) -> None:
    """Draw the query's row of weights beside what it would be without the division."""
    walk = head.walk
    scaled = np.asarray(walk.array(f"{head.scope}.weights"), dtype=np.float64)  # (H, T, S)
    unscaled = unscaled_weights(walk, head.kind, head.layer)  # (H, T, S)
    rows = scaled[head.head, head.query], unscaled[head.head, head.query]
    labels = [token.text for token in walk.capture.keys(head.kind)]
    without = weights_grid(rows[1][:, None], _(texts.SCALE_WITHOUT), labels)
    arrays(walk, [head.column("weights", _(texts.SCALE_WITH)), without], key="scaling")
    why = _(texts.SCALE_WHY).format(
        before=number(walk.array(f"{head.scope}.scores").std()),
        after=number(walk.array(f"{head.scope}.scaled").std()),
        with_mean=number(scaled.max(-1).mean()),
        without_mean=number(unscaled.max(-1).mean()),
    )
    st.markdown(f"{_measures(*rows)}\n\n{_verdict(head, *rows)}\n\n{maths(why)}")


def entropy(weights: np.ndarray) -> float:
    """Return how spread weights are, in bits: 0 for one word alone, log₂ n for n alike."""
    some = weights[weights > 0]
    return float(-(some * np.log2(some)).sum())


def words_seen(weights: np.ndarray) -> float:
    """Return how many words of equal weight would be as spread as these."""
    return float(2 ** entropy(weights))


def answer(weights: np.ndarray) -> float:
    """Return how strongly weights answer to their scores: Σ ∂w/∂score = Σ w (1 − w)."""
    return float((weights * (1 - weights)).sum())


MEASURES: Final[tuple[tuple[str, Callable[[np.ndarray], float]], ...]] = (
    (texts.MOST, lambda weights: float(weights.max())),
    (texts.ENTROPY, entropy),
    (texts.WIDTH, words_seen),
    (texts.ANSWER, answer),
)


def _measures(scaled: np.ndarray, unscaled: np.ndarray) -> str:
    """Write both rows' measures as a table, in Markdown."""
    head = [_(texts.MEASURE), _(texts.SCALE_WITH), _(texts.SCALE_WITHOUT)]
    lines = [head, ["---", "--:", "--:"]]
    for name, measure in MEASURES:
        lines.append([_(name), number(measure(scaled)), number(measure(unscaled))])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _verdict(head: Head, scaled: np.ndarray, unscaled: np.ndarray) -> str:
    if head.mask.sum() == 1:
        return _(texts.SCALE_ONE)
    return _(texts.SCALE_NARROW).format(
        word=head.word,
        with_most=number(scaled.max()),
        without_most=number(unscaled.max()),
        with_words=f"{words_seen(scaled):.1f}",
        without_words=f"{words_seen(unscaled):.1f}",
        with_answer=number(answer(scaled)),
        without_answer=number(answer(unscaled)),
    )
