"""Attention step by step, for one token, layer and head: the same for all three attentions."""

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from app import state
from app.components.board import Grid, Op
from app.format import number, percent, quoted, short
from app.i18n import N_, _
from app.inspector.arrays import BLOCK, arrays, equation, grid
from app.inspector.head import Head, read_from
from app.inspector.naming import labels_of
from app.ui.pickers import pick
from app.ui.section import say

MADE: Final = state.Param[str]("made", "q", state.one_of("q", "k", "v"))
MADE_NAMES: Final = {"q": N_("query q"), "k": N_("key k"), "v": N_("value v")}
NAMED: Final = 2  # tokens that are named one by one among those that z is made of


class ScreenLink(NamedTuple):
    """A screen: its address, its title, what draws it, and earlier addresses."""

    slug: str
    title: str
    draw: Callable[[Head], None]
    was: tuple[str, ...] = ()


def draw_make(head: Head) -> None:
    """Draw x × W + b for the one of q, k and v that is chosen."""
    walk, vector = head.walk, MADE.get()
    read, place = head.reader(vector)
    text = _(
        "Three learned matrices turn the same x into three vectors: a query q (what “{word}” looks "
        "for), a key k (what it can be found by) and a value v (what it passes on). Each has d_k = "
        "{d_k} numbers; x has {d_model}."
    ).format(word=head.word, d_k=head.d_k, d_model=walk.config.d_model)
    say(f"{text} {read_from(walk, read)}")
    pick(MADE, _("Make"), MADE_NAMES, label_visibility="collapsed")
    word = labels_of(walk, read, 0)[place]
    title = f"{'m' if read == 'memory' else 'x'} · {quoted(word)}"
    x = grid(walk, read, (place, None), title, fold=BLOCK)
    at = (head.head, place, None)
    product = equation(walk, f"{head.scope}.{vector}", at, x, vector)
    arrays(walk, product, key=f"{head.key}-1")


def score_text(head: Head) -> str:
    """Say how the query meets the keys, what is divided by what, and what the mask hides."""
    highest, scaled = head.row("scores")[head.most], head.row("scaled")[head.most]
    sizes = {"d_k": head.d_k, "root": short(np.sqrt(head.d_k), 3)}
    values = {"before": number(highest), "after": number(scaled)}
    text = _(
        "The query of “{word}” is compared with the key of every token: multiply number by number "
        "and add up. This dot product is the score: the better the two match, the higher it is. "
        "“{high}” matches best: {before}. A sum of {d_k} products is spread √{d_k} = {root} times "
        "as widely as a single one; the division makes up for that: {after}."
    ).format(word=head.word, high=head.words[head.most], **sizes, **values)
    if not head.masked:
        return text
    hidden = _("“{word}” is the last token: the mask hides nothing from it.")
    if not head.mask.all():
        hidden = _(
            "Then the mask: what follows “{word}” does not exist yet when the model writes. Its "
            "scores become −∞."
        )
    return f"{text} {hidden.format(word=head.word)}"


def draw_score(head: Head) -> None:
    """Draw the query, the keys and their dot products, then divided, with the mask if any."""
    say(score_text(head))
    items: list[Grid | Op] = [
        grid(head.walk, f"{head.scope}.q", (head.head, head.query, None), head.title("q")),
        Op("·"),
        grid(head.walk, f"{head.scope}.k", (head.head, None, None), _("k of every token")),
        Op("="),
        head.column("scores", "q · k"),
        Op(f"÷ √{head.d_k} ="),
        head.column("scaled", "q · k ÷ √d_k", row_labels=()),
    ]
    if head.masked:
        items += [Op(_("mask")), head.column("masked", _("after the mask"))]
    arrays(head.walk, items, key=f"{head.key}-2")


def softmax_text(head: Head) -> str:
    """Say how scores become weights, and which is the largest."""
    text = _(
        "Raise e to the power of each score, so that all are positive, and divide by their sum, "
        "{total}. Every weight now lies in [0, 1], and together they add up to 1. “{word}” gives "
        "{weight} of its attention to “{high}”."
    ).format(
        word=head.word,
        weight=percent(head.weights[head.most]),
        high=head.words[head.most],
        total=number(head.row("powers").sum()),
    )
    hidden = _("e to the power of −∞ is 0: a hidden token gets no weight.")
    return text if head.mask.all() else f"{text} {hidden}"


def draw_softmax(head: Head) -> None:
    """Draw the scores, e to their power, and the weights."""
    say(softmax_text(head))
    scores = _("after the mask") if head.masked else "q · k ÷ √d_k"
    items: list[Grid | Op] = [
        head.column("masked", scores),
        Op("→"),
        head.column("powers", _("e to that power")),
        Op(f"÷ {number(head.row('powers').sum())} ="),
        head.column("weights", _("weight")),
    ]
    arrays(head.walk, items, key=f"{head.key}-3")


def parts_text(head: Head, text: str) -> str:
    """Fill a text with the marks {word} and {parts}: the largest weights and what is left."""
    order = np.argsort(-head.weights, kind="stable")
    part, rest = _("{weight} of “{word}”"), _("{weight} of the other {n}")
    named = len(order) if len(order) == NAMED + 1 else NAMED
    likely = ((percent(head.weights[i]), head.words[i]) for i in order[:named])
    parts = [part.format(weight=weight, word=word) for weight, word in likely]
    if len(order) > named:
        left = float(head.weights[order[named:]].sum())
        parts.append(rest.format(weight=percent(left), n=len(order) - named))
    return _(text).format(word=head.word, parts=", ".join(parts))


def draw_sum(head: Head) -> None:
    """Draw each value, the same times its weight, and the sum of the rows."""
    text = N_(
        "Multiply each token's value by its weight: a large weight keeps it, a small one fades it "
        "out. Add up the rows, and you have z, what this head found for “{word}”: {parts}."
    )
    say(parts_text(head, text))
    walk, every = head.walk, (head.head, None, None)
    look = {"reach": _reach(head), "thumb": True, "row_labels": ()}
    at = (head.head, head.query)
    items: list[Grid | Op] = [
        head.column("weights", _("weight")),
        Op("×"),
        grid(walk, f"{head.scope}.v", every, _("v of every token"), **look),
        Op("="),
        grid(walk, f"{head.scope}.weighted", (*at, None, None), _("weight × v"), **look),
        Op(_("Σ of the rows =")),
        grid(walk, f"{head.scope}.context", (*at, None), head.title("z"), reach=_reach(head)),
    ]
    arrays(walk, items, key=f"{head.key}-4")


def _reach(head: Head) -> float:
    """Return the largest number of V, so that colours fade with what is taken of it."""
    return float(np.abs(head.walk.array(f"{head.scope}.v")[head.head]).max())


STEPS: Final = (
    ScreenLink("qkv", N_("1 · Make a query, a key and a value"), draw_make),
    ScreenLink("score", N_("2 · Score every token, divide by √d_k"), draw_score, ("divide",)),
    ScreenLink("softmax", N_("3 · Softmax: scores become weights"), draw_softmax),
    ScreenLink("sum", N_("4 · The weighted sum: z"), draw_sum, ("weigh",)),
)
