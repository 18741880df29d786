"""The recurrent encoder and decoder as the code that made the numbers of the page."""

import streamlit as st

from app.data.walk import code
from app.format import grouped
from app.i18n import _
from app.views.history.seq2seq import texts
from app.views.history.seq2seq.unrolled import Moment


def encoder_text(moment: Moment) -> str:
    """Say what the encoder gets and what it returns."""
    config = moment.walk.config
    return _(texts.ENCODER).format(d_model=config.d_model, d_hidden=config.d_hidden)


def draw_encoder(_moment: Moment) -> None:
    """Draw the whole encoder."""
    st.code(code("model.nn.rnn:RnnEncoder"), "python", wrap_lines=True)


def loop_text(moment: Moment) -> str:
    """Say how often the loop turned."""
    return _(texts.LOOP).format(n=len(moment.walk.capture.src))


def draw_loop(_moment: Moment) -> None:
    """Draw the way of a cell through a sentence."""
    st.code(code("model.nn.cell:Cell.forward"), "python")


def decoder_text(moment: Moment) -> str:
    """Say what one step of the decoder does, and how many there were."""
    walk = moment.walk
    sizes = {"vocab": grouped(walk.config.n_tgt_vocab), "steps": len(walk.translation.steps)}
    return _(texts.DECODER).format(**sizes)


def draw_decoder(_moment: Moment) -> None:
    """Draw one step of the decoder."""
    st.code(code("model.nn.rnn:Rnn.decode_step"), "python", wrap_lines=True)
