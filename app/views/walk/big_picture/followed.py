"""The token that is followed through a stack of layers: the page's choice."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from app.data.walk import Stack
from app.i18n import N_
from app.inspector.in_stack import InStack
from app.state import Param, one_of, whole
from app.views.walk.big_picture.counts import Count, counts

STACK: Final = Param[Stack]("half", "encoder", one_of("encoder", "decoder"))
STACK_NAMES: Final[dict[Stack, str]] = {"encoder": N_("Encoder"), "decoder": N_("Decoder")}
SUB_LAYER: Final = Param[int]("sub", 1, whole(1, 3))


@dataclass(frozen=True, eq=False)
class Followed(InStack):
    """One token on its way through a stack, and the layer of it that is open."""

    @property
    def pre_norm(self) -> bool:
        return self.walk.config.norm == "pre"

    @property
    def text(self) -> str:
        return self.tokens[self.word].text

    @property
    def place(self) -> int:
        """The sub-layer that is open, counted from 1."""
        return min(SUB_LAYER.get(), len(self.parts))

    @property
    def n_parameters(self) -> int:
        return sum(count.total for count in self.counts)

    @property
    def stream(self) -> tuple[str, ...]:
        """The arrays that the token is: as it goes in, and after each layer."""
        return self.walk.stream(self.stack)[:: len(self.parts)]

    @cached_property
    def counts(self) -> list[Count]:
        """The parameters of the whole model, by block and part."""
        return counts(self.walk)
