"""Explains a number that is computed from one or a few others."""

import math
from functools import partial
from statistics import NormalDist

import numpy as np

from model.interpret.calculation.cell import Cell
from model.interpret.calculation.latex import LARGEST_POWER, aligned, number, signed
from model.interpret.calculation.masks import allowed, causal, kind_of, padding
from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.parts import Explainers, Parts, copy, operand
from model.interpret.calculation.stage import Stage

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


def _same(numbers: Numbers, stage: Stage, cell: Cell) -> Parts:
    return copy(numbers, "m_{t,j}", X, stage.inputs[0], *cell.index)


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


SINGLE: Explainers = {
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
    "same": _same,
    "norm": _norm,
}
