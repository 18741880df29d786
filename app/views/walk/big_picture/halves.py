"""The model from outside, a black box; then its halves, with what goes in and what comes out."""

import html
from typing import Final

import streamlit as st

from app.components.board import Op
from app.data.walk import Cell, Walk
from app.format import escape, grouped, probability
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.ui.chosen import model_name
from app.views.walk.big_picture import texts
from app.views.walk.big_picture.followed import Followed

BOX: Final = """<div data-testid="black-box" style="display:flex;flex-wrap:wrap;gap:0.6rem 0.9rem;
align-items:center;justify-content:center;text-align:center;overflow-wrap:anywhere;font-size:1.15rem">
<span style="flex:1 1 12rem;min-width:0">{source}</span>
<span style="display:flex;gap:0.9rem;align-items:center"><span aria-hidden="true">→</span>
<span style="background:#14161c;color:#fff;border:1px solid #8a8f9c;border-radius:0.6rem;
padding:0.9rem 1.2rem"><b>Transformer</b><br>
<span style="font-size:0.85rem">{name}<br>{count}</span>
</span><span aria-hidden="true">→</span></span>
<span style="flex:1 1 12rem;min-width:0">{output}</span></div>"""


def box_text(token: Followed) -> str:
    """Say how many numbers are inside."""
    return _(texts.BOX).format(count=_count(token))


def draw_box(token: Followed) -> None:
    """Draw the model from outside: the sentence, the box, the translation."""
    translation = token.walk.translation
    box = {
        "source": translation.text,
        "output": translation.output or "∅",
        "name": model_name(translation.model),
        "count": _(texts.BOX_NOW).format(count=_count(token)),
    }
    st.html(BOX.format(**{name: html.escape(text) for name, text in box.items()}))


def halves_text(token: Followed) -> str:
    """Say what the encoder reads and leaves."""
    walk = token.walk
    return _(texts.ENCODER).format(n=len(walk.capture.src), d=walk.config.d_model)


def draw_halves(token: Followed) -> None:
    """Draw what goes into the encoder and the decoder, and what comes out."""
    walk = token.walk
    _draw_half(walk, "encoder", "src.sum", _("source, as it goes in"), "memory", _("memory"))
    first = first_written(walk)
    st.markdown(
        _(texts.DECODER).format(
            last=escape(f"“{walk.capture.tgt[0].text}”"),
            chosen=escape(f"“{walk.token(first.index[1]).text}”"),
            p=probability(walk.numbers.at(Cell("probabilities", first.index))),
        )
    )
    last = "decoder.norm" if token.pre_norm else walk.stream("decoder")[-1]
    went_in, came_out = _("target so far, as it goes in"), _("the decoder's output")
    _draw_half(walk, "decoder", "tgt.sum", went_in, last, came_out)


def first_written(walk: Walk) -> Cell:
    """Return the logit of the first token that was written, or of the end if none was."""
    tgt = walk.capture.tgt
    return Cell("logits", (0, tgt[1].id if len(tgt) > 1 else walk.config.eos_id))


def _draw_half(walk: Walk, key: str, x: str, went_in: str, y: str, came_out: str) -> None:
    every = (None, None)
    arrays(walk, [grid(walk, x, every, went_in), Op("→"), grid(walk, y, every, came_out)], key=key)


def _count(token: Followed) -> str:
    return grouped(sum(count.total for count in token.counts))
