"""Which looks would lower the loss: the gradient of each score, and one of them put to the test."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import streamlit as st

from app import state
from app.components.board import Fold, array_grid, board
from app.data.attention import allowed, scope_of
from app.data.translation import Token
from app.data.walk import Cell
from app.format import escape, minus
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.attention import pick_kind
from app.inspect.naming import text_at
from app.inspect.picks import head_of, layer_of, pick_head, pick_layer
from app.state import Param, Pin, one_of
from app.ui.chart import show_chart
from app.ui.pickers import pick
from app.ui.picture import grids_picture
from app.ui.table import matrix_columns, table, twins_name
from app.views.walk.learning import texts
from app.views.walk.learning.data import gradients_of, losses_if
from app.views.walk.learning.lesson import Lesson
from app.views.walk.learning.loss_chart import loss_curve

ALONE: Final = Param[bool]("alone", False, lambda raw: raw == "1")
DELTAS: Final = ("0.01", "0.1", "1")
DELTA: Final = Param[str]("delta", "0.1", one_of(*DELTAS))
GRADIENT: Final = "gradient"
RAISED: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
REACH: Final = 4.0  # how far the curve goes to either side, in units of the score
POINTS: Final = 9
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
    gradients = gradients_of(walk, lesson.smoothing, _position(lesson))
    values = gradients.arrays[f"{scope}.scores"][head]
    sides = capture.queries(kind), capture.keys(kind)
    return Slopes(scope, layer, head, values, *sides, allowed(walk, kind))


def _position(lesson: Lesson) -> int | None:
    """Return the place whose loss alone counts; None for all."""
    return lesson.at if ALONE.get() else None


def draw_gradients(lesson: Lesson) -> None:
    """Draw one head's weights beside the gradients of its scores, and check one of these."""
    _draw_choices(lesson)
    head = slopes(lesson)
    st.markdown(_wish(lesson, head))
    cell = _cell(head)
    # Side by side, long sentences would leave their cells too little room.
    beside = len(head.keys) <= WIDEST
    left, right = st.columns(2, gap="medium") if beside else (st.container(), st.container())
    with left:
        name, index = f"{head.scope}.weights", (head.head, None, None)
        title = _("weights: where it looks")
        looks = grid(lesson.walk, name, index, title, role="output", mask=head.mask)
        arrays(lesson.walk, [looks], "looks")
    with right:
        _draw_map(head, cell)
    st.markdown(_(texts.SIGN))
    _draw_check(lesson, head, cell)
    st.markdown(_(texts.ONWARD))


def _draw_choices(lesson: Lesson) -> None:
    capture = lesson.walk.capture
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        pick_kind(lesson.walk.translation)
        pick_layer(capture.n_layers(state.KIND.get()))
        pick_head(capture.n_heads)
    label = _("Only the loss of “{word}”").format(word=lesson.word)
    about = _("Otherwise the loss of the whole sentence. The word is chosen above.")
    st.toggle(label, key=ALONE.widget(), help=about)


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
        gradient=minus(f"{value:+.3g}"),
        weight=f"{weight:.3f}",
    )


def _draw_map(head: Slopes, cell: tuple[int, int]) -> None:
    # So small that they would all read as 0.00: drawn in units of a power of ten.
    power = head.power
    title = f"10{str(power).translate(RAISED)} · ∂loss/∂score" if power else "∂loss/∂score"
    rows, cols = ([token.text for token in side] for side in (head.queries, head.keys))
    options: dict[str, Any] = {"name": GRADIENT, "mask": head.mask}
    values = head.values * 10.0**power
    drawn = array_grid(values, title, row_labels=rows, col_labels=cols, **options)

    def draw_twins() -> None:
        table(matrix_columns(_("query ↓ key →"), rows, cols, head.values), GRADIENT)
        grids_picture([drawn], GRADIENT)

    fold = Fold(twins_name(picture=True), draw_twins)
    board([drawn], key=GRADIENT, asked=Cell(GRADIENT, cell), on_ask=_pin, fold=fold)


def _pin(cell: Cell) -> None:
    state.PIN.set(Pin(*cell.index))


def _cell(head: Slopes) -> tuple[int, int]:
    """Return the cell that is checked: the one clicked, else the strongest."""
    pin = state.PIN.get()
    if pin is None or pin.query is None or pin.key is None:
        return head.strongest
    inside = pin.query < len(head.queries) and pin.key < len(head.keys)
    return (pin.query, pin.key) if inside else head.strongest


def _draw_check(lesson: Lesson, head: Slopes, cell: tuple[int, int]) -> None:
    """Nudge one score up and down, run the model, and compare the two slopes."""
    query, key = map(escape, head.words(*cell))
    st.markdown(_(texts.CHECK).format(query=query, key=key))
    pick(DELTA, "δ", DELTAS, help=_("How much is added to the score, and taken from it."))
    delta = float(DELTA.get())
    changes = np.unique([*np.linspace(-REACH, REACH, POINTS), -delta, delta])
    score, by = Cell(f"{head.scope}.scores", (head.head, *cell)), changes.tolist()
    losses = losses_if(lesson.walk, score, by, lesson.smoothing, _position(lesson))
    less, more = (int(np.searchsorted(changes, change)) for change in (-delta, delta))
    measured = float(losses[more] - losses[less]) / (2 * delta)
    slope = float(head.values[cell])
    st.latex(
        rf"\begin{{aligned}} L(s+\delta) &= {losses[more]:.6f} \\ "
        rf"L(s-\delta) &= {losses[less]:.6f} \\ "
        rf"\frac{{L(s+\delta)-L(s-\delta)}}{{2\,\delta}} &= \mathbf{{{_tex(measured)}}} \\[6pt] "
        rf"\frac{{\partial L}}{{\partial s}} &= \mathbf{{{_tex(slope)}}}\end{{aligned}}"
    )
    if not head.mask[cell]:
        st.caption(_(texts.MASKED))
    st.caption(_(texts.CHECKED_SLOPES).format(difference=f"{abs(measured - slope):.1e}"))
    title = _("The loss, as this one score changes")
    figure = loss_curve(changes, losses, slope, (less, more), title)
    columns = {_("added to the score"): by, _("loss"): losses.tolist()}
    show_chart(figure, "slope", title, lambda: columns)


def _tex(value: float) -> str:
    if value == 0 or abs(value) >= 1e-3:
        return f"{value:.6f}"
    mantissa, exponent = f"{value:.3e}".split("e")
    return rf"{mantissa}\cdot 10^{{{int(exponent)}}}"
