"""A matrix product as an equation of boards: x × W + b = y, from what the stage of y knows."""

from collections.abc import Sequence
from typing import Any, Final

from app.components.board import Grid, Op
from app.data.walk import Walk
from app.format import quoted
from app.inspector.arrays import grid
from app.inspector.naming import PER_HEAD, labels_of

BLOCK: Final = 16  # numbers of a long vector in a line, so that it stands beside its matrix
LOW: Final = 52  # pixels of a thumbnail where two lines of them fit into a window


def equation(
    walk: Walk,
    name: str,
    at: Sequence[int | None],
    x: str | Grid,
    y: str,
    *,
    matrices: bool = True,
    thumb: bool = False,
) -> list[Grid | Op]:
    """Return x × W + b = y for the array `name`, which a matrix and a bias make of its input.

    `at` is the part of y to draw: of `….q`, `(head, None, None)` is all of its words and
    `(head, 3, None)` one of them. `x` and `y` are titles, or x a grid that was
    drawn before; `matrices` draws W and b as well, `thumb` W as a thumbnail, b and y
    small beside it.
    """
    stage = walk.numbers.stages[name]
    weights, bias = stage.params
    row = at[-2]
    w, b = (param.rpartition(".")[2] for param in (weights, bias))
    low = LOW if thumb and row is None else None  # y stands on a line of its own
    small: dict[str, Any] = {"thumb": True, "fold": BLOCK, "height": low} if thumb else {}
    factors: list[Grid | Op] = [Op(f"× {w} + {b} =")]
    if matrices:
        cols = _columns(walk, at[0]) if name.rpartition(".")[2] in PER_HEAD else None
        factors = [
            Op("×"),
            grid(walk, weights, (None, None), w, cols=cols, thumb=thumb, height=low),
            Op("+"),
            grid(walk, bias, (None,), b, cols=cols, **small),
            Op("="),
        ]
    read = stage.inputs[0]
    word = "" if row is None else f" · {quoted(labels_of(walk, read, 0)[row])}"
    if isinstance(x, str):
        x = grid(walk, read, (row, None), x + word)
    if thumb and row is None:
        small["row_labels"] = ()  # x has them
    return [x, *factors, grid(walk, name, at, y + word, **small)]


def _columns(walk: Walk, head: int | None) -> tuple[int, ...] | None:
    """Return the columns of W_Q, W_K or W_V that are one head's."""
    d_k = walk.config.d_k
    return None if head is None else tuple(range(head * d_k, (head + 1) * d_k))
