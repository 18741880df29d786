"""2014: a recurrent network reads the sentence, another one writes the translation."""

import numpy as np
import streamlit as st

from app import state
from app.data.walk import Cell, Walk
from app.format import number, percent
from app.i18n import _
from app.inspect.decoding_ways import draw_ways, ways_text
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task
from app.texts import decoding_ways
from app.ui import player
from app.ui.live_part import FAILED, live_part
from app.ui.section import section
from app.views.history.seq2seq import texts
from app.views.history.seq2seq.bridge import bridge, fade
from app.views.history.seq2seq.cells import cells
from app.views.history.seq2seq.gru import UNIT, gru, unit_of
from app.views.history.seq2seq.long import measured, tried
from app.views.history.seq2seq.unrolled import unrolled

OPTIONS = 8
HIDDEN, UPDATE = "encoder.0.forward.hidden", "encoder.0.forward.update"


def body(walk: Walk) -> None:
    """Draw both networks, one step of them, the bridge, and where it fails."""
    live_part(
        lambda: _steps(walk),
        failed=_(FAILED),
        shared=lambda: (state.ASKED.get(), UNIT.get()),
        run_every=player.run_every(),
    )
    st.header(_(texts.CELLS_TITLE), anchor=False)
    cells(walk)
    st.header(_(texts.BRIDGE_TITLE), anchor=False)
    bridge(walk)
    st.header(_(texts.FADE_TITLE), anchor=False)
    fade(walk)
    section(_(decoding_ways.TITLE), ways_text(walk))
    draw_ways(walk)
    st.header(_(texts.FAIL_TITLE), anchor=False)
    measured(walk)
    st.header(_(texts.TRY_TITLE), anchor=False)
    tried(walk)
    st.markdown(_(texts.NEXT))


def _steps(walk: Walk) -> None:
    unrolled(walk)
    st.header(_(texts.GRU_TITLE), anchor=False)
    gru(walk)


def scopes(walk: Walk) -> tuple[str, ...]:
    """Return all that the model makes of a sentence: every step of it is on the page."""
    return ()


def start(walk: Walk) -> Cell:
    """Return the chosen unit after the last word."""
    return Cell(HIDDEN, (len(walk.capture.src) - 1, unit_of(walk)))


def task(walk: Walk) -> Task:
    """Ask where a unit of the encoder is overwritten most."""
    unit = unit_of(walk)
    gate = np.asarray(walk.array(UPDATE)[:, unit])
    shown = np.sort(gate.argsort(kind="stable")[:OPTIONS])
    tokens, least = walk.capture.src, float(gate.min())
    options = [_("{n}: {word}").format(n=i + 1, word=tokens[i].text) for i in shown]
    answers = frozenset(at for at, i in enumerate(shown) if gate[i] == least)
    return Task(
        _(texts.ASK).format(unit=unit + 1),
        options,
        answers,
        _(texts.RIGHT).format(
            word=tokens[int(gate.argmin())].text, z=number(least, 3), take=percent(1 - least)
        ),
        _(texts.WRONG).format(unit=unit + 1),
    )


CODE = (
    Code(
        texts.CODE_STEP,
        r"\begin{aligned} r &= \sigma(W_r x + U_r h) \qquad z = \sigma(W_z x + U_z h) \\"
        r" n &= \tanh(W_n x + r \circ U_n h) \qquad h' = (1 - z) \circ n + z \circ h \end{aligned}",
        "model.nn.gru",
        "GRU.step",
    ),
    Code(texts.CODE_PLAIN, r"h' = \tanh(W x + U h)", "model.nn.elman", "Elman.step"),
    Code(texts.CODE_ENCODE, r"m = h_S", "model.nn.rnn", "RnnEncoder.forward"),
    Code(
        texts.CODE_DECODE,
        r"s_0 = m \qquad s_t = \mathrm{GRU}(y_{t-1}, s_{t-1}) \qquad"
        r" \mathrm{logits}_t = E \tanh(W s_t + b) + b_E",
        "model.nn.rnn",
        "Rnn.decode_step",
    ),
)

draw_page(
    WalkPage(
        slug="seq2seq",
        intro=texts.INTRO,
        select=lambda walk: walk,
        sections=(Section("", body),),
        scopes=scopes,
        start=start,
        task=task,
        code=CODE,
        model="rnn/es-en",
    )
)
