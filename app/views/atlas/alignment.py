"""How well the encoder-decoder heads align words, as a table."""

from collections.abc import Sequence

from app.i18n import _
from app.ui.section import section
from app.ui.table import table
from app.views.atlas import texts
from app.views.atlas.choice import sample_name
from app.views.atlas.data import Alignment, Atlas, Variant


def draw_alignment(atlas: Atlas) -> None:
    """Draw the error rates on each set of true links, and what they mean."""
    section(_(texts.ALIGNMENT), _(texts.ALIGNMENT_SAYS))
    rows = [_row(one, variant) for one in atlas.alignments for variant in one.variants]
    columns: dict[str, Sequence[str | float]] = {
        title: [row[title] for row in rows] for title in rows[0]
    }
    table(columns, "atlas-alignment")


def _row(alignment: Alignment, variant: Variant) -> dict[str, str | float]:
    layer = min(range(len(variant.layers)), key=variant.layers.__getitem__)
    sentences = f"{sample_name(alignment.gold)}: {alignment.pairs}"
    if alignment.most_words:
        sentences += f" (≤ {alignment.most_words})"
    return {
        _("sentences (words)"): sentences,
        _("by"): _(texts.BY[variant.by]),
        _("row"): _(texts.ROWS[variant.row]),
        _("best head"): _place(variant.best),
        _("its error in percent"): variant.best_aer,
        _("best layer's mean"): _("layer {n}").format(n=layer + 1),
        _("the layer's error in percent"): variant.layers[layer],
        _("best mean of heads"): ", ".join(map(_place, variant.combination)),
        _("the mean's error in percent"): variant.combination_aer,
    }


def _place(head: tuple[int, int]) -> str:
    """Write layer and head, counted from 1."""
    return f"{head[0] + 1}.{head[1] + 1}"
