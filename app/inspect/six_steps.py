"""Attention in six steps, for one word, layer and head: the same for all three attentions."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.components.board import Grid, Op
from app.data.translation import Kind
from app.data.walk import Walk
from app.format import maths, number, percent
from app.i18n import N_, _
from app.inspect.arrays import arrays, grid
from app.inspect.head import Head, read_from
from app.texts import six_steps as texts
from app.ui.section import section

MADE: Final = state.Param[str]("made", "q", state.one_of("q", "k", "v"))
MADE_NAMES: Final = {"q": N_("query q"), "k": N_("key k"), "v": N_("value v")}
NAMED: Final = 2  # of what z is made of, so many words are named one by one


def six_steps(walk: Walk, kind: Kind, layer: int, head: int, query: int) -> None:
    """Draw what one head does for one word, step by step, with the model's numbers.

    `layer`, `head` and `query` (the token that looks) count from 0 and must be there.
    """
    now = Head(walk, kind, layer, head, query)
    for title, draw in zip(texts.TITLES, STEPS, strict=True):
        draw(now, maths(_(title)))


def projection(now: Head, vector: str) -> Sequence[Grid | Op]:
    """Return x × W + b = q, or k, or v, of the word that it is shown for."""
    name, place, word = now.reader(vector)
    big, x = vector.upper(), "m" if name == "memory" else "x"
    return [
        grid(now.walk, name, (place, None), f"{x} · “{word}”"),
        Op("×"),
        grid(now.walk, f"param:{now.scope}.W_{big}", (None, None), f"W_{big}", cols=now.columns),
        Op("+"),
        grid(now.walk, f"param:{now.scope}.b_{big}", (None,), f"b_{big}", cols=now.columns),
        Op("="),
        grid(now.walk, f"{now.scope}.{vector}", (now.head, place, None), f"{vector} · “{word}”"),
    ]


def _make(now: Head, title: str) -> None:
    text = texts.MAKE["cross" if now.kind == "cross" else "self"]
    said = _(text).format(
        word=now.word, other=now.words[now.most], d_k=now.d_k, d_model=now.walk.config.d_model
    )
    vector = MADE.get()
    section(title, maths(f"{said} {read_from(now.walk, now.reader(vector)[0])}"), 3)
    st.segmented_control(
        _("Make"), list(MADE_NAMES), format_func=lambda made: _(MADE_NAMES[made]),
        required=True, key=MADE.widget(),
    )  # fmt: skip
    arrays(now.walk, projection(now, vector), key=f"{now.key}-1")


def _score(now: Head, title: str) -> None:
    scores = now.row("scores")
    said = _(texts.SCORE).format(
        word=now.word, high=now.words[now.most], high_score=number(scores[now.most])
    )
    if now.least is not None:
        low = _(texts.SCORE_LOW)
        said += " " + low.format(low=now.words[now.least], low_score=number(scores[now.least]))
    section(title, said, 3)
    arrays(
        now.walk,
        [
            grid(now.walk, f"{now.scope}.q", (now.head, now.query, None), now.title("q")),
            Op("·"),
            grid(now.walk, f"{now.scope}.k", (now.head, None, None), _("k of every word")),
            Op("="),
            now.column("scores", "q · k"),
        ],
        key=f"{now.key}-2",
    )


def _scale(now: Head, title: str) -> None:
    before, after = now.row("scores")[now.most], now.row("scaled")[now.most]
    said = _(texts.SCALE).format(
        d_k=now.d_k, root=f"{np.sqrt(now.d_k):.3g}", before=number(before), after=number(after)
    )
    section(title, maths(said), 3)
    items: list[Grid | Op] = [
        now.column("scores", "q · k"),
        Op(f"÷ √{now.d_k} ="),
        now.column("scaled", "q · k ÷ √d_k"),
    ]
    if now.masked:
        hidden = texts.MASK_OPEN if now.mask.all() else texts.MASK
        st.markdown(_(hidden).format(word=now.word))
        items += [Op(_("mask")), now.column("masked", _("after the mask"))]
    arrays(now.walk, items, key=f"{now.key}-3")


def _softmax(now: Head, title: str) -> None:
    softmax(now, title, _("after the mask") if now.masked else "q · k ÷ √d_k")


def softmax(now: Head, title: str, scores: str) -> None:
    """Draw how the scores, under their name, become weights."""
    total = number(now.row("powers").sum())
    said = _(texts.SOFTMAX).format(
        word=now.word, weight=percent(now.weights[now.most]), high=now.words[now.most], total=total
    )
    section(title, said if now.mask.all() else f"{said} {_(texts.SOFTMAX_MASKED)}", 3)
    arrays(
        now.walk,
        [
            now.column("masked", scores),
            Op("→"),
            now.column("powers", _("e to that power")),
            Op(f"÷ {total} ="),
            now.column("weights", _("weight")),
        ],
        key=f"{now.key}-4",
    )  # fmt: skip


def weigh(now: Head, title: str = "") -> None:
    """Draw each value, and the same times its weight."""
    said = _(texts.WEIGH).format(high=now.words[now.most], weight=percent(now.weights[now.most]))
    if now.least is not None:
        low = _(texts.WEIGH_LOW)
        said += " " + low.format(
            low=now.words[now.least], low_weight=percent(now.weights[now.least])
        )
    section(title, said, 3)
    arrays(
        now.walk,
        [
            now.column("weights", _("weight")),
            Op("×"),
            grid(
                now.walk, f"{now.scope}.v", (now.head, None, None), _("v of every word"),
                reach=_reach(now),
            ),
            Op("="),
            grid(
                now.walk, f"{now.scope}.weighted", (now.head, now.query, None, None),
                _("weight × v"), reach=_reach(now),
            ),
        ],
        key=f"{now.key}-5",
    )  # fmt: skip


def _sum(now: Head, title: str) -> None:
    add_up(now, texts.SUM, title)


def add_up(now: Head, text: str, title: str = "") -> None:
    """Draw what was found, after a text with the marks {word} and {parts}."""
    order = np.argsort(-now.weights, kind="stable")
    part, rest = _(texts.SUM_PART), _(texts.SUM_REST)
    named = len(order) if len(order) == NAMED + 1 else NAMED
    parts = [part.format(weight=percent(now.weights[i]), word=now.words[i]) for i in order[:named]]
    if len(order) > named:
        left = float(now.weights[order[named:]].sum())
        parts.append(rest.format(weight=percent(left), n=len(order) - named))
    section(title, _(text).format(word=now.word, parts=", ".join(parts)), 3)
    name = f"{now.scope}.context"
    arrays(
        now.walk,
        [
            Op(_("Σ of the rows =")),
            grid(now.walk, name, (now.head, now.query, None), now.title("z"), reach=_reach(now)),
        ],
        key=f"{now.key}-6",
    )


def _reach(now: Head) -> float:
    """Return the largest number of V, so that colours fade with what is taken of it."""
    return float(np.abs(now.walk.array(f"{now.scope}.v")[now.head]).max())


STEPS: Final = (_make, _score, _scale, _softmax, weigh, _sum)
