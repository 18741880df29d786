"""Arrays of the sentence on a board, and products of them: any cell can be asked about."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from app import state
from app.charts.grids import Panel, grids
from app.charts.theme import Role
from app.components.board import Grid, Op, array_grid, board, reach_of
from app.data.walk import Walk
from app.format import quoted
from app.inspector.naming import PER_HEAD, first_of, labels_of, role_of
from app.inspector.panel import ask, asked, lit
from app.ui.chart import picture
from app.ui.kept import show_html
from app.ui.table import Columns, figure_menu, table

# With them, what a board is made of: who draws one needs both.
__all__ = ["BLOCK", "LOW", "STATE_FOLD", "Grid", "Op", "array_grid", "arrays", "draw_board"]
__all__ += ["equation", "grid", "grids_picture", "state_grid", "weights_grid"]

STATE_FOLD: Final = 32  # numbers of a state in one line
BLOCK: Final = 16  # numbers of a long vector in a line, so that it stands beside its matrix
LOW: Final = 52  # pixels of a thumbnail where two lines of them fit into a window


def grid(walk: Walk, name: str, index: Sequence[int | None], title: str, **options: Any) -> Grid:
    """Return an array's part at an index (None: an axis that is drawn), with its own numbers.

    Words label the axes that are tokens; `options` are those of `Grid`.
    """
    values = np.asarray(walk.array(name, index))
    axes = [axis for axis, place in enumerate(index) if place is None]
    labels = [labels_of(walk, name, axis) for axis in axes]
    rows, cols = ([], labels[0]) if len(axes) == 1 else labels
    if options.get("transposed"):
        values, rows, cols = values.T, cols, rows
    values, rows = _chosen(values, rows, options.get("rows"), 0)
    values, cols = _chosen(values, cols, options.get("cols"), values.ndim - 1)
    defaults: dict[str, Any] = {
        "role": role_of(name),
        "scale": "weights" if name.endswith(("weights", "probabilities", "mixing")) else "signed",
        "row_labels": rows,
        "col_labels": cols,
        "first": first_of(name),
    }
    return Grid(name=name, index=tuple(index), values=values, title=title, **(defaults | options))


def weights_grid(
    values: np.ndarray,
    title: str,
    rows: Sequence[str] = (),
    cols: Sequence[str] = (),
    **options: Any,
) -> Grid:
    """Return weights that the model's own run has not: no cell of them can be asked for."""
    options |= {"scale": "weights", "row_labels": rows, "col_labels": cols}
    return array_grid(values, title, **options)


def state_grid(walk: Walk, name: str, at: int, title: str, role: Role) -> Grid:
    """Return one state of a recurrent network; all states share their colours, −1 to 1."""
    return grid(walk, name, (at, None), title, role=role, reach=1.0, fold=STATE_FOLD)


def arrays(
    walk: Walk, items: Sequence[Grid | Op], key: str, kept: Sequence[Grid | Op] = ()
) -> None:
    """Draw grids and operators; a cell that is clicked is asked, what it came from lights up."""
    draw_board(items, key, kept, asked=asked(), lit=lit(walk), on_ask=ask)


def draw_board(
    items: Sequence[Grid | Op], key: str, kept: Sequence[Grid | Op] = (), **marks: Any
) -> None:
    """Draw grids and operators, with the menu of their numbers and of all of it as one picture.

    In the menu may be more than there is room for on the page: what is `kept`. `marks` are the
    options of `board`.
    """
    board(items, key=key, **marks)
    if state.in_book() and not kept:  # whose script writes the numbers that the board has
        figure_menu(key, lambda: show_html(f'<div class="numbers" data-board="{key}"></div>'))
        return

    def draw_menu() -> None:
        drawn = (item for item in kept or items if isinstance(item, Grid))
        for i, one in enumerate(drawn, start=1):
            table(_columns(one), f"{key}-{i}")
        grids_picture(kept or items, key)

    figure_menu(key, draw_menu)


def _chosen(
    values: np.ndarray, labels: Sequence[str], places: Sequence[int] | None, axis: int
) -> tuple[np.ndarray, Sequence[str]]:
    if places is None:
        return values, labels
    return values.take(places, axis), [labels[i] for i in places] if labels else labels


def _columns(drawn: Grid) -> Columns:
    """Return a grid as columns of a table; twins among its rows or columns are numbered."""
    values = np.atleast_2d(np.asarray(drawn.values, dtype=float))
    across = values.shape[0] == 1
    rows, cols = drawn.row_labels, drawn.col_labels
    if across:  # a vector stands upright
        values, rows, cols = values.T, cols, rows
    places = drawn.cols if across else drawn.rows
    first = _numbered(rows, places or range(len(values)), drawn.first if across else 1)
    columns: dict[str, Sequence[str | float]] = {drawn.title: first}
    for j, name in enumerate(_numbered(cols, range(values.shape[1]), drawn.first)):
        columns[name] = values[:, j].tolist()
    return columns


def _numbered(labels: Sequence[str], places: Sequence[int], first: int) -> Sequence[str]:
    if not labels:
        return [f"[{i + first}]" for i in places]
    if len({*labels}) == len(labels):
        return labels
    return [f"{i + first} {label}" for i, label in zip(places, labels, strict=True)]


def grids_picture(items: Sequence[Grid | Op], name: str) -> None:
    """Draw the grids and operators of a board as one figure."""
    panels, before = [], ""
    for item in items:
        if isinstance(item, Op):
            before = f"{before} {item.text}".strip()
            continue
        look = item.title, item.values, item.role, item.scale, reach_of(item)
        panels.append(Panel(*look, item.row_labels, item.col_labels, before, item.first))
        before = ""
    titles = ", ".join(panel.title for panel in panels)
    picture(grids(panels), name, titles)


def equation(walk: Walk, name: str, at: Sequence[int | None], x: Grid, y: str) -> list[Grid | Op]:
    """Return x × W + b = y for the array `name`, which a matrix and a bias make of its input `x`.

    `at` is the part of y to draw: of `….q`, `(head, None, None)` is all of its words and
    `(head, 3, None)` one of them. `y` is its title. W is drawn as a thumbnail, b and y small.
    """
    stage = walk.numbers.stages[name]
    weights, bias = stage.params
    row = at[-2]
    w, b = (param.rpartition(".")[2] for param in (weights, bias))
    low = LOW if row is None else None  # y stands on a line of its own
    small: dict[str, Any] = {"thumb": True, "fold": BLOCK, "height": low}
    head = at[0] if name.rpartition(".")[2] in PER_HEAD else None  # whose columns of W are drawn
    d_k = walk.config.d_k
    cols = None if head is None else tuple(range(head * d_k, (head + 1) * d_k))
    factors: list[Grid | Op] = [
        Op("×"),
        grid(walk, weights, (None, None), w, cols=cols, thumb=True, height=low),
        Op("+"),
        grid(walk, bias, (None,), b, cols=cols, **small),
        Op("="),
    ]
    if row is None:
        small["row_labels"] = ()  # x has them
    else:
        y += f" · {quoted(labels_of(walk, stage.inputs[0], 0)[row])}"
    return [x, *factors, grid(walk, name, at, y, **small)]
