"""Follow a number up through the model, to the embeddings, positions and parameters."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from model.interpret.calculation.cell import Calculation, Cell, heaviest
from model.interpret.calculation.explain import explain
from model.interpret.calculation.parameters import Parameters
from model.interpret.calculation.stage import PARAM
from model.interpret.capture import Capture


@dataclass(frozen=True)
class Link:
    """One calculation on the way up, and the cell (None at the start) that it is a parent of."""

    calculation: Calculation
    below: Cell | None


def walk_to_roots(capture: Capture, parameters: Parameters, cell: Cell) -> Iterator[Link]:
    """Go up breadth first, entering each array once, at the number that weighs most there.

    Where a state is made of the one before, each step of an array is entered once. Raises
    ValueError for a cell that the model does not have.
    """
    queue: deque[tuple[Cell, Cell | None]] = deque([(cell, None)])
    steps = capture.config.recurrent
    entered = {_entry(cell, steps)}
    while queue:
        cell, below = queue.popleft()
        calculation = explain(capture, parameters, cell)
        yield Link(calculation, below)
        for parent in heaviest(calculation):
            if (entry := _entry(parent, steps)) not in entered:
                entered.add(entry)
                queue.append((parent, cell))


def _entry(cell: Cell, steps: bool) -> tuple[str, tuple[int, ...]]:
    """Return what is entered once: an array, or a token's row of it."""
    return cell.name, cell.index[-2:-1] if steps and not cell.name.startswith(PARAM) else ()


def trail(
    capture: Capture, parameters: Parameters, cell: Cell, root: str
) -> tuple[Calculation, ...]:
    """Return a shortest way from a cell up to the array `root`, both ends included.

    Raises ValueError if no way leads there.
    """
    links: dict[Cell, Link] = {}
    for link in walk_to_roots(capture, parameters, cell):
        links[link.calculation.cell] = link
        if link.calculation.cell.name == root:
            return _path(links, link)
    raise ValueError(f"No way leads from {cell.name} up to {root!r}.")


def _path(links: dict[Cell, Link], link: Link) -> tuple[Calculation, ...]:
    path = [link.calculation]
    while link.below is not None:
        link = links[link.below]
        path.append(link.calculation)
    return tuple(path[::-1])
