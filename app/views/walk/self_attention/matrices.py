"""Self-attention step by step for one token, then as matrices for all."""

from collections.abc import Callable
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.data.attention import unscaled_weights
from app.format import number, share, short
from app.i18n import N_, _
from app.inspector.arrays import LOW, Grid, Op, arrays, equation, grid, weights_grid
from app.inspector.head import Head, read_from
from app.inspector.steps import STEPS
from app.page.kit import Code, QuizTask, Screens, guess, pick, say

SCALE_WITH: Final = N_("with ÷ √d_k: the model")
SCALE_WITHOUT: Final = N_("without")
MATRIX: Final = state.Param[str]("matrix", "q", state.one_of("q", "k", "v"))
MATRIX_NAMES: Final = {"q": N_("queries Q"), "k": N_("keys K"), "v": N_("values V")}
screens = Screens[Head]()
for step in STEPS:
    screens(step.slug, step.title, was=step.was)(step.draw)


@screens(
    "matrix",
    N_("All tokens at once: Q, K and V"),
    Code(
        N_("Step 1: queries, keys and values"),
        r"Q = X W_Q + b_Q \qquad K = X W_K + b_K \qquad V = X W_V + b_V",
        "model.nn.attention:MultiHeadAttention.self_qkv",
    ),
)
def draw_matrices(head: Head) -> None:
    """Draw X × W + b for the one of Q, K and V that is chosen."""
    d_model = head.walk.config.d_model
    sizes = _(
        "The model handles all {n} tokens in one go. One row per token: X has {n} × {d_model} "
        "numbers, W has {d_model} × {d_k}, so Q, K and V have {n} × {d_k}."
    ).format(n=len(head.words), d_k=head.d_k, d_model=d_model)
    say(f"{sizes} {read_from(head.walk, _x(head))}")
    walk, vector = head.walk, MATRIX.get()
    pick(MATRIX, _("Make all"), MATRIX_NAMES, label_visibility="collapsed")
    name, every = f"{head.scope}.{vector}", (head.head, None, None)
    x = grid(walk, _x(head), (None, None), "X", thumb=True, height=LOW)
    product = equation(walk, name, every, x, vector.upper())
    arrays(walk, product, key=f"{head.key}-matrix-1")


def _x(head: Head) -> str:
    return head.walk.inputs(f"{head.scope}.{MATRIX.get()}")[0]


@screens(
    "z",
    N_("All tokens at once: Z"),
    Code(
        N_("Steps 2 to 6"),
        r"Z = \mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
        "model.nn.attention:MultiHeadAttention.attend",
    ),
    was=("product", "rows"),
)
def draw_z(head: Head) -> None:
    """Draw every query with every key, then the softmax of their scores, V and Z."""
    row, word = head.query + 1, head.word
    text = _(
        "One product compares every query with every key: Q Kᵀ has {n} × {n} scores; a row looks, "
        "a column is looked at. Divide by √d_k and take the softmax of each row: a row adds up to "
        "1, a column need not. One more product, with V, gives Z. In one formula: softmax(Q Kᵀ ÷ "
        "√d_k) V = Z. Row {row} of each is what you saw for “{word}”."
    )
    say(text.format(n=len(head.words), row=row, word=word))
    walk, every = head.walk, (head.head, None, None)
    reach = float(np.abs(walk.array(f"{head.scope}.v")[head.head]).max())
    look = {"reach": reach, "row_labels": (), "thumb": True}
    items: list[Grid | Op] = [
        grid(walk, f"{head.scope}.q", every, "Q", thumb=True),
        Op("×"),
        grid(walk, f"{head.scope}.k", every, "Kᵀ", transposed=True, thumb=True, col_labels=()),
        Op("÷ √d_k ="),
        grid(walk, f"{head.scope}.scaled", every, "Q Kᵀ ÷ √d_k", row_labels=()),
        Op("softmax →"),
        grid(walk, f"{head.scope}.weights", every, _("weights"), row_labels=()),
        Op("×"),
        grid(walk, f"{head.scope}.v", every, "V", **look),
        Op("="),
        grid(walk, f"{head.scope}.context", every, "Z", **look),
    ]
    arrays(walk, items, key=f"{head.key}-matrix-2")


@screens("scale", N_("What if we did not divide by √d_k?"), was=("why",))
def draw_scaling(head: Head) -> None:
    """Draw the weights with the division and without it, and how spread they are."""
    scaled, unscaled = _rows(head)
    compared = _(
        "The same scores through the same softmax, with ÷ √{d_k} = {root} and without."
    ).format(d_k=head.d_k, root=_root(head))
    why = _(
        "A score adds up d_k products, so its spread grows with √d_k: in this layer ± {before} "
        "(standard deviation), after the division ± {after}. Weights near 0 or 1 hardly react "
        "when a score moves, so the gradient fades: that reaction, Σ w (1 − w), would be "
        "{without_answer}, not {with_answer}."
    ).format(
        before=number(head.walk.array(f"{head.scope}.scores").std()),
        after=number(head.walk.array(f"{head.scope}.scaled").std()),
        with_answer=number(sensitivity(scaled)),
        without_answer=number(sensitivity(unscaled)),
    )
    say(f"{compared} {why}")
    largest, without = scaled.max(), unscaled.max()
    options = [_("It grows"), _("It stays the same"), _("It shrinks")]
    alone = head.mask.sum() == 1
    says = (
        N_("With a single token to look at, its weight is 1, divided or not.")
        if alone
        else N_("Without the division it is {without}: larger gaps make a sharper softmax.")
    )
    token = head.walk.capture.queries(head.kind)[head.query].text
    question = N_(
        "The largest weight of “{word}” is {weight}. What becomes of it without the division by "
        "{root}?"
    )
    right = 1 if alone or without == largest else 0 if without > largest else 2
    values = {"weight": share(largest, 3), "without": share(without, 3), "root": _root(head)}
    guess(QuizTask.of(question, options, [right], says, word=token, **values))
    undivided = weights_grid(unscaled[:, None], _(SCALE_WITHOUT))
    picture, measures = st.columns([0.45, 0.55], gap="medium")
    with picture:
        arrays(head.walk, [head.column("weights", _(SCALE_WITH)), undivided], key="scaling")
    measures.markdown(_measured(head))


def _measured(head: Head) -> str:
    """Say how spread the weights are, with the division and without."""
    rows = _rows(head)
    lines = [[_("measure"), _(SCALE_WITH), _(SCALE_WITHOUT)], ["---", "--:", "--:"]]
    lines += [[_(name), *(number(measure(row)) for row in rows)] for name, measure in MEASURES]
    means = [number(weights.max(-1).mean()) for weights in _weights(head)]
    lines.append([_("largest weight, mean of the layer"), *means])
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    if head.mask.sum() == 1:
        verdict = _("With a single token to look at, its weight is 1, divided or not.")
        return f"{table}\n\n{verdict}"
    verdict = _(
        "With the division, “{word}” spreads its attention as if evenly over {with_words} "
        "tokens; without it, over {without_words}."
    )
    seen, unscaled = (number(tokens_seen(row), 1) for row in rows)
    return f"{table}\n\n{verdict.format(word=head.word, with_words=seen, without_words=unscaled)}"


def entropy(weights: np.ndarray) -> float:
    """Return how spread weights are, in bits: 0 for one token alone, log₂ n for n alike."""
    some = weights[weights > 0]
    return float(-(some * np.log2(some)).sum())


def tokens_seen(weights: np.ndarray) -> float:
    """Return how many tokens of equal weight would be as spread as these."""
    return float(2 ** entropy(weights))


def sensitivity(weights: np.ndarray) -> float:
    """Return how strongly weights react to their scores: Σ ∂w/∂score = Σ w (1 − w)."""
    return float((weights * (1 - weights)).sum())


MEASURES: Final[tuple[tuple[str, Callable[[np.ndarray], float]], ...]] = (
    (N_("largest weight"), lambda weights: float(weights.max())),
    (N_("entropy, bits"), entropy),
    (N_("as many tokens as 2^entropy"), tokens_seen),
    (N_("reaction Σ w (1 − w)"), sensitivity),
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
