"""Which looks would lower the loss: the gradient of each score, and one of them put to the test."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.charts.learning import loss_curve
from app.components.board import Fold, Grid, board
from app.data.translation import Token
from app.data.walk import Cell
from app.format import escape, minus
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.attention import KIND_NAMES
from app.inspect.naming import text_at
from app.inspect.picks import head_of, layer_of, pick_head, pick_layer
from app.state import Param, Pin, one_of
from app.ui.chart import show_chart
from app.ui.pickers import pick
from app.ui.picture import grids_picture
from app.ui.table import matrix_columns, table, twins_name
from app.views.walk.learning import texts
from app.views.walk.learning.data import Taught, allowed, gradients_of, losses_if, scope_of
from app.views.walk.learning.lesson import Lesson

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
    """∂loss/∂score of one head, (T, S), with the tokens of both sides; `open` is True if seen."""

    scope: str
    layer: int
    head: int
    values: np.ndarray
    queries: Sequence[Token]
    keys: Sequence[Token]
    mask: np.ndarray
    position: int | None
    smoothing: float

    @property
    def name(self) -> str:
        return f"{self.scope}.scores"

    @property
    def flat(self) -> bool:
        return not self.values.any()

    @property
    def power(self) -> int:
        """Return by which power of ten the largest gradient comes to at least 1; 0 if it is so."""
        largest = float(np.abs(self.values).max())
        return max(0, math.ceil(-math.log10(largest))) if largest else 0

    def pair(self, query: int, key: int) -> str:
        """Name a cell by its words, numbered where a word comes twice."""
        return f"“{text_at(self.queries, query)}” → “{text_at(self.keys, key)}”"


def slopes(lesson: Lesson) -> Slopes:
    """Return the gradients of the chosen head."""
    kind, capture = state.KIND.get(), lesson.walk.capture
    layer, head = layer_of(capture.n_layers(kind)), head_of(capture.n_heads)
    scope = scope_of(kind, layer, capture.config)
    position = lesson.at if ALONE.get() else None
    gradients = gradients_of(lesson.walk, lesson.smoothing, position)
    return Slopes(
        scope=scope,
        layer=layer,
        head=head,
        values=gradients.arrays[f"{scope}.scores"][head],
        queries=capture.queries(kind),
        keys=capture.keys(kind),
        mask=allowed(capture, kind),
        position=position,
        smoothing=lesson.smoothing,
    )


def draw_gradients(lesson: Lesson) -> None:
    """Draw one head's weights beside the gradients of its scores, and check one of these."""
    _draw_choices(lesson)
    walk, head = lesson.walk, slopes(lesson)
    st.markdown(_wish(walk, head))
    cell = _cell(head)
    # Side by side, long sentences would leave their cells too little room.
    beside = len(head.keys) <= WIDEST
    left, right = st.columns(2, gap="medium") if beside else (st.container(), st.container())
    with left:
        name, index = f"{head.scope}.weights", (head.head, None, None)
        title = _("weights: where it looks")
        arrays(walk, [grid(walk, name, index, title, role="output", mask=head.mask)], "looks")
    with right:
        _draw_map(head, cell)
    st.markdown(_(texts.SIGN))
    _draw_check(walk, head, cell)
    st.markdown(_(texts.ONWARD))


def _draw_choices(lesson: Lesson) -> None:
    capture = lesson.walk.capture
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        pick(state.KIND, _("Attention"), KIND_NAMES, wrap=True, on_change=_kind_changed)
        pick_layer(capture.n_layers(state.KIND.get()))
        pick_head(capture.n_heads)
    label = _("Only the loss of “{word}”").format(word=lesson.word)
    about = _("Otherwise the loss of the whole sentence. The word is chosen above.")
    st.toggle(label, key=ALONE.widget(), help=about)


def _kind_changed() -> None:
    state.PIN.set(None)  # the same numbers would be other tokens


def _wish(walk: Taught, head: Slopes) -> str:
    """Say in words what the strongest gradient asks for."""
    if head.flat:
        return _(texts.STILL)
    query, key = _strongest(head)
    value = head.values[query, key]
    weight = walk.array(f"{head.scope}.weights")[head.head, query, key]
    return _(texts.WANTED).format(
        query=escape(head.queries[query].text),
        key=escape(head.keys[key].text),
        way=_(texts.MORE) if value < 0 else _(texts.LESS),
        gradient=minus(f"{value:+.3g}"),
        weight=f"{weight:.3f}",
    )


def _draw_map(head: Slopes, cell: tuple[int, int]) -> None:
    # So small that they would all read as 0.00: drawn in units of a power of ten, as said above.
    power = head.power
    title = f"10{str(power).translate(RAISED)} · ∂loss/∂score" if power else "∂loss/∂score"
    rows, cols = ([token.text for token in side] for side in (head.queries, head.keys))
    drawn = Grid(
        GRADIENT,
        (None, None),
        head.values * 10.0**power,
        title,
        row_labels=rows,
        col_labels=cols,
        mask=head.mask,
    )

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
        return _strongest(head)
    inside = pin.query < len(head.queries) and pin.key < len(head.keys)
    return (pin.query, pin.key) if inside else _strongest(head)


def _strongest(head: Slopes) -> tuple[int, int]:
    query, key = np.unravel_index(int(np.abs(head.values).argmax()), head.values.shape)
    return int(query), int(key)


def _draw_check(walk: Taught, head: Slopes, cell: tuple[int, int]) -> None:
    """Nudge one score up and down, run the model, and compare the two slopes."""
    query, key = cell
    words = {"query": escape(text_at(head.queries, query)), "key": escape(text_at(head.keys, key))}
    st.markdown(_(texts.CHECK).format(**words))
    pick(DELTA, "δ", DELTAS, help=_("How much is added to the score, and taken from it."))
    delta = float(DELTA.get())
    changes = np.unique([*np.linspace(-REACH, REACH, POINTS), -delta, delta])
    score, by = (head.head, query, key), changes.tolist()
    losses = losses_if(walk, head.name, score, by, head.smoothing, head.position)
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
    title, added, loss = (
        _("The loss, as this one score changes"),
        _("added to the score"),
        _("loss"),
    )
    figure = loss_curve(
        changes,
        losses,
        slope,
        (less, more),
        names=(_("the model, run again"), _("slope = gradient"), "±δ"),
        x_title=added,
        y_title=loss,
        title=title,
    )
    show_chart(figure, "slope", title, lambda: {added: by, loss: losses.tolist()})


def _tex(value: float) -> str:
    if value == 0 or abs(value) >= 1e-3:
        return f"{value:.6f}"
    mantissa, exponent = f"{value:.3e}".split("e")
    return rf"{mantissa}\cdot 10^{{{int(exponent)}}}"
