"""The address of one number, and its calculation."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, slots=True)
class Cell:
    """One number: `index` in the array `name`, of a capture or, as `param:…`, of the parameters."""

    name: str
    index: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CellBlock:
    """Cells that light up together: an array cut at an index, where None is the whole axis."""

    name: str
    index: tuple[int | None, ...]

    def cell(self, i: int) -> Cell:
        """Return the i-th cell along the axis left whole."""
        return Cell(self.name, tuple(i if axis is None else axis for axis in self.index))

    def __contains__(self, cell: Cell) -> bool:
        pairs = zip(self.index, cell.index, strict=False)
        return cell.name == self.name and all(axis in (None, i) for axis, i in pairs)


@dataclass(frozen=True, slots=True)
class Term:
    """One summand of a long sum: `product` is what left and right (if any) give together."""

    left: Cell
    right: Cell | None
    left_value: float
    right_value: float | None
    product: float


@dataclass(frozen=True, slots=True)
class Operand:
    """A single number of a formula, such as a bias, a mean or γ; `symbol` is LaTeX."""

    symbol: str
    cell: Cell
    value: float


@dataclass(frozen=True)
class Calculation:
    """How one number is computed.

    `formula` and `numbers` are LaTeX, with names and with this cell's numbers; of a long sum,
    `numbers` writes some terms and adds up the rest. `recomputed` is ours, in float64; `captured`
    is the model's, None for a number that no capture holds. `source` is where our code does it,
    as "module:qualname". Where `changes` of the run, by their texts, put another number in the
    place of the rule's, `rule` is what that gave, and `recomputed` is the number they put.
    """

    cell: Cell
    formula: str
    numbers: str
    recomputed: float
    captured: float | None
    terms: tuple[Term, ...]
    operands: tuple[Operand, ...]
    sources: tuple[CellBlock, ...]
    source: str
    changes: tuple[str, ...] = ()
    rule: float | None = None

    @property
    def difference(self) -> float | None:
        """How far the model is from us; 0 where both are −∞, None where no capture holds it."""
        if self.captured is None:
            return None
        if self.captured == self.recomputed:
            return 0.0
        return abs(self.captured - self.recomputed)

    def largest(self, n: int) -> tuple[Term, ...]:
        """Return the n terms that weigh most, the heaviest first."""
        return tuple(sorted(self.terms, key=lambda term: -abs(term.product))[:n])

    @cached_property
    def parents(self) -> tuple[Cell, ...]:
        """The cells that one can go up to, single numbers first; a leaf has none."""
        return tuple(dict.fromkeys(_cells(self, self.terms)))


def heaviest(calculation: Calculation) -> tuple[Cell, ...]:
    """Return of each array that a number comes from the one cell that weighs most."""
    cells: dict[str, Cell] = {}
    for cell in _cells(calculation, calculation.largest(len(calculation.terms))):
        cells.setdefault(cell.name, cell)
    return tuple(cells.values())


def _cells(calculation: Calculation, terms: Iterable[Term]) -> Iterator[Cell]:
    yield from (operand.cell for operand in calculation.operands)
    for term in terms:
        yield term.left
        if term.right is not None:
            yield term.right
