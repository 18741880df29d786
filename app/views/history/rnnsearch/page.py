"""2015: the decoder searches the source for the tokens that matter now; the first attention."""

import numpy as np

from app.format import percent
from app.i18n import _
from app.inspector.naming import follows, token_markdown
from app.page.declare import Code, Myth, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task, largest
from app.views.history.rnnsearch import read, steps, texts
from app.views.history.rnnsearch.steps import SCOPE, Alignment, alignment, pick_written, surest
from app.views.history.rnnsearch.whole import draw_lines, draw_map


def myth(row: Alignment) -> Myth:
    """Refute that a row points at one word, by the row that is least sure."""
    walk = row.walk
    weights = walk.array(f"{SCOPE}.weights")[0]  # (T, S)
    most = weights.max(-1)
    at = int(most.argmin())
    values = {
        "word": token_markdown(follows(walk)[at]),
        "most": token_markdown(walk.capture.src[int(weights[at].argmax())]),
        "weight": percent(float(most[at])),
        "rest": percent(1 - float(most[at])),
        "few": int((most <= 0.5).sum()),
        "n": len(most),
    }
    truth = texts.TRUTH if values["few"] else texts.TRUTH_SURE
    return Myth(_(texts.MYTH), _(truth).format(**values))


def task(row: Alignment) -> Task:
    """Ask where another word looked than the one that the page begins with, if there is another."""
    walk = row.walk
    weights = walk.array(f"{SCOPE}.weights")[0]  # (T, S)
    others = np.delete(np.arange(len(weights)), surest(walk).query)
    at = int(others[weights[others].max(-1).argmax()]) if others.size else 0
    asked, tokens = weights[at], walk.capture.src
    word, best = follows(walk)[at].text, int(asked.argmax())
    shown, answers = largest(asked)
    looks = [(tokens[i].text, percent(asked[i])) for i in shown]
    reason = _(texts.REASON)
    return Task(
        _(texts.ASK).format(word=word, n=at + 1),
        [_("{n}: {word}").format(n=i + 1, word=tokens[i].text) for i in shown],
        answers,
        _(texts.RIGHT).format(word=tokens[best].text, weight=percent(asked[best])),
        "",
        [reason.format(word=word, other=other, weight=weight) for other, weight in looks],
    )


SECTIONS = (
    Section(
        "read",
        texts.READ_TITLE,
        read.draw_read,
        read.read_text,
        pick=False,
        code=(
            Code(
                texts.CODE_READ,
                r"h_j = [\overrightarrow{h}_j ; \overleftarrow{h}_j]",
                "model.nn.rnnsearch:SearchEncoder.forward",
            ),
        ),
        was=("back", "annotation"),
    ),
    Section("query", texts.QUERY_TITLE, steps.draw_query, steps.query_text, was=("keys",)),
    Section(
        "score",
        texts.SCORE_TITLE,
        steps.draw_score,
        steps.score_text,
        guess=steps.guess_score,
        code=(
            Code(
                texts.CODE_ALIGN,
                r"e_{ij} = v_a^\top \tanh(W_a s_{i-1} + U_a h_j) \qquad"
                r" \alpha_i = \mathrm{softmax}(e_i) \qquad c_i = \sum_j \alpha_{ij} h_j",
                "model.nn.alignment:AdditiveAttention.attend",
            ),
        ),
        was=("match",),
    ),
    Section("sum", texts.SUM_TITLE, steps.draw_sum, steps.sum_text, was=("softmax", "weigh")),
    Section(
        "state",
        texts.STATE_TITLE,
        steps.draw_state,
        steps.state_text,
        code=(
            Code(
                texts.CODE_STEP,
                r"s_i = \mathrm{GRU}([y_{i-1}; c_i], s_{i-1})",
                "model.nn.rnnsearch:SearchDecoder.step",
            ),
        ),
    ),
    Section(
        "map",
        texts.MAP_TITLE,
        draw_map,
        texts.MAP,
        pick=False,
        beside=((texts.LINES, draw_lines),),
        was=("lines",),
    ),
)


PAGE = WalkPage(
    slug="rnnsearch",
    intro=texts.INTRO,
    select=alignment,
    pick=pick_written,
    task_pick=False,
    sections=SECTIONS,
    scopes=lambda _row: ("src", "encoder", "memory", "decoder"),  # all but the words' scores
    task=task,
    myth=myth,
    model="rnnsearch/es-en",
)

if __name__ == "__main__":
    draw_page(PAGE)
