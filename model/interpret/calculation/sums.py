"""Explains a number that is a sum over a whole line of others."""

import math
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from model.interpret.calculation.cell import Block, Cell, Operand, Term
from model.interpret.calculation.latex import (
    LARGEST_POWER,
    number,
    power,
    product,
    rows,
    signed,
    stacked,
)
from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.parts import Parts, dot_product, operand, products, singles, total
from model.interpret.calculation.stage import Stage


def _affine(
    numbers: Numbers, stage: Stage, row: int, column: int, formula: str, symbol: str
) -> Parts:
    """One number of x W + b."""
    (x,), (weight, bias) = stage.inputs, stage.params
    left, right = Block(x, (row, None)), Block(weight, (None, column))
    terms = products(numbers, left, right)
    b = operand(numbers, symbol, bias, column)
    plugged = rows(terms, product, signed(b.value))
    return Parts(formula, plugged, total(terms) + b.value, (b,), terms, (left, right))


def _project(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    head, row, j = cell.index
    name = stage.name[-1]
    x, t = ("m", "s") if stage.inputs[0] == "memory" else ("x", "t" if name == "q" else "s")
    upper = name.upper()
    formula = rf"{name}_{{{t},j}} = \sum_{{i=1}}^{{d_{{model}}}} {x}_{{{t},i}}\,W^{upper}_{{i,j}}"
    column = head * numbers.capture.config.d_k + j
    bias = rf"b^{upper}_j"
    return _affine(numbers, stage, row, column, f"{formula} + {bias}", bias)


# The symbols of output, input, upper limit, matrix and bias.
_LINEAR = {
    "out": (r"\mathrm{out}", r"\mathrm{concat}", "d_{model}", "W^O", "b^O"),
    "ffn.pre": (r"\mathrm{pre}", "x", "d_{model}", "W^1", "b^1"),
    "ffn.out": (r"\mathrm{out}", r"\mathrm{hidden}", "d_{ff}", "W^2", "b^2"),
    "logits": (r"\mathrm{logits}", "x", "d_{model}", r"W^{\mathrm{vocab}}", r"b^{\mathrm{vocab}}"),
}


def _linear(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    last = stage.name.rpartition(".")[2]
    y, x, limit, W, b = _LINEAR[f"ffn.{last}" if stage.scope.endswith("ffn") else last]
    bias = f"{b}_j"
    formula = rf"{y}_{{t,j}} = \sum_{{i=1}}^{{{limit}}} {x}_{{t,i}}\,{W}_{{i,j}} + {bias}"
    t, j = cell.index
    return _affine(numbers, stage, t, j, formula, bias)


def _scores(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    head, t, s = cell.index
    q, k = stage.inputs
    left, right = Block(q, (head, t, None)), Block(k, (head, s, None))
    formula = r"\mathrm{scores}_{t,s} = q_t \cdot k_s = \sum_{i=1}^{d_k} q_{t,i}\,k_{s,i}"
    return dot_product(numbers, left, right, formula)


def _context(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    head, t, j = cell.index
    weights, v = stage.inputs
    left, right = Block(weights, (head, t, None)), Block(v, (head, None, j))
    formula = r"\mathrm{context}_{t,j} = z_{t,j} = \sum_s \mathrm{weights}_{t,s}\,v_{s,j}"
    return dot_product(numbers, left, right, formula)


def _softmax(numbers: Numbers, stage: Stage, cell: Cell, y: str, x: str, axis: str) -> Parts:
    *row, i = cell.index
    line = Block(stage.inputs[0], (*row, None))
    values = numbers.line(line)
    off = float(values.max())
    if abs(off) <= LARGEST_POWER or not math.isfinite(off):
        off = 0.0
    terms = singles(line, values, np.exp(values - off))
    # Where e^x is out of range, the largest number is taken off all of them first.
    minus = rf" - {signed(off)}" if off else ""

    def write(term: Term) -> str:
        return rf"e^{{{number(term.left_value)}{minus}}}" if off else power(term)

    whole = total(terms)
    value = terms[i].product / whole if whole else math.nan
    own, each = rf"{x}_{{t,{axis}}}", rf"{x}_{{t,{axis}'}}"
    formula = rf"{y} = \frac{{e^{{{own}}}}}{{\sum_{{{axis}'}} e^{{{each}}}}}"
    plugged = rf"\frac{{{write(terms[i])}}}{{{stacked(terms, write)}}}"
    fraction = rf"\frac{{{number(terms[i].product)}}}{{{number(whole)}}}"
    mine = (Operand(own, line.cell(i), float(values[i])),)
    return Parts(formula, (f"{plugged} = {fraction}",), value, mine, terms, (line,))


def _likeness(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    (x,), (t, s) = stage.inputs, cell.index
    left, right = Block(x, (t, None)), Block(x, (s, None))
    formula = r"w'_{t,s} = x_t \cdot x_s = \sum_{i=1}^{d_{model}} x_{t,i}\,x_{s,i}"
    return dot_product(numbers, left, right, formula)


def _mixture(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    (weights, x), (t, j) = stage.inputs, cell.index
    left, right = Block(weights, (t, None)), Block(x, (None, j))
    formula = r"y_{t,j} = \sum_s w_{t,s}\,x_{s,j}"
    return dot_product(numbers, left, right, formula)


def _part(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    """One head's share of z W_O: of the matrix, only the rows that are this head's."""
    head, t, j = cell.index
    first = head * numbers.capture.config.d_k
    left = Block(stage.inputs[0], (head, t, None))
    z = numbers.line(left)
    terms = tuple(
        Term(left.cell(i), right.cell, value, right.value, value * right.value)
        for i, value in enumerate(z.tolist())
        for right in (operand(numbers, "", stage.params[0], first + i, j),)
    )
    rows_of = tuple(Block(stage.params[0], (first + i, j)) for i in range(z.size))
    formula = r"\mathrm{part}^{(h)}_{t,j} = \sum_{i=1}^{d_k} z_{t,i}\,W^O_{h d_k + i,\,j}"
    return Parts(formula, rows(terms, product), total(terms), (), terms, (left, *rows_of))


def _length(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    line = Block(stage.inputs[0], (*cell.index, None))
    values = numbers.line(line)
    terms = singles(line, values, values**2)
    plugged = stacked(terms, lambda term: f"{signed(term.left_value)}^2")
    return Parts(
        r"\lVert \mathrm{part}_t \rVert = \sqrt{\sum_{j=1}^{d_{model}} \mathrm{part}_{t,j}^2}",
        (rf"\sqrt{{{plugged}}}",),
        math.sqrt(total(terms)),
        (),
        terms,
        (line,),
    )


def _mean(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    line = Block(stage.inputs[0], (cell.index[0], None))
    values = numbers.line(line)
    terms = singles(line, values, values)
    plugged = stacked(terms, lambda term: signed(term.left_value))
    return Parts(
        r"\mu_t = \frac{1}{d_{model}} \sum_{i=1}^{d_{model}} x_{t,i}",
        (rf"\frac{{1}}{{{len(terms)}}} \left( {plugged} \right)",),
        total(terms) / len(terms),
        (),
        terms,
        (line,),
    )


def _deviation(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    (t,) = cell.index
    x, mean = stage.inputs
    line = Block(x, (t, None))
    mu = operand(numbers, r"\mu_t", mean, t)
    values = numbers.line(line)
    terms = tuple(
        Term(line.cell(i), mu.cell, value, mu.value, (value - mu.value) ** 2)
        for i, value in enumerate(values.tolist())
    )
    eps = numbers.parameters.eps
    minus = signed(mu.value)
    plugged = stacked(terms, lambda term: rf"({number(term.left_value)} - {minus})^2")
    return Parts(
        r"\sigma_t = \sqrt{\frac{1}{d_{model}}"
        r" \sum_{i=1}^{d_{model}} (x_{t,i} - \mu_t)^2 + \varepsilon}",
        (rf"\sqrt{{\frac{{1}}{{{len(terms)}}} \left( {plugged} \right) + {number(eps)}}}",),
        math.sqrt(total(terms) / len(terms) + eps),
        (mu,),
        terms,
        (line,),
    )


SUMS: Mapping[str, Callable[[Numbers, Stage, Cell], Parts]] = {
    "project": _project,
    "linear": _linear,
    "scores": _scores,
    "context": _context,
    "weights": partial(_softmax, y=r"\mathrm{weights}_{t,s}", x=r"\mathrm{masked}", axis="s"),
    "probabilities": partial(
        _softmax, y=r"\mathrm{probabilities}_{t,w}", x=r"\mathrm{logits}", axis="w"
    ),
    "likeness": _likeness,
    "mixing": partial(_softmax, y="w_{t,s}", x="w'", axis="s"),
    "mixture": _mixture,
    "part": _part,
    "length": _length,
    "mean": _mean,
    "deviation": _deviation,
}
