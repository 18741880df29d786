"""2014: a recurrent network reads the sentence, another one writes the translation."""

import numpy as np

from app import state
from app.data.walk import Cell, Walk
from app.format import number, percent
from app.i18n import N_, _
from app.inspect.decoding_ways import draw_ways, ways_text
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task, largest
from app.texts import decoding_ways
from app.ui import player
from app.ui.live_part import FAILED, live_part
from app.ui.section import section
from app.views.history.seq2seq import texts
from app.views.history.seq2seq.bridge import bridge_text, draw_bridge, draw_fade, fade_text
from app.views.history.seq2seq.cells import draw_cells
from app.views.history.seq2seq.gru import draw_gru
from app.views.history.seq2seq.long import draw_measured, draw_tried
from app.views.history.seq2seq.unrolled import (
    HIDDEN,
    UNIT,
    Moment,
    draw_player,
    draw_unrolled,
    moment,
)


def draw_steps(chosen: Moment) -> None:
    """Draw both networks and one step of them, which are played alone."""
    live_part(
        lambda: _draw_step(chosen.walk),
        failed=_(FAILED),
        shared=lambda: (state.ASKED.get(), UNIT.get()),
        run_every=player.run_every(),
    )


def _draw_step(walk: Walk) -> None:
    draw_player(walk)
    step = moment(walk)
    draw_unrolled(step)
    section(_(texts.GRU_TITLE), _(texts.GRU).format(doing=step.doing))
    draw_gru(step)


def start(moment: Moment) -> Cell:
    """Return the chosen unit after the last word."""
    return Cell(HIDDEN, (len(moment.walk.capture.src) - 1, moment.unit))


def task(moment: Moment) -> Task:
    """Ask where a unit of the encoder is overwritten most."""
    walk, unit = moment.walk, moment.unit
    gate = np.asarray(walk.array("encoder.0.forward.update")[:, unit])
    shown, answers = largest(-gate)
    tokens, least = walk.capture.src, float(gate.min())
    options = [_("{n}: {word}").format(n=i + 1, word=tokens[i].text) for i in shown]
    values = {"unit": unit + 1, "word": tokens[int(gate.argmin())].text}
    values |= {"z": number(least, 3), "take": percent(1 - least)}
    return Task.of(texts.ASK, options, answers, texts.RIGHT, texts.WRONG, **values)


SECTIONS = (
    Section("unrolled", "", draw_steps),
    Section("cells", texts.CELLS_TITLE, draw_cells, texts.CELLS),
    Section("bridge", texts.BRIDGE_TITLE, draw_bridge, bridge_text),
    Section("fade", texts.FADE_TITLE, draw_fade, fade_text),
    Section("ways", decoding_ways.TITLE, lambda moment: draw_ways(moment.walk), ways_text),
    Section("fail", texts.FAIL_TITLE, draw_measured),
    Section("try", texts.TRY_TITLE, draw_tried, texts.TRY),
)

CODE = (
    Code(
        N_("One step of the GRU"),
        r"\begin{aligned} r &= \sigma(W_r x + U_r h) \qquad z = \sigma(W_z x + U_z h) \\"
        r" n &= \tanh(W_n x + r \circ U_n h) \qquad h' = (1 - z) \circ n + z \circ h \end{aligned}",
        "model.nn.gru:GRU.step",
    ),
    Code(N_("One step of a plain cell"), r"h' = \tanh(W x + U h)", "model.nn.elman:Elman.step"),
    Code(N_("The encoder keeps its last state"), r"m = h_S", "model.nn.rnn:RnnEncoder.forward"),
    Code(
        N_("The decoder goes on from it"),
        r"s_0 = m \qquad s_t = \mathrm{GRU}(y_{t-1}, s_{t-1}) \qquad"
        r" \mathrm{logits}_t = E \tanh(W s_t + b) + b_E",
        "model.nn.rnn:Rnn.decode_step",
    ),
)

PAGE = WalkPage(
    slug="seq2seq",
    intro=texts.INTRO,
    select=moment,
    sections=SECTIONS,
    scopes=lambda _moment: (),  # every step of the model is on the page
    start=start,
    task=task,
    code=CODE,
    model="rnn/es-en",
)

if __name__ == "__main__":
    draw_page(PAGE)
