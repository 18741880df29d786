"""One word on its way through a stack of layers: the choice of a page about a whole stack."""

from dataclasses import dataclass
from typing import Any, Self

from app.components.board import Grid
from app.data.translation import Token
from app.data.walk import SUB_LAYERS, Stack, Walk
from app.inspector.arrays import grid
from app.inspector.picks import layer_of, word_of


@dataclass(frozen=True, eq=False)
class InStack:
    """One word in a stack, and one layer of it; both count from 0."""

    walk: Walk
    stack: Stack
    layer: int
    word: int

    @classmethod
    def chosen(cls, walk: Walk, stack: Stack, first: int = 0) -> Self:
        """Return the layer and the word that are chosen; `first` is the word at first."""
        capture = walk.capture
        layer = layer_of(capture.n_layers(stack))
        return cls(walk, stack, layer, word_of(capture.queries(stack), first))

    @property
    def tokens(self) -> tuple[Token, ...]:
        """What the stack reads."""
        return self.walk.capture.queries(self.stack)

    @property
    def n_layers(self) -> int:
        return self.walk.capture.n_layers(self.stack)

    @property
    def parts(self) -> tuple[str, ...]:
        """The sub-layers of each layer."""
        return SUB_LAYERS[self.stack]

    @property
    def scope(self) -> str:
        return f"{self.stack}.{self.layer}"

    def strip(self, name: str, title: str, **options: Any) -> Grid:
        """Return the word's vector in an array (T, D)."""
        return grid(self.walk, name, (self.word, None), title, **options)
