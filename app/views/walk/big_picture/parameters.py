"""What training can change, counted block by block from the model's own arrays."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import streamlit as st

from app.charts.blocks import Part, block_bars
from app.charts.theme import Role
from app.charts.toolbar import plot_config
from app.data.translation import model_info
from app.data.walk import Walk
from app.format import escape, grouped
from app.i18n import N_, _
from app.ui.chart import theme_mode
from app.ui.table import Columns, table, table_fold
from app.views.walk.big_picture import texts

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
        return sum(times * _size(shape) for shape, times in self.shapes.items())

    @property
    def sum(self) -> str:
        """The count as it is added up: "4 × (256 × 256) + 4 × (256)"."""
        sizes = ((times, " × ".join(map(str, shape))) for shape, times in self.shapes.items())
        return " + ".join(f"{times} × ({size})" if times > 1 else size for times, size in sizes)


def counts(walk: Walk) -> list[Count]:
    """Count every array of the model once, by block and part, in the order of computing."""
    found: dict[tuple[str, str], Count] = {}
    for name, array in walk.parameters.arrays.items():
        if name not in walk.parameters.tied:
            block, part = _place(name)
            found.setdefault((block, part), Count(block, part)).shapes[array.shape] += 1
    return sorted(found.values(), key=lambda count: _rank(count.block))


def totals(counted: Sequence[Count]) -> dict[str, int]:
    """Return how many parameters each kind of part has in the whole model."""
    found: dict[str, int] = dict.fromkeys(PARTS, 0)
    for count in counted:
        found[count.part] += count.total
    return found


def parameters(walk: Walk) -> None:
    """Draw the count: the sum, the bars, the table, and what is tied."""
    counted = counts(walk)
    config = walk.config
    by_name = {(count.block, count.part): count.total for count in counted}
    st.markdown(
        _(texts.COUNT).format(
            d=config.d_model, d_ff=config.d_ff,
            attention=grouped(by_name["encoder.0", "self_attn"]),
            ffn=grouped(by_name["encoder.0", "ffn"]),
        )
    )  # fmt: skip
    own = model_info(walk.translation.model).parameters
    total = sum(by_name.values())
    st.markdown(_(texts.COUNT_TOTAL).format(total=grouped(total), own=grouped(own)))
    _tied(walk)
    st.plotly_chart(
        _chart(counted),
        theme=None,
        config=plot_config("parameters"),
        key="parameters",
        alt=_("Parameters by block; the table below has the same numbers"),
    )
    table_fold("parameters", lambda: table(columns(counted), "parameters"))


def columns(counted: Sequence[Count]) -> Columns:
    """Return the count as columns of a table, its sum in the last row."""
    total = sum(count.total for count in counted)
    shares = [100 * count.total / total for count in counted]
    return {
        _("block"): [*(_block_name(count.block) for count in counted), _("all")],
        _("part"): [*(_(PARTS[count.part][0]) for count in counted), ""],
        _("shapes"): [*(count.sum for count in counted), ""],
        _("parameters"): [*(count.total for count in counted), total],
        "%": [*shares, 100.0],
    }


def _chart(counted: Sequence[Count]) -> dict[str, object]:
    blocks = list(dict.fromkeys(count.block for count in counted))
    parts = []
    for key, (name, role, pattern) in PARTS.items():
        here = {count.block: count.total for count in counted if count.part == key}
        if here:
            parts.append(Part(_(name), role, pattern, [here.get(block, 0) for block in blocks]))
    return block_bars(
        [_block_name(block) for block in blocks],
        parts,
        value_title=_("parameters"),
        mode=theme_mode(),
    )


def _tied(walk: Walk) -> None:
    tied = walk.parameters.tied
    if not tied:
        return
    text = texts.TIED if "tgt_embed" in tied else texts.TIED_OUT
    names = [_(texts.TIED_NAMES[name]) for name in tied]
    size = walk.parameters["tgt_embed"].size
    st.caption(_(text).format(names=escape(", ".join(names)), n=grouped(size)))


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


def _block_name(block: str) -> str:
    stack, _dot, layer = block.partition(".")
    if stack == "src_embed":
        return _("embedding table")
    if stack == "tgt_embed":
        return _("embedding table, target")
    if stack == "generator":
        return _("final linear")
    side = _("encoder") if stack == "encoder" else _("decoder")
    if layer.isdecimal():
        return _("{side} layer {n}").format(side=side, n=int(layer) + 1)
    return _("{side}, last norm").format(side=side)


def _size(shape: tuple[int, ...]) -> int:
    size = 1
    for length in shape:
        size *= length
    return size
