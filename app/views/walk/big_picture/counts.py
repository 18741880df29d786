"""The parameters of the model, counted block by block from its own arrays."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from app.charts.theme import Role
from app.data.walk import Walk
from app.i18n import N_

# The kinds of parts: name, colour and pattern.
PARTS: Final[dict[str, tuple[str, Role, str]]] = {
    "embed": (N_("embeddings"), "input", ""),
    "self_attn": (N_("self-attention"), "output", ""),
    "cross_attn": (N_("encoder-decoder attention"), "output", "/"),
    "ffn": (N_("feed-forward"), "residual", ""),
    "norm": (N_("norms"), "residual", "x"),
    "generator": (N_("final linear"), "output", "."),
}
ORDER: Final = ("src_embed", "tgt_embed", "encoder", "decoder", "generator")


@dataclass
class Count:
    """The arrays of one part of one block, by their shapes."""

    block: str
    part: str
    shapes: Counter[tuple[int, ...]] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        return sum(times * math.prod(shape) for shape, times in self.shapes.items())

    @property
    def sum(self) -> str:
        """The count as it is added up: "4 × (256 × 256) + 4 × (256)"."""
        sizes = ((times, " × ".join(map(str, shape))) for shape, times in self.shapes.items())
        return " + ".join(f"{times} × ({size})" if times > 1 else size for times, size in sizes)


def counts(walk: Walk) -> list[Count]:
    """Count every array of the model once, by block and part, in the order of computing."""
    counted: dict[tuple[str, str], Count] = {}
    for name, array in walk.parameters.arrays.items():
        if name not in walk.parameters.tied:
            block, part = _place(name)
            counted.setdefault((block, part), Count(block, part)).shapes[array.shape] += 1
    return sorted(counted.values(), key=lambda count: _rank(count.block))


def totals(counted: Sequence[Count]) -> dict[str, int]:
    """Return how many parameters each kind of part has in the whole model."""
    return {part: sum(count.total for count in counted if count.part == part) for part in PARTS}


def _place(name: str) -> tuple[str, str]:
    """Return block and part: "encoder.0.ffn.W_1" lies in "encoder.0", "ffn"."""
    stack, *rest = name.split(".")
    if stack.endswith("_embed"):
        return stack, "embed"
    if stack == "generator":
        return stack, stack
    if rest[0] == "norm":
        return f"{stack}.norm", "norm"
    return f"{stack}.{rest[0]}", "norm" if "norm" in rest[1] else rest[1]


def _rank(block: str) -> tuple[int, float]:
    stack, _dot, layer = block.partition(".")
    return ORDER.index(stack), float(layer) if layer.isdecimal() else float("inf")
