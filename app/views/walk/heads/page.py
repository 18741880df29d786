"""Chapter 5: many heads, what each looks at and adds, and the recap in five steps."""

import numpy as np

from app.data.walk import Cell
from app.format import number
from app.i18n import _
from app.inspect.head import Head
from app.inspect.look_picks import divides_heads, look_of, pick_look
from app.inspect.naming import head_names
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task, largest
from app.views.walk.heads import texts
from app.views.walk.heads.look import draw_look, draw_wall, look_text, look_title, rows_of
from app.views.walk.heads.output import draw_join, draw_parts, join_text, parts_text
from app.views.walk.heads.recap import draw_recap


def scopes(head: Head) -> tuple[str, ...]:
    """Return what the page shows: the chosen layer's attention, and the weights of all others."""
    layers = range(head.walk.config.n_encoder_layers)
    weights = (f"encoder.{layer}.self_attn.weights" for layer in layers)
    return head.walk.inputs(f"{head.scope}.q")[0], head.scope, *weights


def start(head: Head) -> Cell:
    """Return the largest number of the word's output: what all heads make together."""
    output = head.walk.array(f"{head.scope}.out", (head.query,))
    return Cell(f"{head.scope}.out", (head.query, int(np.abs(output).argmax())))


def task(head: Head) -> Task:
    """Ask in which head the word looks most at another one; with one head, at which word."""
    rows = rows_of(head)
    return _which_head(head, rows) if len(rows) > 1 else _which_word(head, rows[0])


def _which_head(head: Head, rows: np.ndarray) -> Task:
    second, first = np.sort(rows, axis=0)[-2:]  # (S,) each
    lead = first - second
    if len(lead) > 1:
        lead[head.query] = -1
    key = int(lead.argmax())
    shown, answers = largest(rows[:, key])
    names, tokens = head_names(len(rows)), head.walk.capture.src
    options = [names[h] for h in shown]
    words = {"word": tokens[head.query].text, "looked_at": tokens[key].text}
    values = {"layer": head.layer + 1, "weight": number(first[key]), "second": number(second[key])}
    return Task.of(texts.ASK, options, answers, texts.RIGHT, texts.WRONG, **words, **values)


def _which_word(head: Head, row: np.ndarray) -> Task:
    tokens = head.walk.capture.src
    shown, answers = largest(row)
    options = [_("{n}: {word}").format(n=i + 1, word=tokens[i].text) for i in shown]
    word, weight = tokens[head.query].text, number(row.max())
    values = {"layer": head.layer + 1, "word": word, "weight": weight}
    return Task.of(texts.ASK_ONE, options, answers, texts.RIGHT_ONE, texts.WRONG_ONE, **values)


SECTIONS = (
    Section("look", look_title, draw_look, look_text),
    Section("all", texts.ALL_TITLE, draw_wall, texts.ALL),
    Section("join", texts.JOIN_TITLE, draw_join, join_text),
    Section("parts", texts.PARTS_TITLE, draw_parts, parts_text),
    Section("recap", texts.RECAP_TITLE, draw_recap),
)

CODE = (
    Code(
        texts.CODE_SPLIT,
        r"x W_Q + b_Q \in \mathbb{R}^{d_{model}} \;\to\; q_1, \dots, q_H \in \mathbb{R}^{d_k}",
        "model.nn.attention:MultiHeadAttention.split_heads",
    ),
    Code(
        texts.CODE_JOIN,
        r"\mathrm{output} = [\, Z_1 \; Z_2 \; \dots \; Z_H \,] \, W_O + b_O",
        "model.nn.attention:MultiHeadAttention.attend",
    ),
    Code(
        texts.CODE_PART,
        r"\mathrm{output} = \sum_{h=1}^{H} Z_h W_O^{(h)} + b_O",
        "model.interpret.calculation.derived:part",
    ),
)

draw_page(
    WalkPage(
        slug="heads",
        intro=texts.INTRO,
        select=lambda walk: look_of(walk, "encoder", divides_heads),
        pick=pick_look,
        sections=SECTIONS,
        scopes=scopes,
        start=start,
        task=task,
        code=CODE,
    )
)
