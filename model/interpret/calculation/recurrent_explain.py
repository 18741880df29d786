"""Explains a number of a recurrent translator."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from model.interpret.calculation.cell import Block, Cell, Operand, Term
from model.interpret.calculation.latex import number, product, rows, signed
from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.parts import Parts, dot_product, operand, products, total
from model.interpret.calculation.stage import Stage

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


def _sum(
    numbers: Numbers, stage: Stage, inputs: Sequence[str], row: int, column: int
) -> tuple[str, list[Term], list[Block], list[Operand]]:
    """Add up x W of each input, and the biases that come after the matrices."""
    terms, blocks, formula = list[Term](), list[Block](), list[str]()
    for name, weight in zip(inputs, stage.params, strict=False):
        leading = (0,) * (len(numbers.shape(name)) - 2)  # an attention's one head
        left, right = Block(name, (*leading, row, None)), Block(weight, (None, column))
        terms += products(numbers, left, right)
        blocks += (left, right)
        formula.append(rf"\sum_i {_vector(name, stage)}\,{symbol(weight)}_{{i,j}}")
    biases = [
        operand(numbers, f"{symbol(name)}_j", name, column) for name in stage.params[len(inputs) :]
    ]
    return " + ".join((*formula, *(b.symbol for b in biases))), terms, blocks, biases


def _activation(numbers: Numbers, stage: Stage, cell: Cell, function: str) -> Parts:
    """Explain σ or tanh of a sum."""
    t, j = cell.index
    inside, terms, blocks, biases = _sum(numbers, stage, stage.inputs, t, j)
    x = total(terms) + sum(b.value for b in biases)
    value = math.tanh(x) if function == r"\tanh" else 1 / (1 + math.exp(-x))
    last = " + ".join(signed(b.value) for b in biases)
    name = stage.name.rpartition(".")[2]
    own = "s_{0,j}" if name == "begin" else f"{_OUTPUTS[name]}_{{t,j}}"
    return Parts(
        rf"{own} = {function}\Big({inside}\Big)",
        (*rows(terms, product, last), f"= {number(x)}", rf"{function}({number(x)})"),
        value,
        tuple(biases),
        tuple(terms),
        tuple(blocks),
    )


def _candidate(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    t, j = cell.index
    *read, reset, recall = stage.inputs
    inside, terms, blocks, (b,) = _sum(numbers, stage, read, t, j)
    r = operand(numbers, "r_{t,j}", reset, t, j)
    a = operand(numbers, r"\mathrm{recall}_{t,j}", recall, t, j)
    x = total(terms) + b.value + r.value * a.value
    last = rf"{signed(b.value)} + {signed(r.value)}\cdot {signed(a.value)}"
    return Parts(
        rf"n_{{t,j}} = \tanh\Big({inside} + {r.symbol}\,{a.symbol}\Big)",
        (*rows(terms, product, last), f"= {number(x)}", rf"\tanh({number(x)})"),
        math.tanh(x),
        (b, r, a),
        tuple(terms),
        tuple(blocks),
    )


def _affine(numbers: Numbers, stage: Stage, cell: Cell, y: str) -> Parts:
    *_, t, j = cell.index
    inside, terms, blocks, biases = _sum(numbers, stage, stage.inputs, t, j)
    last = " + ".join(signed(b.value) for b in biases)
    return Parts(
        f"{y}_{{t,j}} = {inside}",
        rows(terms, product, last),
        total(terms) + sum(b.value for b in biases),
        tuple(biases),
        tuple(terms),
        tuple(blocks),
    )


def _state(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    candidate, update, before = stage.inputs
    n = operand(numbers, "n_{t,j}", candidate, *cell.index)
    z = operand(numbers, "z_{t,j}", update, *cell.index)
    h = operand(numbers, f"{_state_before(stage)},j}}", before, *cell.index)
    own = "s" if stage.name.startswith("decoder") else "h"
    return Parts(
        rf"{own}_{{t,j}} = (1 - {z.symbol})\,{n.symbol} + {z.symbol}\,{h.symbol}",
        (
            rf"(1 - {signed(z.value)})\cdot {signed(n.value)}",
            rf"{{}} + {signed(z.value)}\cdot {signed(h.value)}",
        ),
        (1 - z.value) * n.value + z.value * h.value,
        (n, z, h),
    )


def _before(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    """The state of the step before; of the first, what the network starts with."""
    t, j = cell.index
    own = f"{_state_before(stage)},j}}"
    at = t + 1 if stage.kind == "before_backwards" else t - 1
    name, *start = stage.inputs
    if 0 <= at < numbers.shape(name)[0]:
        return _copied(numbers, own, own, name, at, j)
    return _copied(numbers, own, "m_j", start[0], 0, j) if start else Parts(f"{own} = 0", (), 0.0)


def _copied(numbers: Numbers, own: str, of: str, name: str, *index: int) -> Parts:
    x = operand(numbers, of, name, *index)
    return Parts(own if own == of else f"{own} = {of}", (), x.value, (x,))


def _last(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    (name,) = stage.inputs
    return _copied(numbers, "m_j", "h_{S,j}", name, numbers.shape(name)[0] - 1, cell.index[1])


def _joined(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    t, column = cell.index
    half, j = divmod(column, numbers.capture.config.d_hidden)
    arrow = ("rightarrow", "leftarrow")[half]
    return _copied(numbers, "h_{t,j}", rf"\over{arrow}{{h}}_{{t,j}}", stage.inputs[half], t, j)


def _value(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    return _copied(numbers, "v_{s,j}", "h_{s,j}", stage.inputs[0], *cell.index[1:])


def _match(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    _, t, s, j = cell.index
    q = operand(numbers, "q_{t,j}", stage.inputs[0], 0, t, j)
    k = operand(numbers, "k_{s,j}", stage.inputs[1], 0, s, j)
    return Parts(
        rf"\tanh({q.symbol} + {k.symbol})",
        (rf"\tanh({number(q.value)} + {signed(k.value)})",),
        math.tanh(q.value + k.value),
        (q, k),
    )


def _alignment(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    _, t, s = cell.index
    left, right = Block(stage.inputs[0], (0, t, s, None)), Block(stage.params[0], (None,))
    formula = (
        r"\mathrm{scores}_{t,s} = v_a^\top \tanh(q_t + k_s)"
        r" = \sum_{j=1}^{d_{model}} \tanh(q_{t,j} + k_{s,j})\,v^a_j"
    )
    return dot_product(numbers, left, right, formula)


RECURRENT: Mapping[str, Callable[[Numbers, Stage, Cell], Parts]] = {
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
    "alignment": _alignment,
}
