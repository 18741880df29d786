"""Which looks would lower the loss: the gradient of each score of one head."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import streamlit as st

from app import state
from app.components.board import array_grid
from app.data.attention import allowed, scope_of
from app.data.translation import Token
from app.data.walk import Cell
from app.format import RAISED, escape, localized, number
from app.i18n import _
from app.inspector.arrays import arrays, draw_board, grid
from app.inspector.naming import text_at
from app.inspector.picks import head_of, layer_of
from app.state import Pin
from app.views.walk.learning import texts
from app.views.walk.learning.data import gradients_of
from app.views.walk.learning.lesson import Lesson
from app.views.walk.learning.picks import position_of

GRADIENT: Final = "gradient"
HIGH: Final = 145  # pixels that the cells of a map may take
WIDEST: Final = 14  # tokens


@dataclass(frozen=True, eq=False)
class Slopes:
    """∂loss/∂score of one head, (T, S), with the tokens of both sides."""

    scope: str
    layer: int
    head: int
    values: np.ndarray
    queries: Sequence[Token]
    keys: Sequence[Token]
    mask: np.ndarray

    @property
    def flat(self) -> bool:
        return not self.values.any()

    @property
    def power(self) -> int:
        """The power of ten by which the largest gradient comes to at least 1; 0 if it is so."""
        largest = float(np.abs(self.values).max())
        return max(0, math.ceil(-math.log10(largest))) if largest else 0

    @property
    def strongest(self) -> tuple[int, int]:
        query, key = np.unravel_index(int(np.abs(self.values).argmax()), self.values.shape)
        return int(query), int(key)

    def words(self, query: int, key: int) -> tuple[str, str]:
        """Return the words of a cell, numbered where a word comes twice."""
        return text_at(self.queries, query), text_at(self.keys, key)


def slopes(lesson: Lesson) -> Slopes:
    """Return the gradients of the chosen head."""
    kind, walk, capture = state.KIND.get(), lesson.walk, lesson.walk.capture
    layer, head = layer_of(capture.n_layers(kind)), head_of(capture.n_heads)
    scope = scope_of(walk, kind, layer)
    gradients = gradients_of(walk, lesson.smoothing, position_of(lesson))
    values = gradients.arrays[f"{scope}.scores"][head]
    sides = capture.queries(kind), capture.keys(kind)
    return Slopes(scope, layer, head, values, *sides, allowed(walk, kind))


def gradients_text(lesson: Lesson) -> str:
    """Say what a gradient is, what its sign asks for, and what the strongest one does."""
    return f"{_(texts.GRADIENT)}\n\n{_(texts.SIGN)} {_wish(lesson, slopes(lesson))}"


def draw_gradients(lesson: Lesson) -> None:
    """Draw one head's weights beside the gradients of its scores."""
    head = slopes(lesson)
    # Side by side, long sentences would leave their cells too little room.
    beside = len(head.keys) <= WIDEST
    left, right = st.columns(2, gap="medium") if beside else (st.container(), st.container())
    with left:
        name, index = f"{head.scope}.weights", (head.head, None, None)
        title = _("weights: where it looks")
        looks = grid(lesson.walk, name, index, title, role="output", mask=head.mask, height=HIGH)
        arrays(lesson.walk, [looks], "looks")
    with right:
        _draw_map(head, cell_of(head), GRADIENT)


def _wish(lesson: Lesson, head: Slopes) -> str:
    """Say in words what the strongest gradient asks for."""
    if head.flat:
        return _(texts.STILL)
    query, key = head.strongest
    value = head.values[query, key]
    weight = lesson.walk.array(f"{head.scope}.weights")[head.head, query, key]
    return _(texts.WANTED).format(
        query=escape(head.queries[query].text),
        key=escape(head.keys[key].text),
        way=_(texts.MORE) if value < 0 else _(texts.LESS),
        gradient=localized(f"{value:+.3g}"),
        weight=number(weight, 3),
    )


def _draw_map(head: Slopes, cell: tuple[int, int], key: str) -> None:
    # So small that they would all read as 0.00: drawn in units of a power of ten.
    power = head.power
    title = f"10{str(power).translate(RAISED)} · ∂loss/∂score" if power else "∂loss/∂score"
    rows, cols = ([token.text for token in side] for side in (head.queries, head.keys))
    options: dict[str, Any] = {"name": GRADIENT, "mask": head.mask, "height": HIGH}
    values = head.values * 10.0**power
    drawn = array_grid(values, title, row_labels=rows, col_labels=cols, **options)
    draw_board([drawn], key, asked=Cell(GRADIENT, cell), on_ask=_pin)


def _pin(cell: Cell) -> None:
    state.PIN.set(Pin(*cell.index))


def cell_of(head: Slopes) -> tuple[int, int]:
    """Return the cell that is checked: the one clicked, else the strongest."""
    pin = state.PIN.get()
    if pin is None or pin.query is None or pin.key is None:
        return head.strongest
    inside = pin.query < len(head.queries) and pin.key < len(head.keys)
    return (pin.query, pin.key) if inside else head.strongest
