"""2015: the decoder searches the source for the words that matter now; the first attention."""

import numpy as np

from app.data.walk import Cell
from app.format import percent
from app.i18n import N_, _
from app.inspect.naming import follows
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task, largest
from app.views.history.rnnsearch import texts
from app.views.history.rnnsearch.beside import draw_alignments, draw_beside
from app.views.history.rnnsearch.read import draw_read, read_text
from app.views.history.rnnsearch.steps import SCOPE, Alignment, alignment, draw_steps, surest


def start(row: Alignment) -> Cell:
    """Return the largest weight of the word that is surest where to look."""
    first = surest(row.walk)
    return Cell(f"{SCOPE}.weights", (0, first.query, first.most))


def task(row: Alignment) -> Task:
    """Ask where another word looked than the one that the page begins with, if there is another."""
    walk = row.walk
    weights = walk.array(f"{SCOPE}.weights")[0]  # (T, S)
    others = np.delete(np.arange(len(weights)), surest(walk).query)
    at = int(others[weights[others].max(-1).argmax()]) if others.size else 0
    asked, tokens = weights[at], walk.capture.src
    word, best = follows(walk)[at].text, int(asked.argmax())
    shown, answers = largest(asked)
    return Task(
        _(texts.ASK).format(word=word, n=at + 1),
        [_("{n}: {word}").format(n=i + 1, word=tokens[i].text) for i in shown],
        answers,
        _(texts.RIGHT).format(word=tokens[best].text, weight=percent(asked[best])),
        _(texts.WRONG).format(word=word),
    )


SECTIONS = (
    Section("read", texts.READ_TITLE, draw_read, read_text),
    Section("steps", texts.STEPS_TITLE, draw_steps),
    Section("map", texts.MAP_TITLE, draw_alignments, texts.MAP),
    Section("beside", texts.BESIDE_TITLE, draw_beside, texts.BESIDE),
)

CODE = (
    Code(
        N_("Read in both directions"),
        r"h_j = [\overrightarrow{h}_j ; \overleftarrow{h}_j]",
        "model.nn.rnnsearch:SearchEncoder.forward",
    ),
    Code(
        N_("The alignment network: additive attention"),
        r"e_{ij} = v_a^\top \tanh(W_a s_{i-1} + U_a h_j) \qquad"
        r" \alpha_i = \mathrm{softmax}(e_i) \qquad c_i = \sum_j \alpha_{ij} h_j",
        "model.nn.alignment:AdditiveAttention.attend",
    ),
    Code(
        N_("The decoder's step: align, then go on"),
        r"s_i = \mathrm{GRU}([y_{i-1}; c_i], s_{i-1})",
        "model.nn.rnnsearch:SearchDecoder.step",
    ),
)

PAGE = WalkPage(
    slug="rnnsearch",
    intro=texts.INTRO,
    select=alignment,
    sections=SECTIONS,
    scopes=lambda _row: ("src", "encoder", "memory", "decoder"),  # all but the words' scores
    start=start,
    task=task,
    code=CODE,
    model="rnnsearch/es-en",
)

if __name__ == "__main__":
    draw_page(PAGE)
