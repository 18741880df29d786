"""How well the encoder-decoder heads align words, as a table."""

from collections.abc import Iterator, Sequence

import streamlit as st

from app.format import escape, number
from app.i18n import _
from app.ui.section import section
from app.ui.table import figure_menu, table
from app.views.atlas import texts
from app.views.atlas.data import Alignment, Atlas, Variant


def draw_alignment(atlas: Atlas) -> None:
    """Draw the error rates on each set of true links, and what they mean."""
    section(_(texts.ALIGNMENT), _(texts.ALIGNMENT_SAYS))
    rows = list(_rows(atlas))
    titles = list(rows[0])
    lines = [" | ".join(titles), " | ".join(["---"] * len(titles))]
    lines += [" | ".join(map(_written, row.values())) for row in rows]
    st.markdown("\n".join(f"| {line} |" for line in lines))
    columns: dict[str, Sequence[str | float]] = {
        title: [row[title] for row in rows] for title in titles
    }
    figure_menu("atlas-alignment", lambda: table(columns, "atlas-alignment"), picture=False)


def _written(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else number(value, 3)


def _rows(atlas: Atlas) -> Iterator[dict[str, str | float]]:
    for alignment in atlas.alignments:
        for variant in alignment.variants:
            yield _row(alignment, variant)


def _row(alignment: Alignment, variant: Variant) -> dict[str, str | float]:
    layer = min(range(len(variant.layers)), key=variant.layers.__getitem__)
    sentences = str(alignment.pairs)
    if alignment.most_words:
        sentences += f" (≤ {alignment.most_words})"
    return {
        _("sentences"): f"{alignment.gold}: {sentences}",
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
    return f"{head[0] + 1}.{head[1] + 1}"
