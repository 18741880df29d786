"""Two runs to be compared, each with its own look, and their maps with the words matched."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from app import state
from app.charts.theme import Floats
from app.components.grid import Weights
from app.data.translation import Kind, Translation
from app.data.walk import Walk
from app.format import escape
from app.i18n import _
from app.inspector.attention import Look, chosen_look, kinds
from app.inspector.both import Line
from app.inspector.naming import query_names
from app.state import Pin
from app.ui.chosen import pair
from app.views.translate.align import AlignedLabels, spread
from app.views.translate.strip import describe


@dataclass(frozen=True)
class Side:
    """One of the two runs: its walk, and the settings of its own that say where to look."""

    title: str
    walk: Walk
    settings: state.Settings | None  # None: those of the page

    @property
    def translation(self) -> Translation:
        return self.walk.translation

    def line(self, name: str, text: str, language: int) -> Line:
        """Return a text of this run, in the first or the second language of its model."""
        title = _(name).format(run=self.title)
        return Line(title, text, pair(self.translation.model)[language])

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
    rows: AlignedLabels
    cols: AlignedLabels

    @classmethod
    def of(cls, a: Side, b: Side, looks: tuple[Look, Look]) -> Self:
        """Align the looks of two runs."""
        one, other = looks
        rows, cols = (
            AlignedLabels.of(one.queries, other.queries),
            AlignedLabels.of(one.keys, other.keys),
        )
        return cls(a, b, looks, rows, cols)

    @cached_property
    def weights(self) -> tuple[Floats, Floats]:
        """The weights of A and of B, (T, S) each."""
        return self._spread(0), self._spread(1)

    def _spread(self, run: int) -> Floats:
        look = self.looks[run]
        mask, weights = look.mask, look.weights
        seen = weights if mask is None else np.where(mask, weights, np.nan)
        return spread(seen, *([at[run] for at in side.places] for side in (self.rows, self.cols)))

    def about(self, run: int) -> str:
        """Return what tells one run from the other, in Markdown."""
        side = (self.a, self.b)[run]
        says = " · ".join(describe(side.walk, self.looks[run]))
        return f":small[**{side.title}** · {escape(says)}]"

    @cached_property
    def row_names(self) -> list[str]:
        """What the rows are called: where the runs write other tokens next, by both of them."""
        kind = self.looks[0].kind
        names = [query_names(kind, axis.labels) for axis in (self.rows.a, self.rows.b)]
        if kind == "encoder":
            return list(self.rows.labels)
        both = []
        for i, j in self.rows.places:
            own = [names[run][at] for run, at in ((0, i), (1, j)) if at is not None]
            both.append(" / ".join(dict.fromkeys(own)))
        return both

    @property
    def more(self) -> Floats:
        """By how much each weight is more in B than in A, (T, S)."""
        before, after = self.weights
        return after - before

    @property
    def map(self) -> Map:
        """The rows and the columns alone."""
        return Map(self.rows, self.cols)

    @property
    def cell(self) -> tuple[int, int] | None:
        """The row and the column that are pinned, where both are."""
        pin = self.map.pin or Pin(None, None)
        return None if pin.query is None or pin.key is None else (pin.query, pin.key)

    def labelled(self, values: Floats, **more: Any) -> Weights:
        """Return numbers (T, S) with what their rows and columns are called."""
        return Weights(values, self.row_names, self.cols.labels)._replace(**more)
