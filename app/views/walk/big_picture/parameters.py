"""What training can change, as bars and as a table, and what is tied."""

from collections.abc import Sequence

import streamlit as st

from app.charts.blocks import Part, block_bars
from app.charts.theme import Figure
from app.data.translation import model_info
from app.data.walk import Walk
from app.format import escape, grouped
from app.i18n import _
from app.inspector.naming import scope_names
from app.ui.chart import show_chart
from app.ui.table import Columns
from app.views.walk.big_picture import texts
from app.views.walk.big_picture.counts import PARTS, Count
from app.views.walk.big_picture.followed import Followed


def count_text(token: Followed) -> str:
    """Say how large the attention and the feed-forward network of a layer are, and the model."""
    walk = token.walk
    sizes = {(count.block, count.part): count.total for count in token.counts}
    text = _(texts.COUNT).format(
        d=walk.config.d_model,
        d_ff=walk.config.d_ff,
        attention=grouped(sizes["encoder.0", "self_attn"]),
        ffn=grouped(sizes["encoder.0", "ffn"]),
    )
    own = model_info(walk.translation.model).parameters
    total = _(texts.COUNT_TOTAL).format(total=grouped(sum(sizes.values())), own=grouped(own))
    return f"{text}\n\n{total}"


def draw_counts(token: Followed) -> None:
    """Draw what is tied, the bars and the table."""
    _draw_tied(token.walk)
    alt = _("Parameters by block; the table below has the same numbers")
    show_chart(_chart(token.counts), "parameters", alt, lambda: columns(token.counts))


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


def _chart(counted: Sequence[Count]) -> Figure:
    blocks = list(dict.fromkeys(count.block for count in counted))
    parts = []
    for key, (name, role, pattern) in PARTS.items():
        here = {count.block: count.total for count in counted if count.part == key}
        if here:
            parts.append(Part(_(name), role, pattern, [here.get(block, 0) for block in blocks]))
    return block_bars([_block_name(block) for block in blocks], parts, value_title=_("parameters"))


def _draw_tied(walk: Walk) -> None:
    tied = walk.parameters.tied
    if not tied:
        return
    text = texts.TIED if "tgt_embed" in tied else texts.TIED_OUT
    names = [_(texts.TIED_NAMES[name]) for name in tied]
    size = walk.parameters["tgt_embed"].size
    st.caption(_(text).format(names=escape(", ".join(names)), n=grouped(size)))


def _block_name(block: str) -> str:
    if block == "src_embed":
        return _("embedding table")
    if block == "tgt_embed":
        return _("embedding table, target")
    name = scope_names(block.split("."))[0]
    return _("{side}, last norm").format(side=name) if block.endswith(".norm") else name
