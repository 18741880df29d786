"""The two halves of the model, with what goes in and what comes out."""

import streamlit as st

from app.components.board import Op
from app.data.walk import Cell, Walk
from app.format import escape, probability, quoted
from app.i18n import _
from app.inspector.arrays import arrays, grid
from app.page.quiz import Task
from app.views.walk.big_picture import texts
from app.views.walk.big_picture.followed import Followed

HEIGHT = 130  # of the cells of a half's input or output, in pixels


def encoder_text(token: Followed) -> str:
    """Say what the encoder reads."""
    walk = token.walk
    return _(texts.ENCODER).format(n=len(walk.capture.src), d=walk.config.d_model)


def guess_rows(token: Followed) -> Task:
    """Ask how many vectors the encoder leaves."""
    n = len(token.walk.capture.src)
    options = sorted({1, n, 2 * n, token.walk.config.d_model})
    return Task.of(
        texts.ENCODER_GUESS,
        list(map(str, options)),
        [options.index(n)],
        texts.ENCODER_RIGHT,
        texts.ENCODER_WRONG,
        n=n,
    )


def draw_encoder(token: Followed) -> None:
    """Draw what goes into the encoder, and the memory that it leaves."""
    walk = token.walk
    st.markdown(_(texts.MEMORY).format(n=len(walk.capture.src)))
    _draw_half(walk, "encoder", "src.sum", _("source, as it goes in"), "memory", _("memory"))


def decoder_text(token: Followed) -> str:
    """Say what the decoder reads, and which token it found most probable at first."""
    walk = token.walk
    first = first_written(walk)
    return _(texts.DECODER).format(
        last=escape(quoted(walk.capture.tgt[0].text)),
        chosen=escape(quoted(walk.token(first.index[1]).text)),
        p=probability(walk.numbers.at(Cell("probabilities", first.index))),
    )


def draw_decoder(token: Followed) -> None:
    """Draw what goes into the decoder, and the vectors that predict the next token."""
    walk = token.walk
    last = "decoder.norm" if token.pre_norm else walk.stream("decoder")[-1]
    went_in, came_out = _("target so far, as it goes in"), _("the decoder's output")
    _draw_half(walk, "decoder", "tgt.sum", went_in, last, came_out)


def first_written(walk: Walk) -> Cell:
    """Return the logit of the first token that was written, or of the end if none was."""
    tgt = walk.capture.tgt
    return Cell("logits", (0, tgt[1].id if len(tgt) > 1 else walk.config.eos_id))


def _draw_half(walk: Walk, key: str, x: str, went_in: str, y: str, came_out: str) -> None:
    before = grid(walk, x, (None, None), went_in, height=HEIGHT)
    after = grid(walk, y, (None, None), came_out, height=HEIGHT)
    arrays(walk, [before, Op("→"), after], key=key)
