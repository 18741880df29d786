"""An example by hand: king − man + woman with vectors of four numbers."""

from typing import Final

import numpy as np

from app.components.board import Grid, Op, array_grid
from app.inspector.arrays import draw_board
from app.ui.about import about
from app.views.walk.vectors.piece import Piece

# The lecture's numbers.
VECTORS: Final = {
    "king": np.array([0.603, 0.198, -0.585, -0.074]),
    "man": np.array([0.252, -0.836, -0.294, 0.455]),
    "woman": np.array([0.947, 0.388, -0.831, 0.773]),
    "queen": np.array([1.298, 1.422, -1.122, 0.244]),
}


@about(sentence="", place=())
def draw_by_hand(_piece: Piece) -> None:
    """Draw king − man + woman, what comes out, and queen beside it."""
    result = VECTORS["king"] - VECTORS["man"] + VECTORS["woman"]
    reach = float(np.abs(result).max())

    def column(name: str, values: np.ndarray) -> Grid:
        return array_grid(values[:, None], name, "input", reach=reach)

    king, man, woman, queen = (column(word, values) for word, values in VECTORS.items())
    same = column("king − man + woman", result)
    items: list[Grid | Op] = [king, Op("−"), man, Op("+"), woman, Op("="), same, Op("="), queen]
    draw_board(items, "by-hand")
