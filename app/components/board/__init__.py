"""Arrays drawn as cells, with the operators between them; every cell can be asked for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app.charts.theme import Role
from app.components.shared import mount, pack, register
from app.data.walk import Block, Cell
from app.format import visible
from app.i18n import _


@dataclass(frozen=True)
class Grid:
    """One array drawn as cells: one free axis is a strip, two are a matrix.

    `index` is None on the drawn axes; `rows` and `cols` say which positions are drawn, of the
    rows and columns as they lie in `values`. `mask` is True where one may look. `transposed`: the
    first free axis runs along the columns, as `values` already does. `fold`: a long strip becomes a
    small picture with so many cells a line, instead of as many as there is room for. `square`: the
    cells are as high as they are wide, as the pixels of a picture.
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
    note: str = ""


def array_grid(
    values: NDArray[np.floating], title: str, role: Role = "residual", **options: Any
) -> Grid:
    """Return a whole array, (C,) or (R, C), as a grid; without a `name` its cells open nothing."""
    name = options.pop("name", "")
    return Grid(name, (None,) * values.ndim, values, title, role, **options)


def pixels(greys: NDArray[np.uint8], title: str) -> Grid:
    """Return a picture (H, W) of greys, 0 black to 255 white, as a grid that no number is in."""
    look = {"scale": "greys", "reach": 255.0, "square": True}
    return array_grid(greys.astype(float), title, "input", **look)


@dataclass(frozen=True)
class Op:
    """What stands between two grids: ×, +, =, ÷ √d_k, softmax."""

    text: str


@dataclass(frozen=True)
class Fold:
    """What waits under a board until its line is clicked; while it is shut, it costs nothing."""

    label: str
    draw: Callable[[], None]


_board = register("board")


def board(
    items: Sequence[Grid | Op],
    *,
    key: str,
    asked: Cell | None = None,
    lit: Sequence[Block] = (),
    on_ask: Callable[[Cell], None] | None = None,
    fold: Fold | None = None,
) -> Cell | None:
    """Show grids and operators in reading order and return the cell that was just asked for.

    The line of the fold is the board's own, not an expander: a page has a dozen boards, and each
    element of Streamlit is drawn again at every move.
    """
    opened = f"open-{key}"

    def turn() -> None:
        st.session_state[opened] = not st.session_state.get(opened, False)

    is_open = fold is not None and st.session_state.get(opened, False)
    cell = mount(
        _board,
        "ask",
        read,
        key=key,
        fixed=payload(items, fold),
        chosen=marks(asked, lit) | {"open": is_open},
        on_event=on_ask,
        others={"fold": turn} if fold else None,
    )
    if fold is not None and is_open:
        with st.container(border=True):
            fold.draw()
    return cell


def payload(items: Sequence[Grid | Op], fold: Fold | None = None) -> dict[str, Any]:
    """Return what the browser draws; ValueError where the parts of a grid do not fit."""
    sent = [{"op": item.text} if isinstance(item, Op) else _grid(item) for item in items]
    askable = any(isinstance(item, Grid) and item.name for item in items)
    return {"items": sent, "text": words(askable), "fold": None if fold is None else fold.label}


def words(askable: bool) -> dict[str, str]:
    """Return the words of a board, whose cells may have a calculation to open."""
    return {
        "hint": _(
            "Point at a cell, or walk with the arrow keys. A click or Enter opens its calculation."
        )
        if askable
        else _("Point at a cell, or walk with the arrow keys, to read its number."),
        "matrix": _("{title}, {rows} × {cols}; arrow keys walk, Enter opens the calculation"),
        "strip": _("{title}, {cols} numbers; arrow keys walk, Enter opens the calculation"),
        "asked": _("Opened: {cell}"),
        "hatched": _("masked: one may not look there"),
    }


def marks(asked: Cell | None, lit: Sequence[Block]) -> dict[str, Any]:
    """Return what is marked in the grids."""
    return {
        "asked": None if asked is None else _address(asked),
        "lit": [_address(block) for block in lit],
    }


def read(event: Mapping[str, Any]) -> Cell:
    """Turn an event of the browser into a cell."""
    return Cell(str(event["name"]), tuple(int(at) for at in event["index"]))


def _address(of: Cell | Block) -> dict[str, Any]:
    return {"name": of.name, "index": list(of.index)}


def _grid(grid: Grid) -> dict[str, Any]:
    _check(grid)
    rows, cols = _shape(grid)
    return {
        "name": grid.name,
        "index": list(grid.index),
        "axes": _axes(grid),
        "shape": [rows, cols],
        "values": pack(grid.values, np.float32),
        "mask": None if grid.mask is None else pack(grid.mask, np.uint8),
        "title": grid.title,
        "note": grid.note,
        "role": grid.role,
        "scale": grid.scale,
        "reach": _reach(grid),
        "row_labels": [visible(label) for label in grid.row_labels],
        "col_labels": [visible(label) for label in grid.col_labels],
        "rows": grid.rows,
        "cols": grid.cols,
        "fold": grid.fold,
        "square": grid.square,
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
    if grid.values.ndim < 2:
        return 1, grid.values.size
    return grid.values.shape[0], grid.values.shape[1]


def _axes(grid: Grid) -> list[int | None]:
    """Return the array's axes that run along the rows (None for a strip) and the columns."""
    free = [axis for axis, at in enumerate(grid.index) if at is None]
    if len(free) == 1:
        return [None, free[0]]
    return [free[1], free[0]] if grid.transposed else [free[0], free[1]]


def _reach(grid: Grid) -> float:
    if grid.scale == "weights":
        return 1.0
    if grid.reach is not None:
        return float(grid.reach)
    finite = np.abs(grid.values[np.isfinite(grid.values)])
    return float(finite.max(initial=0.0))
