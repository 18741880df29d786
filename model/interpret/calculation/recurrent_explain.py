"""Explains a number of a recurrent translator."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from model.interpret.calculation.cell import Cell
from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.parts import (
    Explainers,
    Parts,
    affine,
    copy,
    dot_product,
    number,
    operand,
    signed,
)
from model.interpret.calculation.stages import Stage

# What a vector is called in the papers, and its matrix, by the last word of its name.
_VECTORS = {"embed": "x", "context": "c", "memory": "h", "hidden": "h"}
_OUTPUTS = {"reset": "r", "update": "z", "readout": "o", "hidden": "h", "state": "s"}


def _state_before(stage: Stage) -> str:
    """Return how the formulas write the state that a step begins with."""
    if stage.name.startswith("decoder"):
        return "s_{t-1"
    return "h_{t+1" if ".backward." in stage.name else "h_{t-1"


def _vector(name: str, stage: Stage) -> str:
    """Return how the formulas write the i-th number of an input."""
    last = name.rpartition(".")[2]
    if last == "before":
        return f"{_state_before(stage)},i}}"
    if last == "state":
        return "s_{t,i}"
    letter = "y" if name == "tgt.embed" else _VECTORS[last]
    return f"{letter}_{{{'1' if stage.name.endswith('begin') else 't'},i}}"


def symbol(name: str) -> str:
    """Return how the formulas write a parameter: `W_r` is W^r."""
    letter, _, of = name.rpartition(".")[2].partition("_")
    return f"{letter}^{{{of}}}"


def _sum(numbers: Numbers, stage: Stage, inputs: Sequence[str], cell: Cell, *more: str) -> Parts:
    """Add up x W of each input and the biases; `more` is what the caller adds to them."""
    *_, row, column = cell.index
    parts = affine(numbers, stage, inputs, (row, column), lambda name: f"{symbol(name)}_j", *more)
    sums = (
        rf"\sum_i {_vector(name, stage)}\,{symbol(weight)}_{{i,j}}"
        for name, weight in zip(inputs, stage.params, strict=False)
    )
    return replace(parts, formula=" + ".join((*sums, *(b.symbol for b in parts.operands))))


def _activation(numbers: Numbers, stage: Stage, cell: Cell, function: str) -> Parts:
    inside = _sum(numbers, stage, stage.inputs, cell)
    x = inside.value
    name = stage.name.rpartition(".")[2]
    own = "s_{0,j}" if name == "begin" else f"{_OUTPUTS[name]}_{{t,j}}"
    return replace(
        inside,
        formula=rf"{own} = {function}\Big({inside.formula}\Big)",
        numbers=(*inside.numbers, f"= {number(x)}", rf"{function}({number(x)})"),
        value=math.tanh(x) if function == r"\tanh" else 1 / (1 + math.exp(-x)),
    )


def _candidate(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    *read, reset, recall = stage.inputs
    r = operand(numbers, "r_{t,j}", reset, *cell.index)
    a = operand(numbers, r"\mathrm{recall}_{t,j}", recall, *cell.index)
    recalled = rf"{signed(r.value)}\cdot {signed(a.value)}"
    inside = _sum(numbers, stage, read, cell, recalled)
    x = inside.value + r.value * a.value
    return replace(
        inside,
        formula=rf"n_{{t,j}} = \tanh\Big({inside.formula} + {r.symbol}\,{a.symbol}\Big)",
        numbers=(*inside.numbers, f"= {number(x)}", rf"\tanh({number(x)})"),
        value=math.tanh(x),
        operands=(*inside.operands, r, a),
    )


def _affine(numbers: Numbers, stage: Stage, cell: Cell, y: str) -> Parts:
    parts = _sum(numbers, stage, stage.inputs, cell)
    return replace(parts, formula=f"{y}_{{t,j}} = {parts.formula}")


def _state(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    candidate, update, before = stage.inputs
    n = operand(numbers, "n_{t,j}", candidate, *cell.index)
    z = operand(numbers, "z_{t,j}", update, *cell.index)
    h = operand(numbers, f"{_state_before(stage)},j}}", before, *cell.index)
    own = "s" if stage.name.startswith("decoder") else "h"
    formula = rf"{own}_{{t,j}} = (1 - {z.symbol})\,{n.symbol} + {z.symbol}\,{h.symbol}"
    new = rf"(1 - {signed(z.value)})\cdot {signed(n.value)}"
    old = rf"{{}} + {signed(z.value)}\cdot {signed(h.value)}"
    return Parts(formula, (new, old), (1 - z.value) * n.value + z.value * h.value, (n, z, h))


def _before(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    """The state of the step before; of the first, what the network starts with."""
    t, j = cell.index
    own = f"{_state_before(stage)},j}}"
    at = t + 1 if stage.kind == "before_backwards" else t - 1
    name, *start = stage.inputs
    if 0 <= at < numbers.shape(name)[0]:
        return copy(numbers, own, own, name, at, j)
    return copy(numbers, own, "m_j", start[0], 0, j) if start else Parts(f"{own} = 0", (), 0.0)


def _last(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    (name,) = stage.inputs
    return copy(numbers, "m_j", "h_{S,j}", name, numbers.shape(name)[0] - 1, cell.index[1])


def _joined(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    t, column = cell.index
    half, j = divmod(column, numbers.capture.config.d_hidden)
    arrow = ("rightarrow", "leftarrow")[half]
    return copy(numbers, "h_{t,j}", rf"\over{arrow}{{h}}_{{t,j}}", stage.inputs[half], t, j)


def _value(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    return copy(numbers, "v_{s,j}", "h_{s,j}", stage.inputs[0], *cell.index[1:])


def _match(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    _, t, s, j = cell.index
    q = operand(numbers, "q_{t,j}", stage.inputs[0], 0, t, j)
    k = operand(numbers, "k_{s,j}", stage.inputs[1], 0, s, j)
    plugged = rf"\tanh({number(q.value)} + {signed(k.value)})"
    value = math.tanh(q.value + k.value)
    return Parts(rf"\tanh({q.symbol} + {k.symbol})", (plugged,), value, (q, k))


RECURRENT: Explainers = {
    "before": _before,
    "before_backwards": _before,
    "recall": partial(_affine, y=r"\mathrm{recall}"),
    "gate": partial(_activation, function=r"\sigma"),
    "candidate": _candidate,
    "state": _state,
    "last": _last,
    "joined": _joined,
    "tanh": partial(_activation, function=r"\tanh"),
    "query": partial(_affine, y="q"),
    "key": partial(_affine, y="k"),
    "value": _value,
    "match": _match,
    "alignment": partial(
        dot_product,
        axes="htsj,j->hts",
        formula=r"\mathrm{scores}_{t,s} = v_a^\top \tanh(q_t + k_s)"
        r" = \sum_{j=1}^{d_{model}} \tanh(q_{t,j} + k_{s,j})\,v^a_j",
    ),
}
