"""The token that is followed through a stack of layers: the page's choice."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from app.components.board import Grid
from app.data.translation import Token
from app.data.walk import Stack, Walk
from app.i18n import N_
from app.inspect.arrays import grid
from app.inspect.naming import SUB_LAYERS
from app.inspect.picks import layer_of, word_of
from app.state import Param, one_of
from app.views.walk.big_picture.counts import Count, counts

STACK: Final = Param[Stack]("half", "encoder", one_of("encoder", "decoder"))
STACK_NAMES: Final[dict[Stack, str]] = {"encoder": N_("Encoder"), "decoder": N_("Decoder")}


@dataclass(frozen=True, eq=False)
class Followed:
    """One token on its way through a stack, and the layer of it that is open."""

    walk: Walk
    stack: Stack

    @property
    def tokens(self) -> tuple[Token, ...]:
        """What the stack reads."""
        return self.walk.capture.queries(self.stack)

    @cached_property
    def word(self) -> int:
        return word_of(self.tokens)

    @cached_property
    def layer(self) -> int:
        return layer_of(self.n_layers)

    @property
    def n_layers(self) -> int:
        return self.walk.capture.n_layers(self.stack)

    @property
    def sub_layers(self) -> tuple[str, ...]:
        return SUB_LAYERS[self.stack]

    @property
    def pre_norm(self) -> bool:
        return self.walk.config.norm == "pre"

    @property
    def stream(self) -> tuple[str, ...]:
        """The arrays that the token is: as it goes in, and after each layer."""
        return self.walk.stream(self.stack)[:: len(self.sub_layers)]

    @cached_property
    def counts(self) -> list[Count]:
        """The parameters of the whole model, by block and part."""
        return counts(self.walk)

    def strip(self, name: str, title: str) -> Grid:
        """Return the token's vector in an array."""
        return grid(self.walk, name, (self.word, None), title)
