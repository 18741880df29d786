"""Open one number: the formula, the numbers in it, where they come from, and the result."""

from model.interpret.calculation.cell import Calculation, Cell, CellBlock
from model.interpret.calculation.latex import aligned, number
from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.parameters import Parameters
from model.interpret.calculation.parts import Parts
from model.interpret.calculation.recompute import recompute
from model.interpret.calculation.recurrent_explain import RECURRENT
from model.interpret.calculation.roots import ROOTS, parameter
from model.interpret.calculation.single import SINGLE
from model.interpret.calculation.stage import PARAM
from model.interpret.calculation.sums import SUMS
from model.interpret.capture import Capture

_EXPLAINERS = {**SUMS, **SINGLE, **ROOTS, **RECURRENT}


def explain(capture: Capture, parameters: Parameters, cell: Cell) -> Calculation:
    """Return how one number is computed, recomputed in float64 from the captured numbers before it.

    Raises ValueError for a cell that the model does not have.
    """
    numbers = Numbers(capture, parameters)
    cell = numbers.valid(cell)
    captured: float | None = numbers.at(cell)
    if cell.name.startswith(PARAM):
        parts, source = parameter(numbers, cell)
    else:
        stage = numbers.stages[cell.name]
        parts, source = _EXPLAINERS[stage.kind](numbers, stage, cell), stage.source
        if not stage.captured:
            captured = None
    changes, value = _changed(numbers, cell, parts.value)
    return Calculation(
        cell=cell,
        formula=parts.formula,
        numbers=_written(parts, value if changes else None),
        recomputed=value,
        captured=captured,
        terms=parts.terms,
        operands=parts.operands,
        sources=_sources(parts),
        source=source,
        changes=changes,
        rule=parts.value if changes else None,
    )


def _changed(numbers: Numbers, cell: Cell, value: float) -> tuple[tuple[str, ...], float]:
    """Return the changes of the run that put another number here, and that number."""
    overrides = numbers.capture.overrides.get(cell.name, ())
    if not overrides:
        return (), value
    array, _ = recompute(numbers, numbers.stages[cell.name])
    changes = []
    for override in overrides:
        before = array[cell.index]
        array = override.apply(array, numbers.capture.arrays)
        if array[cell.index] != before:
            changes.append(override.change)
    return tuple(changes), float(array[cell.index]) if changes else value


def _written(parts: Parts, changed: float | None) -> str:
    """Put the value after the numbers, or below them if they take several lines.

    An arrow leads to the number that a change put in its place.
    """
    result = number(parts.value)
    arrow = [] if changed is None else [rf"\rightsquigarrow {number(changed)}"]
    if len(parts.numbers) > 1 or arrow:
        return aligned([*parts.numbers, f"= {result}", *arrow])
    return " = ".join((*parts.numbers, result))


def _sources(parts: Parts) -> tuple[CellBlock, ...]:
    """Return what lights up: the lines of the sum, and the single numbers."""
    single = (CellBlock(operand.cell.name, operand.cell.index) for operand in parts.operands)
    return tuple(dict.fromkeys((*parts.blocks, *single)))
