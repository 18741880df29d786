"""Explains a number of a Transformer: of one or a few others, or a sum over a whole line."""

import math
from dataclasses import replace
from functools import partial
from statistics import NormalDist

import numpy as np

from model.interpret.calculation.attention import allowed, causal, kind_of, padding
from model.interpret.calculation.cell import Cell, CellBlock, Operand, Term
from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.parts import (
    LARGEST_POWER,
    Explainers,
    Parts,
    affine,
    aligned,
    copy,
    dot_product,
    number,
    operand,
    product,
    rows,
    signed,
    singles,
    stacked,
    total,
)
from model.interpret.calculation.stages import Stage

X = "x_{t,j}"


def _add(numbers: Numbers, stage: Stage, cell: Cell, name: str, first: str, second: str) -> Parts:
    x = operand(numbers, first, stage.inputs[0], *cell.index)
    y = operand(numbers, second, stage.inputs[1], *cell.index)
    formula = rf"\mathrm{{{name}}}_{{t,j}} = {x.symbol} + {y.symbol}"
    plugged = f"{number(x.value)} + {signed(y.value)}"
    return Parts(formula, (plugged,), x.value + y.value, (x, y))


def _scaled(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    d_k = numbers.capture.config.d_k
    x = operand(numbers, r"\mathrm{scores}_{t,s}", stage.inputs[0], *cell.index)
    above, root = number(x.value), math.sqrt(d_k)
    formula = rf"\mathrm{{scaled}}_{{t,s}} = \frac{{{x.symbol}}}{{\sqrt{{d_k}}}}"
    plugged = rf"\frac{{{above}}}{{\sqrt{{{d_k}}}}} = \frac{{{above}}}{{{number(root)}}}"
    return Parts(formula, (plugged,), x.value / root, (x,))


def _masked(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    kind, (_, t, s) = kind_of(stage.scope), cell.index
    before = stage.inputs[0].rpartition(".")[2]  # `scores`, where nothing is scaled
    x = operand(numbers, rf"\mathrm{{{before}}}_{{t,s}}", stage.inputs[0], *cell.index)
    may = bool(allowed(numbers.capture, kind)[t, s])
    masks = ((r"\mathrm{pad}", padding), (r"\mathrm{causal}", causal))
    factors = r" \land ".join(f"{int(mask(numbers.capture, kind)[t, s])}" for _, mask in masks)
    names = r" \land ".join(f"{name}_{{t,s}}" for name, _ in masks)
    cases = (
        rf"\mathrm{{masked}}_{{t,s}} = \begin{{cases}} {x.symbol} & M_{{t,s}} = 1 \\"
        r" -\infty & M_{t,s} = 0 \end{cases}"
    )
    plugged = rf"M_{{t,s}} = {factors} = {int(may)} \;\Rightarrow\; \mathrm{{masked}}_{{t,s}}"
    value = x.value if may else -math.inf
    return Parts(aligned([cases, rf"M_{{t,s}} = {names}"]), (plugged,), value, (x,))


def _powers(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    x = operand(numbers, r"\mathrm{masked}_{t,s}", stage.inputs[0], *cell.index)
    value = math.exp(x.value) if x.value <= LARGEST_POWER else math.inf
    return Parts(rf"e^{{{x.symbol}}}", (rf"e^{{{number(x.value)}}}",), value, (x,))


def _weighted(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    head, t, s, j = cell.index
    weight = operand(numbers, r"\mathrm{weights}_{t,s}", stage.inputs[0], head, t, s)
    v = operand(numbers, "v_{s,j}", stage.inputs[1], head, s, j)
    plugged = rf"{number(weight.value)} \cdot {signed(v.value)}"
    product = weight.value * v.value
    return Parts(rf"{weight.symbol} \cdot {v.symbol}", (plugged,), product, (weight, v))


def _concat(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    t, column = cell.index
    head, j = divmod(column, numbers.capture.config.d_k)
    own, of = r"\mathrm{concat}_{t,\,(h-1) d_k + j}", r"\mathrm{context}^{(h)}_{t,j}"
    return copy(numbers, own, of, stage.inputs[0], head, t, j)


def _relu(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    x = operand(numbers, r"\mathrm{pre}_{t,j}", stage.inputs[0], *cell.index)
    formula = rf"\mathrm{{hidden}}_{{t,j}} = \max(0, {x.symbol})"
    return Parts(formula, (rf"\max(0, {number(x.value)})",), max(0.0, x.value), (x,))


def _gelu(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    x = operand(numbers, r"\mathrm{pre}_{t,j}", stage.inputs[0], *cell.index)
    share, own = NormalDist().cdf(x.value), number(x.value)
    formula = rf"\mathrm{{hidden}}_{{t,j}} = {x.symbol} \cdot \Phi({x.symbol})"
    plugged = rf"{own} \cdot \Phi({own}) = {own} \cdot {number(share)}"
    return Parts(formula, (plugged,), x.value * share, (x,))


def _swish(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    x = operand(numbers, r"\mathrm{pre}_{t,j}", stage.inputs[0], *cell.index)
    formula = rf"\mathrm{{hidden}}_{{t,j}} = \frac{{{x.symbol}}}{{1 + e^{{-{x.symbol}}}}}"
    plugged = rf"\frac{{{number(x.value)}}}{{1 + e^{{-{signed(x.value)}}}}}"
    value = x.value * math.exp(-float(np.logaddexp(0, -x.value)))
    return Parts(formula, (plugged,), value, (x,))


def _norm(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    t, j = cell.index
    of, mean, deviation = stage.inputs
    gain, bias = stage.params
    x = operand(numbers, X, of, t, j)
    mu = operand(numbers, r"\mu_t", mean, t)
    sigma = operand(numbers, r"\sigma_t", deviation, t)
    gamma = operand(numbers, r"\gamma_j", gain, j)
    beta = operand(numbers, r"\beta_j", bias, j)
    plugged = (
        rf"\frac{{{number(x.value)} - {signed(mu.value)}}}{{{number(sigma.value)}}}"
        rf"\cdot {signed(gamma.value)} + {signed(beta.value)}"
    )
    formula = r"\mathrm{norm}_{t,j} = \frac{x_{t,j} - \mu_t}{\sigma_t}\,\gamma_j + \beta_j"
    value = (x.value - mu.value) / sigma.value * gamma.value + beta.value
    return Parts(formula, (plugged,), value, (x, mu, sigma, gamma, beta))


def _project(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    head, row, j = cell.index
    name = stage.name[-1]
    x, t = ("m", "s") if stage.inputs[0] == "memory" else ("x", "t" if name == "q" else "s")
    upper = name.upper()
    formula = rf"{name}_{{{t},j}} = \sum_{{i=1}}^{{d_{{model}}}} {x}_{{{t},i}}\,W^{upper}_{{i,j}}"
    column = head * numbers.capture.config.d_k + j
    parts = affine(numbers, stage, stage.inputs, (row, column), lambda _: rf"b^{upper}_j")
    return replace(parts, formula=f"{formula} + b^{upper}_j")


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
    formula = rf"{y}_{{t,j}} = \sum_{{i=1}}^{{{limit}}} {x}_{{t,i}}\,{W}_{{i,j}} + {b}_j"
    t, j = cell.index
    parts = affine(numbers, stage, stage.inputs, (t, j), lambda _: f"{b}_j")
    return replace(parts, formula=formula)


def _softmax(numbers: Numbers, stage: Stage, cell: Cell, y: str, x: str, axis: str) -> Parts:
    *row, i = cell.index
    line = CellBlock(stage.inputs[0], (*row, None))
    values = numbers.line(line)
    off = float(values.max())
    if abs(off) <= LARGEST_POWER or not math.isfinite(off):
        off = 0.0
    terms = singles(line, values, np.exp(values - off))
    # Where e^x is out of range, the largest number is taken off all of them first.
    minus = rf" - {signed(off)}" if off else ""

    def write(term: Term) -> str:
        return rf"e^{{{number(term.left_value)}{minus}}}"

    whole = total(terms)
    value = terms[i].product / whole if whole else math.nan
    own, each = rf"{x}_{{t,{axis}}}", rf"{x}_{{t,{axis}'}}"
    formula = rf"{y} = \frac{{e^{{{own}}}}}{{\sum_{{{axis}'}} e^{{{each}}}}}"
    plugged = rf"\frac{{{write(terms[i])}}}{{{stacked(terms, write)}}}"
    fraction = rf"\frac{{{number(terms[i].product)}}}{{{number(whole)}}}"
    mine = (Operand(own, line.cell(i), float(values[i])),)
    return Parts(formula, (f"{plugged} = {fraction}",), value, mine, terms, (line,))


def _part(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    """One head's share of z W_O: of the matrix, only the rows that are this head's."""
    head, t, j = cell.index
    first = head * numbers.capture.config.d_k
    left = CellBlock(stage.inputs[0], (head, t, None))
    z = numbers.line(left).tolist()
    rows_of = [operand(numbers, "", stage.params[0], first + i, j) for i in range(len(z))]
    terms = tuple(
        Term(left.cell(i), w.cell, x, w.value, x * w.value)
        for i, (x, w) in enumerate(zip(z, rows_of, strict=True))
    )
    blocks = (left, *(CellBlock(w.cell.name, w.cell.index) for w in rows_of))
    formula = r"\mathrm{part}^{(h)}_{t,j} = \sum_{i=1}^{d_k} z_{t,i}\,W^O_{(h-1) d_k + i,\,j}"
    return Parts(formula, rows(terms, product), total(terms), (), terms, blocks)


def _length(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    line = CellBlock(stage.inputs[0], (*cell.index, None))
    values = numbers.line(line)
    terms = singles(line, values, values**2)
    formula = r"\lVert \mathrm{part}_t \rVert = \sqrt{\sum_{j=1}^{d_{model}} \mathrm{part}_{t,j}^2}"
    plugged = rf"\sqrt{{{stacked(terms, lambda term: f'{signed(term.left_value)}^2')}}}"
    return Parts(formula, (plugged,), math.sqrt(total(terms)), (), terms, (line,))


def _mean(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    line = CellBlock(stage.inputs[0], (*cell.index, None))
    values = numbers.line(line)
    terms = singles(line, values, values)
    formula = r"\mu_t = \frac{1}{d_{model}} \sum_{i=1}^{d_{model}} x_{t,i}"
    inside = stacked(terms, lambda term: signed(term.left_value))
    plugged = rf"\frac{{1}}{{{len(terms)}}} \left( {inside} \right)"
    return Parts(formula, (plugged,), total(terms) / len(terms), (), terms, (line,))


def _deviation(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    x, mean = stage.inputs
    line = CellBlock(x, (*cell.index, None))
    mu = operand(numbers, r"\mu_t", mean, *cell.index)
    terms = tuple(
        Term(line.cell(i), mu.cell, value, mu.value, (value - mu.value) ** 2)
        for i, value in enumerate(numbers.line(line).tolist())
    )
    eps, n = numbers.parameters.eps, len(terms)
    formula = (
        r"\sigma_t = \sqrt{\frac{1}{d_{model}}"
        r" \sum_{i=1}^{d_{model}} (x_{t,i} - \mu_t)^2 + \varepsilon}"
    )
    inside = stacked(terms, lambda term: rf"({number(term.left_value)} - {signed(mu.value)})^2")
    plugged = rf"\sqrt{{\frac{{1}}{{{n}}} \left( {inside} \right) + {number(eps)}}}"
    return Parts(formula, (plugged,), math.sqrt(total(terms) / n + eps), (mu,), terms, (line,))


TRANSFORMER: Explainers = {
    "sum": partial(_add, name="sum", first=r"\mathrm{embed}_{t,j}", second=r"\mathrm{pos}_{t,j}"),
    "add": partial(_add, name="add", first=X, second=r"\mathrm{out}_{t,j}"),
    "scaled": _scaled,
    "masked": _masked,
    "powers": _powers,
    "weighted": _weighted,
    "concat": _concat,
    "relu": _relu,
    "gelu": _gelu,
    "swish": _swish,
    "same": lambda numbers, stage, cell: copy(numbers, "m_{t,j}", X, stage.inputs[0], *cell.index),
    "norm": _norm,
    "project": _project,
    "linear": _linear,
    "scores": partial(
        dot_product,
        axes="hti,hsi->hts",
        formula=r"\mathrm{scores}_{t,s} = q_t \cdot k_s = \sum_{i=1}^{d_k} q_{t,i}\,k_{s,i}",
    ),
    "context": partial(
        dot_product,
        axes="hts,hsj->htj",
        formula=r"\mathrm{context}_{t,j} = z_{t,j} = \sum_s \mathrm{weights}_{t,s}\,v_{s,j}",
    ),
    "weights": partial(_softmax, y=r"\mathrm{weights}_{t,s}", x=r"\mathrm{masked}", axis="s"),
    "probabilities": partial(
        _softmax, y=r"\mathrm{probabilities}_{t,w}", x=r"\mathrm{logits}", axis="w"
    ),
    "likeness": partial(
        dot_product,
        axes="ti,si->ts",
        formula=r"w'_{t,s} = x_t \cdot x_s = \sum_{i=1}^{d_{model}} x_{t,i}\,x_{s,i}",
    ),
    "mixing": partial(_softmax, y="w_{t,s}", x="w'", axis="s"),
    "mixture": partial(dot_product, axes="ts,sj->tj", formula=r"y_{t,j} = \sum_s w_{t,s}\,x_{s,j}"),
    "part": _part,
    "length": _length,
    "mean": _mean,
    "deviation": _deviation,
}
