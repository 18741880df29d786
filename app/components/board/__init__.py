"""Arrays drawn as cells, with the operators between them; a click on a cell asks for it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from app import state
from app.charts.theme import Role
from app.components.grid import cells
from app.components.shared import mount
from app.components.shared.kept import KeptFigure
from app.data.walk import Cell, CellBlock
from app.format import visible
from app.i18n import _


@dataclass(frozen=True)
class Grid:
    """One array drawn as cells: one free axis is a strip, two are a matrix.

    `index` is None on the drawn axes; `rows` and `cols` are the positions that are drawn, in the
    order of the rows and columns of `values`. `mask` is True where attention is allowed.
    `transposed`: the first free axis runs along the columns, as it already does in `values`.
    `fold`: a long strip becomes a small picture with `fold` cells per line, instead of as many as
    there is room for. `square`: the cells are as high as they are wide, like the pixels of a
    picture. `thumb`: a large matrix becomes a thumbnail, visible as a whole, with cells smaller
    than a pixel if necessary. `height`: the most pixels that a matrix's cells take, in place of
    the height at which they are easy to read, or the height of a thumbnail. `first`: the number of
    the first column if it has no label, 0 for ids.
    """

    name: str
    index: tuple[int | None, ...]
    values: NDArray[np.floating]  # (rows, cols), or (cols,) for a strip
    title: str
    role: Role = "residual"
    scale: Literal["signed", "weights", "greys"] = "signed"
    reach: float | None = None
    row_labels: Sequence[str] = ()
    col_labels: Sequence[str] = ()
    mask: NDArray[np.bool_] | None = None
    transposed: bool = False
    rows: tuple[int, ...] | None = None
    cols: tuple[int, ...] | None = None
    fold: int | None = None
    square: bool = False
    thumb: bool = False
    height: float | None = None
    first: int = 1
    note: str = ""


def array_grid(
    values: NDArray[np.floating], title: str, role: Role = "residual", **options: Any
) -> Grid:
    """Return an entire array, (C,) or (R, C), as a grid; without `name` its cells open nothing."""
    name = options.pop("name", "")
    return Grid(name, (None,) * values.ndim, values, title, role, **options)


def pixels(greys: NDArray[np.uint8], title: str) -> Grid:
    """Return a picture (H, W) of greys, 0 black to 255 white, as a grid without written numbers."""
    look = {"scale": "greys", "reach": 255.0, "square": True}
    return array_grid(greys.astype(float), title, "input", **look)


@dataclass(frozen=True)
class Op:
    """An operator between two grids: ×, +, =, ÷ √d_k, softmax."""

    text: str


def board(
    items: Sequence[Grid | Op],
    *,
    key: str,
    asked: Cell | None = None,
    lit: Sequence[CellBlock] = (),
    on_ask: Callable[[Cell], None] | None = None,
    text: Mapping[str, str] | None = None,
) -> None:
    """Show grids and operators in reading order; call back with a cell that is asked for.

    `text` replaces some of the words if a cell opens something other than its calculation.
    """
    fixed = payload(items, hinting=state.is_first_hint())
    fixed["text"] |= text or {}
    mount("board", read, key=key, fixed=fixed, chosen=marks(asked, lit), on_event=on_ask)


def payload(items: Sequence[Grid | Op], *, hinting: bool = True) -> dict[str, Any]:
    """Return what the browser draws; raise ValueError if the parts of a grid do not match.

    Only the first board of a page is `hinting`: it says how boards can be used.
    """
    text = {
        "hint": _hint(items) if hinting else "",
        "matrix": _(
            "{title}, {rows} × {cols}; arrow keys walk, Enter opens the calculation, Enter once "
            "more goes there, Escape comes back"
        ),
        "strip": _(
            "{title}, {cols} numbers; arrow keys walk, Enter opens the calculation, Enter once "
            "more goes there, Escape comes back"
        ),
        "open": _("Open {title} larger"),
        "close": _("Close"),
        "asked": _("Opened: {cell}"),
        "hatched": _("masked: attention is not allowed here"),
        # The name of a cell, as in app/inspector/naming.py.
        "word": _("“{word}”"),
        "number": _("number {n}"),
        "row": _("row {n}"),
        "column": _("column {n}"),
    }
    drawn = [{"op": item.text} if isinstance(item, Op) else _grid(item) for item in items]
    return {"items": drawn, "text": text}


def still(drawn: KeptFigure) -> KeptFigure:
    """Return a page's board in the form for a file, in which no cell opens a calculation."""
    text = drawn.fixed["text"] | {
        "matrix": _("{title}, {rows} × {cols}; arrow keys walk"),
        "strip": _("{title}, {cols} numbers; arrow keys walk"),
    }
    if any(item.get("name") for item in drawn.fixed["items"]):
        text["hint"] = text["hint"] and _hint([])
    items = [item | {"name": ""} if "name" in item else item for item in drawn.fixed["items"]]
    return drawn._replace(fixed={"items": items, "text": text})


def marks(asked: Cell | None, lit: Sequence[CellBlock]) -> dict[str, Any]:
    """Return the marks in the grids: the cell that was asked for, and the lit blocks."""
    return {"asked": asked and asdict(asked), "lit": [asdict(block) for block in lit]}


def read(sent: dict[str, Any]) -> Cell:
    """Return the cell that was asked for."""
    return Cell(sent["name"], tuple(sent["index"]))


def reach_of(grid: Grid) -> float:
    """Return the number at the end of a grid's colour scale."""
    if grid.scale == "weights":
        return 1.0
    if grid.reach is not None:
        return float(grid.reach)
    finite = np.abs(grid.values[np.isfinite(grid.values)])
    # A single number has nothing to compare with, so it stays uncoloured.
    return float(finite.max(initial=0.0)) if grid.values.size > 1 else 0.0


def _hint(items: Sequence[Grid | Op]) -> str:
    if any(isinstance(item, Grid) and item.name for item in items):
        return _(
            "Point at a cell, or walk with the arrow keys. A click or Enter opens its calculation."
        )
    return _("Point at a cell, or walk with the arrow keys, to read its number.")


def _grid(grid: Grid) -> dict[str, Any]:
    _check(grid)
    return {
        **vars(grid),
        **cells(grid.values, grid.mask),
        "axes": _axes(grid),
        "shape": _shape(grid),
        "reach": reach_of(grid),
        "row_labels": [visible(label) for label in grid.row_labels],
        "col_labels": [visible(label) for label in grid.col_labels],
    }


def _check(grid: Grid) -> None:
    shape, (rows, cols) = grid.values.shape, _shape(grid)
    fits = {
        "no cell": grid.values.size > 0,
        "free axes": len(shape) in (1, 2) and grid.index.count(None) == len(shape),
        "mask": grid.mask is None or grid.mask.shape == shape,
        "row labels": len(grid.row_labels) in (0, rows),
        "column labels": len(grid.col_labels) in (0, cols),
        "rows": grid.rows is None or (len(shape) == 2 and len(grid.rows) == rows),
        "cols": grid.cols is None or len(grid.cols) == cols,
    }
    wrong = [part for part, holds in fits.items() if not holds]
    if wrong:
        raise ValueError(f"Values of shape {shape} of {grid.name} do not fit: {', '.join(wrong)}.")


def _shape(grid: Grid) -> tuple[int, int]:
    rows, cols = np.atleast_2d(grid.values).shape[:2]
    return rows, cols


def _axes(grid: Grid) -> list[int | None]:
    """Return the array's axes that run along the rows (None for a strip) and the columns."""
    free = [axis for axis, at in enumerate(grid.index) if at is None]
    if len(free) == 1:
        return [None, free[0]]
    return [free[1], free[0]] if grid.transposed else [free[0], free[1]]
