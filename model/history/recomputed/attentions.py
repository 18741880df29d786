"""The six attentions, written out number by number.

T queries, S keys, D numbers a vector.
"""

from collections.abc import Sequence

import numpy as np

from model.history.attentions import HEADS, AttentionOutput, Inputs, Name

Rows = Sequence[Sequence[float]]


def recomputed(inputs: Inputs, name: Name) -> AttentionOutput:
    """Compute one of the six by its formula, with sums over plain numbers."""
    s, h = inputs.s.tolist(), inputs.h.tolist()
    root = len(s[0]) ** 0.5
    if name == "additive":
        keys = _product(h, inputs.u_a.tolist())
        added = [
            [_dot(inputs.v_a.tolist(), np.tanh(np.add(query, key)).tolist()) for key in keys]
            for query in _product(s, inputs.w_a.tolist())
        ]
        return _attention([added], [h])
    if name in ("dot", "scaled"):
        return _attention([_scores(s, h, root if name == "scaled" else 1.0)], [h])
    looking = h if name == "self" else s
    q, k, v = (
        _product(x, w.tolist())
        for x, w in ((looking, inputs.w_q), (h, inputs.w_k), (h, inputs.w_v))
    )
    if name != "multi_head":
        return _attention([_scores(q, k, root)], [v])
    width = len(s[0]) // HEADS
    parts = [slice(head * width, (head + 1) * width) for head in range(HEADS)]
    scores = [_scores(_columns(q, part), _columns(k, part), width**0.5) for part in parts]
    joined = _attention(scores, [_columns(v, part) for part in parts])
    out = _product(joined.out.tolist(), inputs.w_o.tolist())
    return AttentionOutput(joined.scores, joined.weights, np.array(out))


def _attention(scores: Sequence[Rows], values: Sequence[Rows]) -> AttentionOutput:
    """Return e^x / Σ e^x of each head's scores, and the values weighted by it."""
    weights = [[_softmax(row) for row in of_head] for of_head in scores]
    outs = [_product(of_head, v) for of_head, v in zip(weights, values, strict=True)]
    return AttentionOutput(np.array(scores), np.array(weights), np.concatenate(outs, axis=-1))


def _scores(q: Rows, k: Rows, divisor: float) -> Rows:
    return [[_dot(query, key) / divisor for key in k] for query in q]


def _softmax(row: Sequence[float]) -> list[float]:
    most = max(row)
    powers = [float(np.exp(x - most)) for x in row]
    return [power / sum(powers) for power in powers]


def _product(x: Rows, matrix: Rows) -> list[list[float]]:
    return [[_dot(row, column) for column in zip(*matrix, strict=True)] for row in x]


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _columns(rows: Rows, part: slice) -> Rows:
    return [row[part] for row in rows]
