"""What an explanation of one number is made of, before it is put together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from model.interpret.calculation.cell import Cell, CellBlock, Operand, Term
from model.interpret.calculation.latex import product, rows, signed
from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.stage import Stage


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
