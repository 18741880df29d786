"""An example by hand: a vocabulary of six words, and one of them as a one-hot vector."""

from typing import Final

import numpy as np

from app.components.board import Grid, Op, array_grid
from app.format import escape
from app.i18n import N_, _
from app.inspect.arrays import draw_board
from app.state import Param, whole
from app.ui.about import about
from app.ui.pickers import pick
from app.views.walk.vectors import texts
from app.views.walk.vectors.piece import Piece

# The lecture's vocabulary, and a table for it of round numbers.
VOCABULARY: Final = ("a", "am", "I", "thanks", "student", "<eos>")
TABLE: Final = np.array(
    [[0.2, -0.5, 0.1], [0.7, 0.3, -0.4], [-0.6, 0.8, 0.2], [0.1, 0.9, 0.5], [-0.3, -0.2, 0.6],
     [0.0, 0.4, -0.9]]
)  # fmt: skip
SIX: Final = Param[int]("six", 1, whole(0, len(VOCABULARY) - 1))
LABEL: Final = N_("One of six words")


def pick_six(_piece: Piece) -> None:
    """Draw the choice of one of the six words."""
    pick(SIX, _(LABEL), dict(enumerate(VOCABULARY)), wrap=True)


def one_hot_text(_piece: Piece) -> str:
    """Say which place of the vector is 1."""
    return _(texts.SIX_WORDS).format(word=escape(VOCABULARY[SIX.get()]), id=SIX.get())


@about(sentence="", place=())
def draw_one_hot(_piece: Piece) -> None:
    """Draw one-hot × table = row with the numbers of the six words."""
    vector = np.eye(len(VOCABULARY))[SIX.get()]
    names = [f"{i} {word}" for i, word in enumerate(VOCABULARY)]
    one_hot = array_grid(vector, _("one-hot"), "input", scale="weights", col_labels=names)
    table = array_grid(TABLE, "E", "input", row_labels=names)
    row = array_grid(vector @ TABLE, f"E[{SIX.get()}]", "input", reach=float(np.abs(TABLE).max()))
    items: list[Grid | Op] = [one_hot, Op("×"), table, Op("="), row]
    draw_board(items, "six-words")
