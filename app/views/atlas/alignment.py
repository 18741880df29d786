"""How well the encoder-decoder heads align words, as a table."""

from collections.abc import Sequence
from typing import Final

from app.format import number
from app.i18n import _
from app.ui.section import section
from app.ui.table import fold, table
from app.views.atlas import texts
from app.views.atlas.choice import sample_name
from app.views.atlas.data import Alignment, Atlas, Variant

USUAL: Final = ("weights", "writes", "target")


def draw_alignment(atlas: Atlas) -> None:
    """Draw the lowest error rates on each set of true links, what they mean, and all rates."""
    best = [_best(one) for one in atlas.alignments]
    section(_(texts.ALIGNMENT), "\n\n".join([_(texts.ALIGNMENT_SAYS), "\n".join(best)]))
    title = _("All error rates")
    fold(title, "atlas-errors", ":material/table:", lambda: _draw_table(atlas))


def _draw_table(atlas: Atlas) -> None:
    rows = [_row(one, variant) for one in atlas.alignments for variant in one.variants]
    columns: dict[str, Sequence[str | float]] = {
        title: [row[title] for row in rows] for title in rows[0]
    }
    table(columns, "atlas-alignment")


def _best(alignment: Alignment) -> str:
    """Say the lowest error rates on a set of true links, and that of the picture shown first."""
    every = alignment.variants
    usual = next(one for one in every if (one.by, one.row, one.way) == USUAL)
    return _(texts.ALIGNMENT_BEST).format(
        sentences=_sentences(alignment),
        head=number(min(one.best_aer for one in every), 1),
        layer=number(min(min(one.layers) for one in every), 1),
        mean=number(min(one.combination_aer for one in every), 1),
        usual=number(min(usual.layers), 1),
    )


def _sentences(alignment: Alignment) -> str:
    words = f" (≤ {alignment.most_words})" if alignment.most_words else ""
    return f"{sample_name(alignment.gold)}: {alignment.pairs}{words}"


def _row(alignment: Alignment, variant: Variant) -> dict[str, str | float]:
    layer = min(range(len(variant.layers)), key=variant.layers.__getitem__)
    return {
        _("sentences (words)"): _sentences(alignment),
        _("by"): _(texts.BY[variant.by]),
        _("row"): _(texts.ROWS[variant.row]),
        _("links"): _(texts.WAYS[variant.way]),
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
