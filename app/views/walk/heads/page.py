"""Chapter 5: many heads, what each looks at and adds, and the recap in five steps."""

import numpy as np
import streamlit as st

from app.data.attention import input_of
from app.data.walk import Cell, Walk
from app.format import number
from app.i18n import _
from app.inspect.head import Head
from app.inspect.look_picks import divides_heads, look_of, pick_look
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task
from app.views.walk.heads import texts
from app.views.walk.heads.look import every_head, head_names, heads_look
from app.views.walk.heads.output import heads_joined, heads_parts
from app.views.walk.heads.recap import recap

OPTIONS = 8


def body(walk: Walk) -> None:
    """Draw the chapter for the word, layer and head that are chosen."""
    now = look_of(walk, divides_heads)
    pick_look(now, _(texts.PICK))
    heads_look(now)
    every_head(now)
    heads_joined(now)
    heads_parts(now)
    st.header(_(texts.RECAP_TITLE), anchor=False)
    recap(now)


def scopes(walk: Walk) -> tuple[str, ...]:
    """Return what the page shows: the chosen layer's attention, and the weights of all others."""
    scope = look_of(walk, divides_heads).scope
    layers = range(walk.config.n_encoder_layers)
    weights = (f"encoder.{layer}.self_attn.weights" for layer in layers)
    return input_of(walk, f"{scope}.q"), scope, *weights


def start(walk: Walk) -> Cell:
    """Return the largest number of the word's output: what all heads make together."""
    now = look_of(walk, divides_heads)
    output = walk.array(f"{now.scope}.out")[now.query]
    return Cell(f"{now.scope}.out", (now.query, int(np.abs(output).argmax())))


def task(walk: Walk) -> Task:
    """Ask in which head the word looks most at another one; with one head, at which word."""
    now = look_of(walk, divides_heads)
    rows = np.asarray(walk.array(f"{now.scope}.weights")[:, now.query])  # (H, S)
    return _which_head(now, rows) if len(rows) > 1 else _which_word(now, rows[0])


def _which_head(now: Head, rows: np.ndarray) -> Task:
    ordered = np.sort(rows, axis=0)
    clear = ordered[-1] - ordered[-2]  # (S,), by how much the first head leads
    if len(clear) > 1:
        clear[now.query] = -1
    key = int(clear.argmax())
    shown = np.sort(np.argsort(-rows[:, key], kind="stable")[:OPTIONS])
    names, tokens = head_names(len(rows)), now.walk.capture.src
    looked_at, word = tokens[key].text, tokens[now.query].text
    return Task(
        _(texts.ASK).format(layer=now.layer + 1, word=word, looked_at=looked_at),
        [names[h] for h in shown],
        _best(rows[shown, key]),
        _(texts.RIGHT).format(weight=number(ordered[-1, key]), second=number(ordered[-2, key])),
        _(texts.WRONG).format(looked_at=looked_at),
    )


def _which_word(now: Head, row: np.ndarray) -> Task:
    tokens = now.walk.capture.src
    shown = np.sort(np.argsort(-row, kind="stable")[:OPTIONS])
    return Task(
        _(texts.ASK_ONE).format(layer=now.layer + 1, word=tokens[now.query].text),
        [_("{n}: {word}").format(n=i + 1, word=tokens[i].text) for i in shown],
        _best(row[shown]),
        _(texts.RIGHT_ONE).format(weight=number(row.max())),
        _(texts.WRONG_ONE),
    )


def _best(values: np.ndarray) -> frozenset[int]:
    return frozenset(np.flatnonzero(values == values.max()).tolist())


CODE = (
    Code(
        texts.CODE_SPLIT,
        r"x W_Q + b_Q \in \mathbb{R}^{d_{model}} \;\to\; q_1, \dots, q_H \in \mathbb{R}^{d_k}",
        "model.nn.attention",
        "MultiHeadAttention.split_heads",
    ),
    Code(
        texts.CODE_JOIN,
        r"\mathrm{output} = [\, Z_1 \; Z_2 \; \dots \; Z_H \,] \, W_O + b_O",
        "model.nn.attention",
        "MultiHeadAttention.attend",
    ),
    Code(
        texts.CODE_PART,
        r"\mathrm{output} = \sum_{h=1}^{H} Z_h W_O^{(h)} + b_O",
        "model.interpret.calculation.derived",
        "part",
    ),
)

draw_page(
    WalkPage(
        slug="heads",
        intro=texts.INTRO,
        select=lambda walk: walk,
        sections=(Section("", body),),
        scopes=scopes,
        start=start,
        task=task,
        code=CODE,
    )
)
