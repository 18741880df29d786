"""Attention in six steps, for one token, layer and head: the same for all three attentions."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from app import state
from app.components.board import Grid, Op
from app.format import number, percent, quoted, short
from app.i18n import N_, _
from app.inspect.arrays import arrays, grid
from app.inspect.equation import BLOCK, equation
from app.inspect.head import Head, read_from
from app.inspect.naming import labels_of
from app.texts import six_steps as texts
from app.ui.pickers import pick

MADE: Final = state.Param[str]("made", "q", state.one_of("q", "k", "v"))
MADE_NAMES: Final = {"q": N_("query q"), "k": N_("key k"), "v": N_("value v")}
NAMED: Final = 2  # of what z is made of, so many tokens are named one by one


class Step(NamedTuple):
    """What a page's `Section` takes, in its order."""

    slug: str
    title: str
    draw: Callable[[Head], None]
    text: Callable[[Head], str]


def make_text(head: Head) -> str:
    """Say what q, k and v are for, and what they are made of."""
    sentences = "cross" if head.kind == "cross" else "self"
    text = _(texts.MAKE[sentences]).format(
        word=head.word, other=head.words[head.most], d_k=head.d_k, d_model=head.walk.config.d_model
    )
    return f"{text} {read_from(head.walk, head.reader(MADE.get())[0])}"


def draw_make(head: Head) -> None:
    """Draw x × W + b for the one of q, k and v that is chosen."""
    pick(MADE, _("Make"), MADE_NAMES, label_visibility="collapsed")
    walk, vector = head.walk, MADE.get()
    read, place = head.reader(vector)
    word = labels_of(walk, read, 0)[place]
    title = f"{'m' if read == 'memory' else 'x'} · {quoted(word)}"
    x = grid(walk, read, (place, None), title, fold=BLOCK)
    at = (head.head, place, None)
    product = equation(walk, f"{head.scope}.{vector}", at, x, vector, thumb=True)
    arrays(walk, product, key=f"{head.key}-1")


def score_text(head: Head) -> str:
    """Say how the query meets the keys, with the highest score and the lowest."""
    scores, words = head.row("scores"), head.words
    text = _(texts.SCORE).format(
        word=head.word, high=words[head.most], high_score=number(scores[head.most])
    )
    if head.least is None:
        return text
    low = _(texts.SCORE_LOW).format(low=words[head.least], low_score=number(scores[head.least]))
    return f"{text} {low}"


def draw_score(head: Head) -> None:
    """Draw the query, the keys and their dot products."""
    q = grid(head.walk, f"{head.scope}.q", (head.head, head.query, None), head.title("q"))
    k = grid(head.walk, f"{head.scope}.k", (head.head, None, None), _("k of every token"))
    product = head.column("scores", "q · k")
    arrays(head.walk, [q, Op("·"), k, Op("="), product], key=f"{head.key}-2")


def scale_text(head: Head) -> str:
    """Say what is divided by what, and what the mask hides."""
    before, after = head.row("scores")[head.most], head.row("scaled")[head.most]
    text = _(texts.SCALE).format(
        d_k=head.d_k, root=short(np.sqrt(head.d_k), 3), before=number(before), after=number(after)
    )
    if not head.masked:
        return text
    hidden = texts.MASK_OPEN if head.mask.all() else texts.MASK
    return f"{text} {_(hidden).format(word=head.word)}"


def draw_scale(head: Head) -> None:
    """Draw the scores before the division and after it, and with the mask where there is one."""
    items: list[Grid | Op] = [
        head.column("scores", "q · k"),
        Op(f"÷ √{head.d_k} ="),
        head.column("scaled", "q · k ÷ √d_k"),
    ]
    if head.masked:
        items += [Op(_("mask")), head.column("masked", _("after the mask"))]
    arrays(head.walk, items, key=f"{head.key}-3")


def softmax_text(head: Head) -> str:
    """Say how scores become weights, and which is the largest."""
    text = _(texts.SOFTMAX).format(
        word=head.word,
        weight=percent(head.weights[head.most]),
        high=head.words[head.most],
        total=number(head.row("powers").sum()),
    )
    return text if head.mask.all() else f"{text} {_(texts.SOFTMAX_MASKED)}"


def draw_softmax(head: Head) -> None:
    """Draw the scores, e to their power, and the weights."""
    draw_powers(head, _("after the mask") if head.masked else "q · k ÷ √d_k")


def draw_powers(head: Head, scores: str) -> None:
    """Draw how the scores, under their name, become weights."""
    items: list[Grid | Op] = [
        head.column("masked", scores),
        Op("→"),
        head.column("powers", _("e to that power")),
        Op(f"÷ {number(head.row('powers').sum())} ="),
        head.column("weights", _("weight")),
    ]
    arrays(head.walk, items, key=f"{head.key}-4")


def weigh_text(head: Head) -> str:
    """Say how much is left of the value that counts most, and of the one that counts least."""
    words = head.words
    text = _(texts.WEIGH).format(high=words[head.most], weight=percent(head.weights[head.most]))
    if head.least is None:
        return text
    low = {"low": words[head.least], "low_weight": percent(head.weights[head.least])}
    return f"{text} {_(texts.WEIGH_LOW).format(**low)}"


def draw_weigh(head: Head) -> None:
    """Draw each value, and the same times its weight."""
    every, look = (head.head, None, None), {"reach": _reach(head), "thumb": True, "row_labels": ()}
    items: list[Grid | Op] = [
        head.column("weights", _("weight")),
        Op("×"),
        grid(head.walk, f"{head.scope}.v", every, _("v of every token"), **look),
        Op("="),
        _weighted(head, thumb=True, row_labels=()),
    ]
    arrays(head.walk, items, key=f"{head.key}-5")


def sum_text(head: Head) -> str:
    """Say what z is made of."""
    return parts_text(head, texts.SUM)


def parts_text(head: Head, text: str) -> str:
    """Fill a text with the marks {word} and {parts}: the largest weights and what is left."""
    order = np.argsort(-head.weights, kind="stable")
    part, rest = _(texts.SUM_PART), _(texts.SUM_REST)
    named = len(order) if len(order) == NAMED + 1 else NAMED
    likely = ((percent(head.weights[i]), head.words[i]) for i in order[:named])
    parts = [part.format(weight=weight, word=word) for weight, word in likely]
    if len(order) > named:
        left = float(head.weights[order[named:]].sum())
        parts.append(rest.format(weight=percent(left), n=len(order) - named))
    return _(text).format(word=head.word, parts=", ".join(parts))


def draw_sum(head: Head) -> None:
    """Draw the weighted values and their sum."""
    arrays(head.walk, [_weighted(head), Op(_("Σ of the rows =")), _z(head)], key=f"{head.key}-6")


def _weighted(head: Head, **look: Any) -> Grid:
    at = (head.head, head.query, None, None)
    name = f"{head.scope}.weighted"
    return grid(head.walk, name, at, _("weight × v"), reach=_reach(head), **look)


def _z(head: Head) -> Grid:
    name, at = f"{head.scope}.context", (head.head, head.query, None)
    return grid(head.walk, name, at, head.title("z"), reach=_reach(head))


def _reach(head: Head) -> float:
    """Return the largest number of V, so that colours fade with what is taken of it."""
    return float(np.abs(head.walk.array(f"{head.scope}.v")[head.head]).max())


SIX_STEPS: Final = (
    Step("qkv", texts.MAKE_TITLE, draw_make, make_text),
    Step("score", texts.SCORE_TITLE, draw_score, score_text),
    Step("divide", texts.SCALE_TITLE, draw_scale, scale_text),
    Step("softmax", texts.SOFTMAX_TITLE, draw_softmax, softmax_text),
    Step("weigh", texts.WEIGH_TITLE, draw_weigh, weigh_text),
    Step("sum", texts.SUM_TITLE, draw_sum, sum_text),
)
