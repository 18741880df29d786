"""What an explanation of one number is made of: numbers and long sums as LaTeX, terms, blocks."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from model.interpret.calculation.cell import Cell, CellBlock, Operand, Term
from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.stages import Stage

# Of a long sum, this many terms are written out, and this many in a row.
FIRST, LARGEST, ROW = 2, 3, 2
TRUE = 6  # digits of a float32 that hold, wherever they begin
# Above this, e^x itself would leave the range of float64.
LARGEST_POWER = 700.0


def number(x: float) -> str:
    """Write a number with four digits after the point, fewer where it is large or small."""
    if math.isnan(x):
        return r"\mathrm{NaN}"
    if math.isinf(x):
        return r"\infty" if x > 0 else r"-\infty"
    if 1 <= abs(x) < 1e5:
        digits = min(4, TRUE - len(str(int(abs(x)))))
        return f"{x:.{digits}f}".rstrip("0").rstrip(".")
    mantissa, _, exponent = f"{x:.4g}".partition("e")
    return rf"{mantissa}\cdot10^{{{int(exponent)}}}" if exponent else mantissa


def signed(x: float) -> str:
    """Write a number as it stands after an operator: a negative one in brackets."""
    return f"({number(x)})" if x < 0 else number(x)


def shown(terms: Sequence[Term]) -> tuple[int, ...]:
    """Return the places of the terms to write out: the first ones and the largest ones."""
    if len(terms) <= FIRST + LARGEST + 1:
        return tuple(range(len(terms)))
    order = sorted(range(FIRST, len(terms)), key=lambda i: -abs(terms[i].product))
    return tuple(sorted((*range(FIRST), *order[:LARGEST])))


def rows(terms: Sequence[Term], write: Callable[[Term], str], last: str = "") -> list[str]:
    """Write the terms `shown`, of the rest the sum over their count, and `last`, in short rows."""
    places = shown(terms)
    parts = [write(terms[i]) for i in places]
    rest = [term.product for i, term in enumerate(terms) if i not in places]
    if rest:
        parts.append(rf"\underbrace{{{signed(sum(rest))}}}_{{\Sigma\,{len(rest)}}}")
    if last:
        parts.append(last)
    pairs = [" + ".join(parts[i : i + ROW]) for i in range(0, len(parts), ROW)]
    return [pairs[0], *(f"{{}} + {pair}" for pair in pairs[1:])]


def stacked(terms: Sequence[Term], write: Callable[[Term], str]) -> str:
    """Write the rows of a sum one below the other, to stand inside of a formula."""
    lines = rows(terms, write)
    return aligned(lines) if len(lines) > 1 else lines[0]


def aligned(lines: Sequence[str]) -> str:
    """Put lines one below the other, so that a long sum fits a narrow screen."""
    inside = r" \\ ".join(f"& {line}" for line in lines)
    return rf"\begin{{aligned}} {inside} \end{{aligned}}"


def product(term: Term) -> str:
    """Write left · right."""
    assert term.right_value is not None, "a product has two factors"
    return rf"{signed(term.left_value)}\cdot {signed(term.right_value)}"


@dataclass(frozen=True)
class Parts:
    """Formula and numbers in LaTeX, the value, and what it was made of.

    `numbers` are lines, none where there is nothing to plug in; the value is not yet in them.
    """

    formula: str
    numbers: Sequence[str]
    value: float
    operands: tuple[Operand, ...] = ()
    terms: tuple[Term, ...] = ()
    blocks: tuple[CellBlock, ...] = ()


Explainers = Mapping[str, Callable[[Numbers, Stage, Cell], Parts]]  # by the kind of a stage


def operand(numbers: Numbers, symbol: str, name: str, *index: int) -> Operand:
    """Return a single number with the symbol it has in the formula."""
    cell = Cell(name, index)
    return Operand(symbol, cell, numbers.at(cell))


def copy(numbers: Numbers, own: str, of: str, name: str, *index: int) -> Parts:
    """Explain a number that is another one under a name of its own."""
    x = operand(numbers, of, name, *index)
    return Parts(own if own == of else f"{own} = {of}", (), x.value, (x,))


def products(numbers: Numbers, left: CellBlock, right: CellBlock) -> tuple[Term, ...]:
    """Return the summands of a product of two vectors."""
    a, b = numbers.line(left), numbers.line(right)
    values = zip(a.tolist(), b.tolist(), (a * b).tolist(), strict=True)
    return tuple(Term(left.cell(i), right.cell(i), *row) for i, row in enumerate(values))


def singles(line: CellBlock, values: np.ndarray, summands: np.ndarray) -> tuple[Term, ...]:
    """Return one term for each number of a line, with the summand computed from it."""
    pairs = zip(values.tolist(), summands.tolist(), strict=True)
    return tuple(Term(line.cell(i), None, x, None, y) for i, (x, y) in enumerate(pairs))


def total(terms: Sequence[Term]) -> float:
    """Add up the terms."""
    return float(sum(term.product for term in terms))


def dot_product(numbers: Numbers, stage: Stage, cell: Cell, axes: str, formula: str) -> Parts:
    """Explain a number that is the product of two vectors, whose `axes` are as in `np.einsum`."""
    sides, _, own = axes.partition("->")
    place = dict(zip(own, cell.index, strict=True))  # the axis that is summed over has none
    names = (*stage.inputs, *stage.params)
    left, right = (
        CellBlock(name, tuple(map(place.get, side)))
        for name, side in zip((names[0], names[-1]), sides.split(","), strict=True)
    )
    terms = products(numbers, left, right)
    return Parts(formula, rows(terms, product), total(terms), (), terms, (left, right))


def affine(
    numbers: Numbers,
    stage: Stage,
    inputs: Sequence[str],
    index: tuple[int, int],
    symbol: Callable[[str], str],
    *more: str,
) -> Parts:
    """Add up x W of each input, and the biases that come after the matrices.

    `index` is row and column of the number, `symbol` writes the name of a bias, and `more` is
    written after the biases. The formula is left to the caller.
    """
    row, column = index
    terms, blocks = list[Term](), list[CellBlock]()
    for name, weight in zip(inputs, stage.params, strict=False):
        leading = (0,) * (len(numbers.shape(name)) - 2)  # an attention's one head
        left, right = CellBlock(name, (*leading, row, None)), CellBlock(weight, (None, column))
        terms += products(numbers, left, right)
        blocks += (left, right)
    names = stage.params[len(inputs) :]
    biases = tuple(operand(numbers, symbol(name), name, column) for name in names)
    last = " + ".join((*(signed(b.value) for b in biases), *more))
    value = total(terms) + sum(b.value for b in biases)
    return Parts("", rows(terms, product, last), value, biases, tuple(terms), tuple(blocks))
