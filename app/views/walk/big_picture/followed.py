"""The token that is followed through a stack of layers: the page's choice."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from app.components.board import Grid
from app.data.translation import Token
from app.data.walk import Walk
from app.i18n import N_
from app.inspect.arrays import grid
from app.inspect.picks import layer_of, word_of
from app.state import Param, one_of
from app.views.walk.big_picture.counts import Count, counts

Stack = Literal["encoder", "decoder"]
STACK: Final = Param[Stack]("half", "encoder", one_of("encoder", "decoder"))
STACK_NAMES: Final[dict[Stack, str]] = {"encoder": N_("Encoder"), "decoder": N_("Decoder")}
SUB_LAYERS: Final = {"encoder": ("self_attn", "ffn"), "decoder": ("self_attn", "cross_attn", "ffn")}


@dataclass(frozen=True, eq=False)
class Followed:
    """One token on its way through a stack, and the layer of it that is open."""

    walk: Walk
    stack: Stack

    @property
    def tokens(self) -> tuple[Token, ...]:
        """What the stack reads."""
        return self.walk.capture.src if self.stack == "encoder" else self.walk.capture.tgt

    @cached_property
    def word(self) -> int:
        return word_of(self.tokens)

    @cached_property
    def layer(self) -> int:
        return layer_of(self.n_layers)

    @property
    def n_layers(self) -> int:
        config = self.walk.config
        return config.n_encoder_layers if self.stack == "encoder" else config.n_decoder_layers

    @property
    def pre_norm(self) -> bool:
        return self.walk.config.norm == "pre"

    @property
    def stream(self) -> list[str]:
        """The arrays that the token is: as it goes in, and after each layer."""
        start = "src.sum" if self.stack == "encoder" else "tgt.sum"
        last = f"add_norm_{len(SUB_LAYERS[self.stack])}.{'add' if self.pre_norm else 'norm'}"
        return [start, *(f"{self.stack}.{i}.{last}" for i in range(self.n_layers))]

    @cached_property
    def counts(self) -> list[Count]:
        """The parameters of the whole model, by block and part."""
        return counts(self.walk)

    def strip(self, name: str, title: str) -> Grid:
        """Return the token's vector in an array."""
        return grid(self.walk, name, (self.word, None), title)
