"""What an explanation of one number is made of, before it is put together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.interpret.calculation.cell import Block, Cell, Operand, Term
from model.interpret.calculation.latex import product, rows
from model.interpret.calculation.numbers import Numbers


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
    blocks: tuple[Block, ...] = ()


def operand(numbers: Numbers, symbol: str, name: str, *index: int) -> Operand:
    """Return a single number with the symbol it has in the formula."""
    cell = Cell(name, index)
    return Operand(symbol, cell, numbers.at(cell))


def products(numbers: Numbers, left: Block, right: Block) -> tuple[Term, ...]:
    """Return the summands of a product of two vectors."""
    a, b = numbers.line(left), numbers.line(right)
    values = zip(a.tolist(), b.tolist(), (a * b).tolist(), strict=True)
    return tuple(Term(left.cell(i), right.cell(i), *row) for i, row in enumerate(values))


def singles(line: Block, values: np.ndarray, summands: np.ndarray) -> tuple[Term, ...]:
    """Return one term for each number of a line, with the summand computed from it."""
    pairs = zip(values.tolist(), summands.tolist(), strict=True)
    return tuple(Term(line.cell(i), None, x, None, y) for i, (x, y) in enumerate(pairs))


def total(terms: Sequence[Term]) -> float:
    """Add up the terms."""
    return float(sum(term.product for term in terms))


def dot_product(numbers: Numbers, left: Block, right: Block, formula: str) -> Parts:
    """Explain a number that is the product of two vectors."""
    terms = products(numbers, left, right)
    return Parts(formula, rows(terms, product), total(terms), (), terms, (left, right))
