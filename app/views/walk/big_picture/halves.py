"""The model from outside, a black box; then its halves, with what goes in and what comes out."""

import html
from typing import Final

import streamlit as st

from app.components.board import Op
from app.data.walk import Cell, Walk
from app.format import escape, grouped
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.ui.chosen import model_name
from app.ui.section import section
from app.views.walk.big_picture import texts
from app.views.walk.big_picture.layers import stream
from app.views.walk.big_picture.parameters import counts

BOX: Final = """<div data-testid="black-box" style="display:flex;flex-wrap:wrap;gap:0.6rem 0.9rem;
align-items:center;justify-content:center;text-align:center;overflow-wrap:anywhere;font-size:1.15rem">
<span style="flex:1 1 12rem;min-width:0">{source}</span>
<span style="display:flex;gap:0.9rem;align-items:center"><span aria-hidden="true">→</span>
<span style="background:#14161c;color:#fff;border:1px solid #8a8f9c;border-radius:0.6rem;
padding:0.9rem 1.2rem"><b>Transformer</b><br>
<span style="font-size:0.85rem">{name}<br>{count}</span>
</span><span aria-hidden="true">→</span></span>
<span style="flex:1 1 12rem;min-width:0">{output}</span></div>"""


def black_box(walk: Walk) -> None:
    """Draw the model from outside: the sentence, the box, the translation."""
    count = grouped(sum(count.total for count in counts(walk)))
    section(_(texts.BOX_TITLE), _(texts.BOX).format(count=count))
    st.html(
        BOX.format(
            source=html.escape(walk.translation.text),
            output=html.escape(walk.translation.output) or "∅",
            name=html.escape(model_name(walk.translation.model)),
            count=html.escape(_(texts.BOX_NOW).format(count=count)),
        )
    )


def halves(walk: Walk) -> None:
    """Draw what goes into the encoder and the decoder, and what comes out."""
    d = walk.config.d_model
    section(_(texts.HALVES_TITLE), _(texts.ENCODER).format(n=len(walk.capture.src), d=d))
    arrays(
        walk,
        [
            grid(walk, "src.sum", (None, None), _("source, as it goes in")),
            Op("→"),
            grid(walk, "memory", (None, None), _("memory")),
        ],
        key="encoder",
    )
    chosen = first_written(walk)
    st.markdown(
        _(texts.DECODER).format(
            last=escape(f"“{walk.capture.tgt[0].text}”"),
            chosen=escape(f"“{walk.token(chosen.index[1]).text}”"),
            p=f"{walk.numbers.at(Cell('probabilities', chosen.index)):.3f}",
        )
    )
    last = "decoder.norm" if walk.config.norm == "pre" else stream(walk.config, "decoder")[-1]
    arrays(
        walk,
        [
            grid(walk, "tgt.sum", (None, None), _("target so far, as it goes in")),
            Op("→"),
            grid(walk, last, (None, None), _("the decoder's output")),
        ],
        key="decoder",
    )


def first_written(walk: Walk) -> Cell:
    """Return the logit of the first token that was written, or of the end if none was."""
    tgt = walk.capture.tgt
    return Cell("logits", (0, tgt[1].id if len(tgt) > 1 else walk.config.eos_id))
