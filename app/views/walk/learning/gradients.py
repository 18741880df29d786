"""Which looks would lower the loss: the gradient of each score, and one of them put to the test."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.charts.learning import loss_curve
from app.charts.toolbar import plot_config
from app.components.board import Fold, Grid, board
from app.data.translation import Token
from app.data.walk import Cell
from app.format import escape
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.attention import KIND_NAMES
from app.inspect.picks import head_of, layer_of, pick_head, pick_layer
from app.state import Param, Pin, one_of
from app.ui.chart import theme_mode
from app.ui.picture import grids_picture
from app.ui.table import table, table_fold, twins_name
from app.views.walk.learning import texts
from app.views.walk.learning.data import Taught, allowed, gradients_of, losses_if, scope_of
from app.views.walk.learning.target import place, smoothing

ALONE: Final = Param[bool]("alone", False, lambda raw: raw == "1")
DELTA: Final = Param[str]("delta", "0.1", one_of("0.01", "0.1", "1"))
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
        return f"“{_named(self.queries, query)}” → “{_named(self.keys, key)}”"


def slopes(walk: Taught) -> Slopes:
    """Return the gradients of the chosen head."""
    kind, capture = state.KIND.get(), walk.capture
    layer, head = layer_of(capture.n_layers(kind)), head_of(capture.n_heads)
    scope = scope_of(kind, layer, capture.config)
    position = place(walk) if ALONE.get() else None
    found = gradients_of(walk, smoothing(walk), position)
    return Slopes(
        scope, layer, head, found.arrays[f"{scope}.scores"][head], capture.queries(kind),
        capture.keys(kind), allowed(capture, kind), position, smoothing(walk),
    )  # fmt: skip


def gradients(walk: Taught) -> None:
    """Draw one head's weights beside the gradients of its scores, and check one of these."""
    _choices(walk)
    now = slopes(walk)
    _wish(walk, now)
    cell = _cell(now)
    # Side by side, long sentences would leave their cells too little room.
    beside = len(now.keys) <= WIDEST
    left, right = st.columns(2, gap="medium") if beside else (st.container(), st.container())
    with left:
        shown = grid(
            walk, f"{now.scope}.weights", (now.head, None, None), _("weights: where it looks"),
            role="output", mask=now.mask,
        )  # fmt: skip
        arrays(walk, [shown], key="looks")
    with right:
        _map(now, cell)
    st.markdown(_(texts.SIGN))
    _check(walk, now, cell)
    st.markdown(_(texts.ONWARD))


def _choices(walk: Taught) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.segmented_control(
            _("Attention"), list(KIND_NAMES), format_func=lambda kind: _(KIND_NAMES[kind]),
            required=True, wrap=True, key=state.KIND.widget(), on_change=_kind_changed,
        )  # fmt: skip
        pick_layer(walk.capture.n_layers(state.KIND.get()))
        pick_head(walk.capture.n_heads)
    word = escape(walk.tokens()[place(walk)].text)
    st.toggle(
        _("Only the loss of “{word}”").format(word=word), key=ALONE.widget(),
        help=_("Otherwise the loss of the whole sentence. The word is chosen above."),
    )  # fmt: skip


def _kind_changed() -> None:
    state.PIN.set(None)  # the same numbers would be other tokens


def _wish(walk: Taught, now: Slopes) -> None:
    """Say in words what the strongest gradient asks for."""
    if now.flat:
        st.markdown(_(texts.STILL))
        return
    query, key = _strongest(now)
    value = now.values[query, key]
    weight = walk.array(f"{now.scope}.weights")[now.head, query, key]
    st.markdown(
        _(texts.WANTED).format(
            query=escape(now.queries[query].text), key=escape(now.keys[key].text),
            way=_(texts.MORE) if value < 0 else _(texts.LESS),
            gradient=f"{value:+.3g}".replace("-", "−"), weight=f"{weight:.3f}",
        )
    )  # fmt: skip


def _map(now: Slopes, cell: tuple[int, int]) -> None:
    # So small that they would all read as 0.00: drawn in units of a power of ten, as said above.
    power = now.power
    title = f"10{str(power).translate(RAISED)} · ∂loss/∂score" if power else "∂loss/∂score"
    drawn = Grid(
        GRADIENT, (None, None), now.values * 10.0**power, title,
        row_labels=[token.text for token in now.queries],
        col_labels=[token.text for token in now.keys], mask=now.mask,
    )  # fmt: skip

    def twins() -> None:
        table(_columns(now), "gradient")
        grids_picture([drawn], "gradient")

    fold = Fold(twins_name(picture=True), twins)
    board([drawn], key="gradient", asked=Cell(GRADIENT, cell), on_ask=_pin, fold=fold)


def _pin(cell: Cell) -> None:
    state.PIN.set(Pin(*cell.index))


def _cell(now: Slopes) -> tuple[int, int]:
    """Return the cell that is checked: the one clicked, else the strongest."""
    pin = state.PIN.get()
    if pin is None or pin.query is None or pin.key is None:
        return _strongest(now)
    inside = pin.query < len(now.queries) and pin.key < len(now.keys)
    return (pin.query, pin.key) if inside else _strongest(now)


def _strongest(now: Slopes) -> tuple[int, int]:
    query, key = np.unravel_index(int(np.abs(now.values).argmax()), now.values.shape)
    return int(query), int(key)


def _check(walk: Taught, now: Slopes, cell: tuple[int, int]) -> None:
    """Nudge one score up and down, run the model, and compare the two slopes."""
    query, key = cell
    st.markdown(
        _(texts.CHECK).format(
            query=escape(_named(now.queries, query)), key=escape(_named(now.keys, key))
        )
    )
    st.segmented_control(
        "δ", ["0.01", "0.1", "1"], required=True, key=DELTA.widget(),
        help=_("How much is added to the score, and taken from it."),
    )  # fmt: skip
    delta = float(DELTA.get())
    changes = np.unique([*np.linspace(-REACH, REACH, POINTS), -delta, delta])
    found = losses_if(
        walk, now.name, (now.head, query, key), changes.tolist(), now.smoothing, now.position
    )
    less, more = (int(np.searchsorted(changes, by)) for by in (-delta, delta))
    measured = float(found[more] - found[less]) / (2 * delta)
    slope = float(now.values[cell])
    st.latex(
        rf"\begin{{aligned}} L(s+\delta) &= {found[more]:.6f} \\ "
        rf"L(s-\delta) &= {found[less]:.6f} \\ "
        rf"\frac{{L(s+\delta)-L(s-\delta)}}{{2\,\delta}} &= \mathbf{{{_tex(measured)}}} \\[6pt] "
        rf"\frac{{\partial L}}{{\partial s}} &= \mathbf{{{_tex(slope)}}}\end{{aligned}}"
    )
    if not now.mask[cell]:
        st.caption(_(texts.MASKED))
    st.caption(_(texts.CHECKED_SLOPES).format(difference=f"{abs(measured - slope):.1e}"))
    title = _("The loss, as this one score changes")
    names = (_("the model, run again"), _("slope = gradient"), "±δ")
    figure = loss_curve(
        changes, found, slope, (less, more), names=names, x_title=_("added to the score"),
        y_title=_("loss"), title=title, mode=theme_mode(),
    )  # fmt: skip
    st.plotly_chart(figure, theme=None, config=plot_config("slope"), key="slope", alt=title)
    columns = {_("added to the score"): changes.tolist(), _("loss"): found.tolist()}
    table_fold("slope", lambda: table(columns, "slope"))


def _tex(value: float) -> str:
    if value == 0 or abs(value) >= 1e-3:
        return f"{value:.6f}"
    mantissa, exponent = f"{value:.3e}".split("e")
    return rf"{mantissa}\cdot 10^{{{int(exponent)}}}"


def _columns(now: Slopes) -> dict[str, list[str | float]]:
    rows = [f"{i + 1} {token.text}" for i, token in enumerate(now.queries)]
    columns: dict[str, list[str | float]] = {_("query ↓ key →"): list(rows)}
    for j, token in enumerate(now.keys):
        columns[f"{j + 1} {token.text}"] = now.values[:, j].astype(float).tolist()
    return columns


def _named(tokens: Sequence[Token], at: int) -> str:
    twice = sum(token.text == tokens[at].text for token in tokens) > 1
    return f"{tokens[at].text} ({at + 1})" if twice else tokens[at].text
