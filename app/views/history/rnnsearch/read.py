"""The encoder of RNNsearch: two networks that read in opposite directions, and what they keep."""

from app.components.board import Grid, Op
from app.format import quoted
from app.i18n import _
from app.inspector.arrays import arrays, state_grid
from app.views.history.rnnsearch import texts
from app.views.history.rnnsearch.steps import Alignment


def read_text(row: Alignment) -> str:
    """Say what the states of both cells know, and what is kept of them."""
    walk = row.walk
    both, n = walk.array("memory").shape[1], len(walk.capture.src)
    return (
        f"{_(texts.READ).format(size=walk.config.d_hidden)} {_(texts.NOTE).format(both=both, n=n)}"
    )


def draw_read(row: Alignment) -> None:
    """Draw the states of the forward cell, and of the backward one."""
    for way, arrow in (("forward", "→"), ("backward", "←")):
        items: list[Grid | Op] = []
        for i, token in enumerate(row.walk.capture.src):
            hidden = f"encoder.0.{way}.hidden"
            items += [Op(arrow), state_grid(row.walk, hidden, i, quoted(token.text), "input")]
        arrays(row.walk, items[1:], key=way)
