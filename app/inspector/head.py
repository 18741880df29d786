"""One word in one head of one attention: its words, its numbers, and its strips of cells."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from app.components.board import Grid
from app.data.attention import open_cells, scope_of
from app.data.translation import Kind
from app.data.walk import Walk
from app.format import escape, quoted, visible
from app.i18n import _
from app.inspector.arrays import grid
from app.texts import steps as texts


@dataclass(frozen=True, eq=False)
class Head:
    """One query word in one head of one attention, and how its arrays are called."""

    walk: Walk
    kind: Kind
    layer: int
    head: int
    query: int

    @property
    def scope(self) -> str:
        return scope_of(self.walk, self.kind, self.layer)

    @property
    def place(self) -> tuple[str, str]:
        """What the layer and the head are called."""
        layer, head = self.layer + 1, self.head + 1
        return _("layer {n}").format(n=layer), _("head {n}").format(n=head)

    @property
    def key(self) -> str:
        """What the names of its pictures begin with."""
        return f"{self.kind}-attention"

    @property
    def masked(self) -> bool:
        """Whether some words are hidden in this kind of attention."""
        return self.kind == "decoder"

    @cached_property
    def words(self) -> list[str]:
        """The words that are looked at, for Markdown."""
        return [escape(visible(token.text)) for token in self.walk.capture.keys(self.kind)]

    @property
    def word(self) -> str:
        """The word that looks, for Markdown."""
        return escape(visible(self.walk.capture.queries(self.kind)[self.query].text))

    @property
    def d_k(self) -> int:
        return self.walk.config.d_k

    @cached_property
    def mask(self) -> np.ndarray:
        """Which words may be looked at, (S,)."""
        return open_cells(self.walk.capture, self.kind, self.layer)[self.query]

    @cached_property
    def weights(self) -> np.ndarray:
        return self.row("weights")

    @property
    def most(self) -> int:
        """The word that gets the largest weight."""
        return int(self.weights.argmax())

    @property
    def least(self) -> int | None:
        """The word that gets the smallest weight of those it may look at; None if it is alone."""
        lowest = int(np.where(self.mask, self.row("scores"), np.inf).argmin())
        return None if lowest == self.most else lowest

    def row(self, stage: str) -> np.ndarray:
        """Return one number a key: scores, scaled, masked or weights, (S,)."""
        return np.asarray(self.walk.array(f"{self.scope}.{stage}")[self.head, self.query])

    def column(self, stage: str, title: str, **options: Any) -> Grid:
        """Return the query's row of a stage upright, one word a row; the mask hatches its part."""
        hatched = self.masked and stage in ("masked", "weights")
        mask = self.mask[:, None] if hatched else None
        name, at, cols = f"{self.scope}.{stage}", (self.head, None, None), (self.query,)
        look = {"transposed": True, "cols": cols, "col_labels": (), "mask": mask}
        return grid(self.walk, name, at, title, **look, **options)

    def title(self, vector: str) -> str:
        """Return what a vector of the word that looks is called."""
        return f"{vector} · {quoted(self.walk.capture.queries(self.kind)[self.query].text)}"

    def reader(self, vector: str) -> tuple[str, int]:
        """Return the array that q, k or v is made of, and the word that it is shown for."""
        other = self.kind == "cross" and vector != "q"
        place = self.most if other else self.query
        return self.walk.inputs(f"{self.scope}.{vector}")[0], place


def read_from(walk: Walk, name: str) -> str:
    """Say what the vectors are that an attention reads, by the array's name."""
    kinds = {"src.sum": "sum", "tgt.sum": "sum"}
    return _(texts.X[kinds.get(name, walk.config.norm)])
