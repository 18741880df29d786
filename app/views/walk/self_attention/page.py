"""Chapter 4: self-attention, without parameters, in six steps, and as matrices."""

import numpy as np

from app.data.attention import input_of
from app.data.walk import Cell, Walk
from app.format import number
from app.i18n import _
from app.inspect.look_picks import look_of, looks_away, pick_look
from app.inspect.six_steps import six_steps
from app.page.chapter import Chapter, chapter
from app.page.frame import Code
from app.page.quiz import Task
from app.ui.section import section
from app.views.walk.self_attention import texts
from app.views.walk.self_attention.matrices import attention_matrices
from app.views.walk.self_attention.scaling import scaling
from app.views.walk.self_attention.simple import simple

OPTIONS = 8


def body(walk: Walk) -> None:
    """Draw the chapter for the word, layer and head that are chosen."""
    now = pick_look(walk, _(texts.PICK), looks_away)
    simple(walk, now.query)
    section(
        _(texts.STEPS_TITLE),
        _(texts.STEPS).format(layer=now.layer + 1, head=now.head + 1, word=now.word),
    )
    six_steps(walk, "encoder", now.layer, now.head, now.query)
    attention_matrices(now)
    scaling(now)


def scopes(walk: Walk) -> tuple[str, ...]:
    """Return what the page shows: x, and the chosen layer's attention."""
    scope = look_of(walk, looks_away).scope
    return "src", "simple", input_of(walk, f"{scope}.q"), scope


def start(walk: Walk) -> Cell:
    """Return the largest weight of the word that looks."""
    now = look_of(walk, looks_away)
    return Cell(f"{now.scope}.weights", (now.head, now.query, now.most))


def task(walk: Walk) -> Task:
    """Ask for the largest weight of a column."""
    now = look_of(walk, looks_away)
    weights = np.asarray(walk.array(f"{now.scope}.weights")[now.head])  # (T, T)
    column = weights[:, now.query]
    shown = np.sort(np.argsort(-column, kind="stable")[:OPTIONS])
    tokens = walk.capture.src
    options = [_("{n}: {word}").format(n=i + 1, word=tokens[i].text) for i in shown]
    best = float(column.max())
    answers = frozenset(place for place, i in enumerate(shown) if column[i] == best)
    looked_at = tokens[now.query].text
    return Task(
        _(texts.ASK).format(layer=now.layer + 1, head=now.head + 1, word=looked_at),
        options,
        answers,
        _(texts.RIGHT).format(word=options[min(answers)], looked_at=looked_at, weight=number(best)),
        _(texts.WRONG).format(looked_at=looked_at),
    )


CODE = (
    Code(
        texts.CODE_SIMPLE,
        r"w'_{ij} = x_i \cdot x_j \qquad w_{ij} = \frac{e^{w'_{ij}}}{\sum_j e^{w'_{ij}}}"
        r" \qquad y_i = \sum_j w_{ij} x_j",
        "model.interpret.calculation.simple",
        "simple_attention",
    ),
    Code(
        texts.CODE_QKV,
        r"Q = X W_Q + b_Q \qquad K = X W_K + b_K \qquad V = X W_V + b_V",
        "model.nn.attention",
        "MultiHeadAttention.self_qkv",
    ),
    Code(
        texts.CODE_ATTEND,
        r"Z = \mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
        "model.nn.attention",
        "MultiHeadAttention.attend",
    ),
)

chapter(
    Chapter(
        slug="self_attention", intro=texts.INTRO, body=body, scopes=scopes, start=start,
        task=task, code=CODE,
    )
)  # fmt: skip
