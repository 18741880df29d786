"""Two runs to be compared, each with its own look, and their maps with the words matched."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from app import state
from app.charts.arrange import Axis
from app.charts.theme import Floats
from app.components.grid import Weights
from app.data.translation import Kind, Translation
from app.data.walk import ATTENTIONS, Walk
from app.format import escape
from app.i18n import _
from app.inspector.attention import Look, chosen_look, kinds
from app.inspector.both import RunText
from app.inspector.naming import query_names
from app.state import Pin
from app.ui.chosen import pair
from app.views.translate.pins import describe

Place = tuple[int | None, int | None]  # a label of A and one of B; None where a run has none


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
    def differs(self) -> bool:
        """Whether one of the runs has a word that the other one has not."""
        return any(None in place for place in self.places)

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
        if ATTENTIONS[kind].queries == "src":
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
