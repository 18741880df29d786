"""Self-attention, without parameters, in six steps, and as matrices."""

import numpy as np

from app.data.walk import Cell
from app.format import number
from app.i18n import _
from app.inspect.head import Head
from app.inspect.look_picks import look_of, looks_away, pick_look
from app.inspect.six_steps import draw_six_steps
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task, largest
from app.views.walk.self_attention import texts
from app.views.walk.self_attention.matrices import draw_matrices, matrices_text
from app.views.walk.self_attention.scaling import draw_scaling, scaling_text
from app.views.walk.self_attention.simple import draw_simple, simple_text


def steps_text(head: Head) -> str:
    """Say whose numbers follow."""
    return _(texts.STEPS).format(layer=head.layer + 1, head=head.head + 1, word=head.word)


def scopes(head: Head) -> tuple[str, ...]:
    """Return what the page shows: x, and the chosen layer's attention."""
    return "src", "simple", head.walk.inputs(f"{head.scope}.q")[0], head.scope


def start(head: Head) -> Cell:
    """Return the largest weight of the word that looks."""
    return Cell(f"{head.scope}.weights", (head.head, head.query, head.most))


def task(head: Head) -> Task:
    """Ask for the largest weight of a column."""
    weights = np.asarray(head.walk.array(f"{head.scope}.weights")[head.head])  # (T, T)
    column = weights[:, head.query]
    shown, answers = largest(column)
    tokens = head.walk.capture.src
    options = [_("{n}: {word}").format(n=i + 1, word=tokens[i].text) for i in shown]
    looked_at = tokens[head.query].text
    return Task(
        _(texts.ASK).format(layer=head.layer + 1, head=head.head + 1, word=looked_at),
        options,
        answers,
        _(texts.RIGHT).format(
            word=options[min(answers)], looked_at=looked_at, weight=number(column.max())
        ),
        _(texts.WRONG).format(looked_at=looked_at),
    )


SECTIONS = (
    Section("simple", texts.SIMPLE_TITLE, draw_simple, simple_text),
    Section("steps", texts.STEPS_TITLE, draw_six_steps, steps_text),
    Section("matrix", texts.MATRIX_TITLE, draw_matrices, matrices_text),
    Section("scale", texts.SCALE_TITLE, draw_scaling, scaling_text),
)

CODE = (
    Code(
        texts.CODE_SIMPLE,
        r"w'_{ij} = x_i \cdot x_j \qquad w_{ij} = \frac{e^{w'_{ij}}}{\sum_j e^{w'_{ij}}}"
        r" \qquad y_i = \sum_j w_{ij} x_j",
        "model.interpret.calculation.simple:simple_attention",
    ),
    Code(
        texts.CODE_QKV,
        r"Q = X W_Q + b_Q \qquad K = X W_K + b_K \qquad V = X W_V + b_V",
        "model.nn.attention:MultiHeadAttention.self_qkv",
    ),
    Code(
        texts.CODE_ATTEND,
        r"Z = \mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
        "model.nn.attention:MultiHeadAttention.attend",
    ),
)

draw_page(
    WalkPage(
        slug="self_attention",
        intro=texts.INTRO,
        select=lambda walk: look_of(walk, "encoder", looks_away),
        pick=pick_look,
        sections=SECTIONS,
        scopes=scopes,
        start=start,
        task=task,
        code=CODE,
    )
)
