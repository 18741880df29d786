"""2014: a recurrent network reads the sentence, another one writes the translation."""

import numpy as np
import streamlit as st

from app.format import number, percent
from app.i18n import _
from app.page.declare import Code, Drawer, Myth, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task, largest
from app.ui import player
from app.views.history.seq2seq import bridge, long, texts, unrolled
from app.views.history.seq2seq.batch import (
    batch_text,
    block_text,
    draw_batch,
    draw_block,
    draw_target,
    target_text,
)
from app.views.history.seq2seq.cells import (
    draw_forget,
    first_word,
    forget_text,
    guess_forget,
    shares_left,
)
from app.views.history.seq2seq.data import remembered
from app.views.history.seq2seq.gru import (
    draw_gru,
    draw_unit,
    gru_text,
    pick_unit,
    unit_text,
)
from app.views.history.seq2seq.padding import draw_padding, padding_text
from app.views.history.seq2seq.unrolled import Moment, moment, pick_step


def pick_step_and_unit(moment: Moment) -> None:
    """Draw the choice of a step and of a number of the state."""
    left, right = st.columns([0.8, 0.2], gap="medium", vertical_alignment="bottom")
    with left:
        pick_step(moment)
    with right:
        pick_unit(moment)


def pick_all(moment: Moment) -> None:
    """Draw every choice of the page."""
    pick_step_and_unit(moment)
    long.pick_copies(moment)


def myth(moment: Moment) -> Myth:
    """Refute that gates keep everything, by what is left of the first token."""
    shares = {name: percent(share) for name, share in shares_left(moment).items()}
    n, size = len(remembered(moment.walk).gru) - 1, bridge.size_of(moment)
    return Myth(
        _(texts.MYTH), _(texts.TRUTH).format(n=n, word=first_word(moment), size=size, **shares)
    )


def task(moment: Moment) -> Task:
    """Ask where a unit of the encoder is overwritten most."""
    walk, unit = moment.walk, moment.unit
    gate = np.asarray(walk.array("encoder.0.forward.update")[:, unit])
    shown, answers = largest(-gate)
    tokens, least = walk.capture.src, float(gate.min())
    options = [_("{n}: {word}").format(n=i + 1, word=tokens[i].text) for i in shown]
    word, take = tokens[int(gate.argmin())].text, percent(1 - least)
    reason, gates = _(texts.REASON), [(tokens[i].text, float(gate[i])) for i in shown]
    return Task(
        _(texts.ASK).format(unit=unit + 1),
        options,
        answers,
        _(texts.RIGHT).format(word=word, z=number(least, 3), take=take),
        "",
        [reason.format(word=word, z=number(z, 3), keep=percent(z)) for word, z in gates],
    )


SECTIONS: tuple[Section[Moment], ...] = (
    Section(
        "batch",
        texts.BATCH_TITLE,
        draw_batch,
        batch_text,
        pick=False,
        beside=((target_text, draw_target),),
        drawers=(
            Drawer("block", texts.BLOCK_TITLE, draw_block, block_text),
            Drawer("padding", texts.PADDING_TITLE, draw_padding, padding_text),
        ),
        was=("target",),
    ),
    Section(
        unrolled.READING,
        texts.READ_TITLE,
        unrolled.draw_read,
        unrolled.read_text,
        pick=pick_step,
        code=(
            Code(texts.CODE_ENCODER, r"m = h_S", "model.nn.rnn:RnnEncoder"),
            Code(texts.CODE_LOOP, r"h_t = f(x_t, h_{t-1})", "model.nn.cell:Cell.forward"),
        ),
        was=("encoder", "loop"),
    ),
    Section(
        unrolled.WRITING,
        texts.WRITE_TITLE,
        unrolled.draw_write,
        unrolled.write_text,
        pick=pick_step,
        beside=((unrolled.next_text, unrolled.draw_next),),
        code=(
            Code(
                texts.CODE_DECODER,
                r"s_0 = m \qquad s_t = \mathrm{GRU}(y_{t-1}, s_{t-1}) \qquad"
                r" \mathrm{logits}_t = E \tanh(W s_t + b) + b_E",
                "model.nn.rnn:Rnn.decode_step",
            ),
        ),
        was=("next", "decoder"),
    ),
    Section(
        "gru",
        texts.GRU_TITLE,
        draw_gru,
        gru_text,
        pick=pick_step,
        code=(
            Code(
                texts.CODE_GRU,
                r"\begin{aligned} r &= \sigma(W_r x + U_r h) \qquad z = \sigma(W_z x + U_z h) \\"
                r" n &= \tanh(W_n x + r \circ U_n h) \qquad h' = (1 - z) \circ n + z \circ h"
                r" \end{aligned}",
                "model.nn.gru:GRU.step",
            ),
        ),
        drawers=(Drawer("unit", texts.UNIT_TITLE, draw_unit, unit_text, pick=pick_unit),),
        was=("new",),
    ),
    Section(
        "forget",
        texts.FORGET_TITLE,
        draw_forget,
        forget_text,
        pick=False,
        guess=guess_forget,
        code=(Code(texts.CODE_PLAIN, r"h' = \tanh(W x + U h)", "model.nn.elman:Elman.step"),),
        was=("cells",),
    ),
    Section(
        "bridge",
        texts.BRIDGE_TITLE,
        bridge.draw_bridge,
        bridge.bridge_text,
        pick=False,
        guess=bridge.guess_bridge,
        beside=((bridge.fade_text, bridge.draw_fade),),
        was=("fade",),
    ),
    Section(
        "try",
        texts.TRY_TITLE,
        long.draw_tried,
        texts.TRY,
        pick=long.pick_copies,
        beside=((long.kept_text, long.draw_kept),),
        was=("kept",),
    ),
)


PAGE = WalkPage(
    slug="seq2seq",
    intro=texts.INTRO,
    select=moment,
    pick=pick_all,
    task_pick=pick_unit,
    sections=SECTIONS,
    scopes=lambda _moment: (),  # every step of the model is on the page
    task=task,
    myth=myth,
    model="rnn/es-en",
    run_every=player.run_every,
)

if __name__ == "__main__":
    draw_page(PAGE)
