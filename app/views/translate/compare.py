"""Two runs beside each other: their words matched, their maps in three ways, the pinned cell."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any, Final, NamedTuple, Self

import numpy as np
import streamlit as st

from app import state
from app.charts.arrange import Axis
from app.charts.theme import Floats
from app.components.grid import Weights
from app.components.matrix import matrix
from app.data.attention import scope_of
from app.data.translation import Kind, Translation
from app.data.walk import ATTENTIONS, Cell, Walk
from app.format import escape, share, signed
from app.i18n import N_, _
from app.inspector.attention import (
    KIND_NAMES,
    NO_ATTENTION,
    Look,
    chosen_look,
    draw_shown_as,
    kind_of,
    kinds,
    pick_attention,
)
from app.inspector.attention_views import draw_weights_menu
from app.inspector.both import (
    RunText,
    draw_both_bars,
    draw_calculation,
    draw_lines,
    further,
    line_of,
)
from app.inspector.naming import query_names
from app.inspector.panel import ask, calculation_of, draw_panel
from app.state import Param, Pin, one_of
from app.ui.about import about
from app.ui.buttons import button, quiet_button
from app.ui.chosen import model_name, pair
from app.ui.pickers import pick
from app.views.translate.pins import PAGE, RUN_A, RUN_B, describe, pinned

Place = tuple[int | None, int | None]  # a label of A and one of B; None where a run has none
WAYS: Final = {"side": N_("Side by side"), "overlay": N_("Overlay"), "difference": N_("Difference")}
WAY: Final = Param[str]("compare", "side", one_of(*WAYS))
TITLES: Final = ("A", "B")
ASKED_SIDE: Final = Param[str]("asked-side", "", one_of("A", "B"))  # of the number that is open


@dataclass(frozen=True)
class AlignedLabels:
    """The rows, or the columns, of two maps: for each place, the label of A and that of B."""

    a: Axis
    b: Axis
    places: tuple[Place, ...]

    @classmethod
    def of(cls, a: Axis, b: Axis) -> Self:
        """Match the words of two sides in their order."""
        return cls(a, b, align(a.labels, b.labels))

    @property
    def labels(self) -> tuple[str, ...]:
        """What stands at each place."""
        texts = ((self.a.labels, i) if j is None else (self.b.labels, j) for i, j in self.places)
        return tuple(labels[i] for labels, i in texts if i is not None)

    @property
    def swapped(self) -> "AlignedLabels":
        """The same places, with A and B exchanged."""
        return AlignedLabels(self.b, self.a, tuple((j, i) for i, j in self.places))

    def tokens(self, place: int) -> Place:
        """Return the first token of each run at a place."""
        i, j = self.places[place]
        return self.a.first(i), self.b.first(j)

    def number(self, place: int | None) -> int | None:
        """Return what a pin calls a place: a token of B, or one of A counted on from B's last."""
        if place is None:
            return None
        a, b = self.tokens(place)
        return b if a is None or b is not None else self.b.n_tokens + a

    def find(self, number: int | None) -> int | None:
        """Return the place that a pin means, if it is there."""
        if number is None:
            return None
        of_a = number >= self.b.n_tokens
        at = self.a.find(number - self.b.n_tokens) if of_a else self.b.find(number)
        places = (i if of_a else j for i, j in self.places)
        return None if at is None else next(n for n, label in enumerate(places) if label == at)


@dataclass(frozen=True)
class Side:
    """One of the two runs: its walk, and the settings of its own that say where to look."""

    title: str
    walk: Walk
    settings: state.Settings | None  # None: those of the page

    @property
    def translation(self) -> Translation:
        return self.walk.translation

    def line(self, name: str, text: str, language: int) -> RunText:
        """Return a text of this run, in the first or the second language of its model."""
        title = _(name).format(run=self.title)
        return RunText(title, text, pair(self.translation.model)[language])

    def look(self, kind: Kind) -> Look | None:
        """Return its own layer and head of a kind, words and tokens as the page has them."""
        if kind not in kinds(self.translation):
            return None
        own = {param: param.get(self.settings) for param in (state.LAYER, state.HEAD)}
        shared = {param: param.get() for param in (state.MERGE, state.HIDE)}
        settings = state.settings_of({state.KIND: kind, **own, **shared})
        return chosen_look(self.translation, settings)


class Map(NamedTuple):
    """The rows and the columns of two maps, aligned: what the page keeps of a comparison."""

    rows: AlignedLabels
    cols: AlignedLabels

    @property
    def swapped(self) -> "Map":
        """The same places, with A and B exchanged."""
        return Map(self.rows.swapped, self.cols.swapped)

    @property
    def pin(self) -> Pin | None:
        """What is pinned, by row and column."""
        pin = state.PIN.get() or Pin(None, None)
        drawn = Pin(self.rows.find(pin.query), self.cols.find(pin.key))
        return None if drawn == (None, None) else drawn

    def set_pin(self, drawn: Pin) -> None:
        """Pin a cell, a row or a column."""
        pin = Pin(self.rows.number(drawn.query), self.cols.number(drawn.key))
        state.ASKED.set(())  # what is open belongs to the cell that was pinned before
        state.PIN.set(None if pin == (None, None) else pin)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two runs with one kind of attention of each, their rows and their columns aligned.

    T places of the rows, S of the columns; NaN where a run has no such cell, or may not look.
    """

    a: Side
    b: Side
    looks: tuple[Look, Look]

    @cached_property
    def map(self) -> Map:
        """The rows and the columns alone."""
        a, b = self.looks
        return Map(AlignedLabels.of(a.queries, b.queries), AlignedLabels.of(a.keys, b.keys))

    @cached_property
    def weights(self) -> tuple[Floats, Floats]:
        """The weights of A and of B, (T, S) each."""
        return self._spread(0), self._spread(1)

    def _spread(self, run: int) -> Floats:
        look = self.looks[run]
        mask, weights = look.mask, look.weights
        seen = weights if mask is None else np.where(mask, weights, np.nan)
        return spread(seen, *([at[run] for at in side.places] for side in self.map))

    def about(self, run: int) -> str:
        """Return what tells one run from the other, in Markdown."""
        side = (self.a, self.b)[run]
        says = " · ".join(describe(side.walk, self.looks[run]))
        return f":small[**{side.title}** · {escape(says)}]"

    @cached_property
    def row_names(self) -> list[str]:
        """What the rows are called: where the runs write other tokens next, by both of them."""
        kind, rows = self.looks[0].kind, self.map.rows
        names = [query_names(kind, axis.labels) for axis in (rows.a, rows.b)]
        if ATTENTIONS[kind].queries == "src":
            return list(rows.labels)
        both = []
        for i, j in rows.places:
            own = [names[run][at] for run, at in ((0, i), (1, j)) if at is not None]
            both.append(" / ".join(dict.fromkeys(own)))
        return both

    @property
    def more(self) -> Floats:
        """By how much each weight is more in B than in A, (T, S)."""
        before, after = self.weights
        return after - before

    def labelled(self, values: Floats, **more: Any) -> Weights:
        """Return numbers (T, S) with what their rows and columns are called."""
        return Weights(values, self.row_names, self.map.cols.labels)._replace(**more)


def align(a: Sequence[str], b: Sequence[str]) -> tuple[Place, ...]:
    """Match two lists of words in their order; what only one has stands by itself, A's first."""
    places: list[Place] = []
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    for tag, a_from, a_to, b_from, b_to in matcher.get_opcodes():
        ours, theirs = range(a_from, a_to), range(b_from, b_to)
        if tag == "equal":
            places += zip(ours, theirs, strict=True)
        else:
            places += [*((i, None) for i in ours), *((None, j) for j in theirs)]
    return tuple(places)


def spread(values: Floats, rows: Sequence[int | None], cols: Sequence[int | None]) -> Floats:
    """Return numbers (T', S') at their places (T, S), and NaN where this run has none."""
    wide = np.full((len(values) + 1, values.shape[1] + 1), np.nan)
    wide[:-1, :-1] = values
    chosen: Floats = wide[np.ix_(*([-1 if i is None else i for i in at] for at in (rows, cols)))]
    return chosen


def draw_compare(page: Walk) -> None:
    """Draw the choice of both runs, what they write, and their maps."""
    runs = pinned()
    walks = {**{str(i): run.walk() for i, run in enumerate(runs, start=1)}, PAGE: page}
    picked = [one.get() if one.get() in walks else one.default for one in (RUN_A, RUN_B)]
    missing = [title for title, name in zip(TITLES, picked, strict=True) if walks[name] is None]
    a, b = (
        Side(title, walks[name] or page, None if name == PAGE else runs[int(name) - 1].settings)
        for title, name in zip(TITLES, picked, strict=True)
    )
    comparison = None if missing else _comparison(a, b)
    _pick_runs(picked, walks, comparison)
    if missing:
        text = _("Run {run} cannot be shown: its model is not there any more.")
        st.warning(text.format(run=missing[0]))
        return
    _draw_texts(a, b)
    _draw_attention(a, b, comparison)


def _comparison(a: Side, b: Side) -> Comparison | None:
    """Return both runs aligned; None where one of them has no attention of the chosen kind."""
    kind = kind_of(_leading(a, b).translation)
    ours, theirs = a.look(kind), b.look(kind)
    return None if ours is None or theirs is None else Comparison(a, b, (ours, theirs))


def _leading(a: Side, b: Side) -> Side:
    """Return the run whose kinds of attention are offered: the page's own, or else B."""
    having = [side for side in (b, a) if kinds(side.translation)] or [b]
    return next((side for side in having if side.settings is None), having[0])


def _pick_runs(
    picked: list[str], walks: Mapping[str, Walk | None], comparison: Comparison | None
) -> None:
    names = {name: _("On the page") if name == PAGE else name for name in walks}
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="two-runs"):
        pick(RUN_A, "A", list(names), value=picked[0], format_func=names.__getitem__)
        button(_("Swap"), "swap", "swap_horiz", _swap, picked, comparison and comparison.map)
        pick(RUN_B, "B", list(names), value=picked[1], format_func=names.__getitem__)
        pick(WAY, _("Compare as"), WAYS)


def _swap(picked: list[str], map_: Map | None) -> None:
    """Exchange A and B; what is pinned stays pinned, by its other name."""
    pin = map_ and map_.pin
    RUN_A.set(picked[1])
    RUN_B.set(picked[0])
    if map_ and pin:
        map_.swapped.set_pin(pin)


def _draw_texts(a: Side, b: Side) -> None:
    """Draw what both runs write, and what they read where that differs, the other words marked."""
    left, right = st.columns(2, gap="medium")
    if a.translation.text != b.translation.text:
        with left:
            read = (side.line(N_("{run} reads"), side.translation.text, 0) for side in (a, b))
            draw_lines("compared-sentences", *read)
    else:
        right = left
    with right:
        written = (side.line(N_("{run} writes"), side.translation.output, 1) for side in (a, b))
        draw_lines("compared-translations", *written)


def _draw_attention(a: Side, b: Side, comparison: Comparison | None) -> None:
    leading = _leading(a, b)
    if not kinds(leading.translation):
        st.info(_(NO_ATTENTION))
        return
    look = chosen_look(leading.translation)
    config = leading.translation.capture.config
    pick_attention(leading.translation.model, config, one_head=leading.settings is None)
    if comparison is None:
        lacking = next(side for side in (a, b) if side.look(look.kind) is None)
        name, kind = escape(model_name(lacking.translation.model)), _(KIND_NAMES[look.kind])
        text = _(
            "The model of run {run}, {model}, has no attention of the kind “{kind}”: "
            "choose another kind, or another run."
        )
        st.info(text.format(run=lacking.title, model=name, kind=kind))
    elif not (comparison.map.rows.labels and comparison.map.cols.labels):
        st.info(_("All tokens here are special ones, and those are hidden."))
    else:
        _draw_comparison(comparison)


def _draw_comparison(comparison: Comparison) -> None:
    """Draw the maps in the chosen way, and what is pinned in them."""
    with about(place=(*comparison.looks[0].place, *comparison.looks[1].place)):
        if WAY.get() == "side":
            for column, run in zip(st.columns(2, gap="medium"), (0, 1), strict=True):
                with column:
                    _draw_side(comparison, run)
            _draw_words(comparison, N_("Both runs side by side, with the same rows and columns."))
            draw_compared_cell(comparison, beside=True)
            return
        left, right = st.columns([3, 2], gap="large")
        with left:
            for run in (0, 1):
                st.markdown(comparison.about(run))
            draw = _draw_overlay if WAY.get() == "overlay" else _draw_difference
            draw(comparison)
        with right:
            draw_compared_cell(comparison, beside=False)


def _draw_side(comparison: Comparison, run: int) -> None:
    side, values = (comparison.a, comparison.b)[run], comparison.weights[run]
    st.markdown(comparison.about(run))
    words = {
        "name": _("Run {run}: rows are queries, columns are keys").format(run=side.title),
        "masked": _("“{query}” → “{key}”: not in this run, or masked"),
        "hatched": _("not in this run, or masked"),
    }
    name = f"compared-{side.title.lower()}"
    _draw_map(comparison, name, comparison.labelled(values), words)
    with about(sentence=side.translation.text, place=(side.title, *comparison.looks[run].place)):
        _draw_menu(comparison, name, comparison.labelled(values), words)


def _draw_overlay(comparison: Comparison) -> None:
    before, after = comparison.weights
    words = {
        "name": _("Runs A and B: rows are queries, columns are keys"),
        "cell": _("“{query}” looks at “{key}”: A {weight}, B {other}"),
        "query": _("“{query}” looks most, in A: {top}; in B: {other}"),
        "masked": _("“{query}” → “{key}”: in none of the runs, or masked"),
        "hatched": _("not in this run, or masked"),
        "halves": _("A above, B below"),
    }
    _draw_map(comparison, "compared", comparison.labelled(before, beside=after), words)
    _draw_words(comparison, N_("Each cell has the weights of both runs: A above, B below."))
    # As a table and as a picture, the two halves of a row are two rows.
    rows = [f"{label} · {run}" for label in comparison.row_names for run in TITLES]
    values = np.stack([before, after], axis=1).reshape(len(rows), -1)
    both = Weights(values, rows, comparison.map.cols.labels)
    draw_weights_menu("compared", both, ~np.isnan(values), None, words["name"])


def _draw_difference(comparison: Comparison) -> None:
    values = comparison.more
    reach = float(np.nanmax(np.abs(values), initial=0)) or 1.0
    words = {
        "name": _("Run B less run A: rows are queries, columns are keys"),
        "cell": _("“{query}” looks at “{key}”: {weight} more in B than in A"),
        "query": _("“{query}” differs most at {top}"),
        "key": _("Column of “{key}”: how much more each query looks at it in B"),
    }
    weights = comparison.labelled(values, reach=reach)
    _draw_map(comparison, "compared", weights, words)
    _draw_words(comparison, N_("Run B − run A, weight by weight."))
    _draw_menu(comparison, "compared", weights, words)


def _draw_map(
    comparison: Comparison, name: str, weights: Weights, words: Mapping[str, str]
) -> None:
    values = weights.values if weights.beside is None else np.fmax(weights.values, weights.beside)
    matrix(
        weights,
        key=name,
        pinned=comparison.map.pin,
        mask=~np.isnan(values),
        text=words,
        on_pin=comparison.map.set_pin,
    )


def _draw_words(comparison: Comparison, numbers: str) -> None:
    says = [_(numbers)]
    if any(None in place for side in comparison.map for place in side.places):
        text = _(
            "Rows and columns are matched word by word; what only one run has is hatched "
            "in the other."
        )
        says.append(text)
    draw_shown_as(comparison.looks[1].kind, " ".join(says))


def _draw_menu(
    comparison: Comparison, name: str, weights: Weights, words: Mapping[str, str]
) -> None:
    row, col = comparison.map.pin or (None, None)
    pinned = None if row is None or col is None else (row, col)
    draw_weights_menu(name, weights, ~np.isnan(weights.values), pinned, words["name"])


def draw_compared_cell(comparison: Comparison, *, beside: bool) -> None:
    """Draw what is pinned; as long as nothing is, the cell that differs most.

    The two calculations stand `beside` each other where there is room.
    """
    pin = comparison.map.pin
    if pin is None:
        pin = _most_different(comparison)
        if pin is None:
            st.caption(_("The two runs have no cell in common: click one to see its number."))
            return
        st.caption(_("Click a cell to pin it. Until then, this is where the runs differ most."))
    else:
        quiet_button(_("Unpin"), "unpin", "keep_off", state.PIN.set, None)
    _draw_numbers(comparison, pin)
    if pin.query is not None and pin.key is not None:
        queries, keys = comparison.map.rows.tokens(pin.query), comparison.map.cols.tokens(pin.key)
        columns = st.columns(2, gap="medium") if beside else (st.container(), st.container())
        for run, column in enumerate(columns):
            with column:
                _draw_calculation(comparison, run, (queries[run], keys[run]))
        if state.MERGE.get() or state.HIDE.get():
            st.caption(
                _("These numbers belong to the pinned tokens, before tokens are merged or hidden.")
            )
    _draw_bars(comparison, pin)


def _most_different(comparison: Comparison) -> Pin | None:
    apart = np.nan_to_num(np.abs(comparison.more), nan=-1)
    if apart.max() < 0:
        return None
    row, col = np.unravel_index(int(apart.argmax()), apart.shape)
    return Pin(int(row), int(col))


def _draw_numbers(comparison: Comparison, pin: Pin) -> None:
    """Say who looks at whom, in text that is no Markdown, with the numbers below it."""
    places = ((comparison.row_names, pin.query), (comparison.map.cols.labels, pin.key))
    names = [f"<b>{html.escape(labels[at])}</b>" for labels, at in places if at is not None]
    numbers = ""
    if pin.query is not None and pin.key is not None:
        at = pin.query, pin.key
        before, after = (float(weights[at]) for weights in comparison.weights)
        more = after - before
        numbers = "".join(
            f"<div><small>{name}</small>{_('none') if np.isnan(number) else write(number, 4)}</div>"
            for name, number, write in (
                ("A", before, share),
                ("B", after, share),
                ("B − A", more, signed),
            )
        )
    st.html(
        f'<div class="compared" data-testid="compared-cell"><div>{" → ".join(names)}</div>'
        f"<div>{numbers}</div></div>"
    )


def _draw_calculation(comparison: Comparison, run: int, tokens: Place) -> None:
    """Show where the number of one run comes from, in its own model's numbers."""
    side, look = (comparison.a, comparison.b)[run], comparison.looks[run]
    query, key = tokens
    if query is None or key is None:
        st.caption(_("{run}: the number is not there.").format(run=side.title))
    elif not isinstance(look.head, int):
        text = _("{run}: several heads are joined here. Choose one to see its calculation.")
        st.caption(text.format(run=side.title))
    elif not look.is_open(query, key):
        says = _("{run}: this cell is masked: its score becomes −∞, and its weight 0.")
        st.caption(says.format(run=side.title))
    elif ASKED_SIDE.get() == side.title and calculation_of(side.walk) is not None:
        draw_panel(side.walk)  # one step up after the other
    else:
        name = f"{scope_of(side.walk, look.kind, look.layer)}.weights"
        cell = Cell(name, (look.head, query, key))
        draw_calculation(side.walk, cell, side.title)
        further(f"further-{side.title}", _ask, side.title, cell)


def _ask(title: str, cell: Cell) -> None:
    ASKED_SIDE.set(title)
    ask(cell)


def _draw_bars(comparison: Comparison, pin: Pin) -> None:
    """Draw the row, or else the column, of both runs side by side."""
    at, labels, title = line_of(
        pin.query, pin.key, comparison.row_names, comparison.map.cols.labels
    )
    before, after = (weights[at] for weights in comparison.weights)
    draw_both_bars(("A", "B"), before, after, labels, title)
