"""Attention in six steps, for one word, layer and head: the same for all three attentions."""

from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.components.board import Grid, Op
from app.format import number, percent
from app.i18n import N_, _
from app.inspect.arrays import arrays, grid
from app.inspect.equation import equation
from app.inspect.head import Head, read_from
from app.texts import six_steps as texts
from app.ui.pickers import pick
from app.ui.section import section

MADE: Final = state.Param[str]("made", "q", state.one_of("q", "k", "v"))
MADE_NAMES: Final = {"q": N_("query q"), "k": N_("key k"), "v": N_("value v")}
NAMED: Final = 2  # of what z is made of, so many words are named one by one


def draw_six_steps(head: Head) -> None:
    """Draw what one head does for one word, step by step, with the model's numbers."""
    for title, draw in zip(texts.TITLES, STEPS, strict=True):
        draw(head, _(title))


def _make(head: Head, title: str) -> None:
    vector = MADE.get()
    sentences = "cross" if head.kind == "cross" else "self"
    text = _(texts.MAKE[sentences]).format(
        word=head.word, other=head.words[head.most], d_k=head.d_k, d_model=head.walk.config.d_model
    )
    read, place = head.reader(vector)
    section(title, f"{text} {read_from(head.walk, read)}", 3)
    pick(MADE, _("Make"), MADE_NAMES)
    x = "m" if read == "memory" else "x"
    at = (head.head, place, None)
    product = equation(head.walk, f"{head.scope}.{vector}", at, x, vector)
    arrays(head.walk, product, key=f"{head.key}-1")


def _score(head: Head, title: str) -> None:
    scores = head.row("scores")
    text = _(texts.SCORE).format(
        word=head.word, high=head.words[head.most], high_score=number(scores[head.most])
    )
    if head.least is not None:
        low = _(texts.SCORE_LOW)
        text += " " + low.format(low=head.words[head.least], low_score=number(scores[head.least]))
    section(title, text, 3)
    q = grid(head.walk, f"{head.scope}.q", (head.head, head.query, None), head.title("q"))
    k = grid(head.walk, f"{head.scope}.k", (head.head, None, None), _("k of every word"))
    product = head.column("scores", "q · k")
    arrays(head.walk, [q, Op("·"), k, Op("="), product], key=f"{head.key}-2")


def _scale(head: Head, title: str) -> None:
    before, after = head.row("scores")[head.most], head.row("scaled")[head.most]
    text = _(texts.SCALE).format(
        d_k=head.d_k, root=f"{np.sqrt(head.d_k):.3g}", before=number(before), after=number(after)
    )
    section(title, text, 3)
    items: list[Grid | Op] = [
        head.column("scores", "q · k"),
        Op(f"÷ √{head.d_k} ="),
        head.column("scaled", "q · k ÷ √d_k"),
    ]
    if head.masked:
        hidden = texts.MASK_OPEN if head.mask.all() else texts.MASK
        st.markdown(_(hidden).format(word=head.word))
        items += [Op(_("mask")), head.column("masked", _("after the mask"))]
    arrays(head.walk, items, key=f"{head.key}-3")


def _softmax(head: Head, title: str) -> None:
    softmax(head, title, _("after the mask") if head.masked else "q · k ÷ √d_k")


def softmax(head: Head, title: str, scores: str) -> None:
    """Draw how the scores, under their name, become weights."""
    total = number(head.row("powers").sum())
    text = _(texts.SOFTMAX).format(
        word=head.word,
        weight=percent(head.weights[head.most]),
        high=head.words[head.most],
        total=total,
    )
    section(title, text if head.mask.all() else f"{text} {_(texts.SOFTMAX_MASKED)}", 3)
    items: list[Grid | Op] = [
        head.column("masked", scores),
        Op("→"),
        head.column("powers", _("e to that power")),
        Op(f"÷ {total} ="),
        head.column("weights", _("weight")),
    ]
    arrays(head.walk, items, key=f"{head.key}-4")


def weigh(head: Head, title: str = "") -> None:
    """Draw each value, and the same times its weight."""
    walk, scope, words, reach = head.walk, head.scope, head.words, _reach(head)
    text = _(texts.WEIGH).format(high=words[head.most], weight=percent(head.weights[head.most]))
    if head.least is not None:
        low = {"low": words[head.least], "low_weight": percent(head.weights[head.least])}
        text += " " + _(texts.WEIGH_LOW).format(**low)
    section(title, text, 3)
    at = (head.head, head.query, None, None)
    items: list[Grid | Op] = [
        head.column("weights", _("weight")),
        Op("×"),
        grid(walk, f"{scope}.v", (head.head, None, None), _("v of every word"), reach=reach),
        Op("="),
        grid(walk, f"{scope}.weighted", at, _("weight × v"), reach=reach),
    ]
    arrays(walk, items, key=f"{head.key}-5")


def _sum(head: Head, title: str) -> None:
    add_up(head, texts.SUM, title)


def add_up(head: Head, text: str, title: str = "") -> None:
    """Draw what was found, after a text with the marks {word} and {parts}."""
    order = np.argsort(-head.weights, kind="stable")
    part, rest = _(texts.SUM_PART), _(texts.SUM_REST)
    named = len(order) if len(order) == NAMED + 1 else NAMED
    likely = ((percent(head.weights[i]), head.words[i]) for i in order[:named])
    parts = [part.format(weight=weight, word=word) for weight, word in likely]
    if len(order) > named:
        left = float(head.weights[order[named:]].sum())
        parts.append(rest.format(weight=percent(left), n=len(order) - named))
    section(title, _(text).format(word=head.word, parts=", ".join(parts)), 3)
    name, at = f"{head.scope}.context", (head.head, head.query, None)
    z = grid(head.walk, name, at, head.title("z"), reach=_reach(head))
    arrays(head.walk, [Op(_("Σ of the rows =")), z], key=f"{head.key}-6")


def _reach(head: Head) -> float:
    """Return the largest number of V, so that colours fade with what is taken of it."""
    return float(np.abs(head.walk.array(f"{head.scope}.v")[head.head]).max())


STEPS: Final = (_make, _score, _scale, _softmax, weigh, _sum)
