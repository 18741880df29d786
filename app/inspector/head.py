"""What a chapter looks at: one word in one head of an attention, or on its way through a stack."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Self

import numpy as np
import streamlit as st

from app import state
from app.components.board import Grid
from app.data.atlas import HeadPlace, first_head
from app.data.attention import open_cells, scope_of
from app.data.translation import Kind, Token
from app.data.walk import ATTENTIONS, Stack, Walk
from app.format import escape, number, percent, quoted, visible
from app.i18n import N_, _
from app.inspector.arrays import grid
from app.inspector.picks import head_of, layer_of, pick_head, pick_layer, pick_word, word_of

X: Final = {
    "sum": N_("x is the token's embedding plus its position."),
    "pre": N_("x is the token's vector after layer normalisation: this model is pre-norm."),
    "post": N_("x is the token's vector, as the previous sub-layer left it."),
}
MADE: Final = state.Param[str]("made", "q", state.one_of("q", "k", "v"))
MADE_NAMES: Final = {"q": N_("query q"), "k": N_("key k"), "v": N_("value v")}
NAMED: Final = 2  # tokens that are named one by one among those that z is made of


@dataclass(frozen=True, eq=False)
class Head:
    """One query word in one head of one attention, and how its arrays are called."""

    walk: Walk
    kind: Kind
    layer: int
    head: int
    query: int

    @property
    def scope(self) -> str:
        return scope_of(self.walk, self.kind, self.layer)

    @property
    def place(self) -> tuple[str, str]:
        """What the layer and the head are called."""
        layer, head = self.layer + 1, self.head + 1
        return _("layer {n}").format(n=layer), _("head {n}").format(n=head)

    @cached_property
    def words(self) -> list[str]:
        """The words that are looked at, for Markdown."""
        return [escape(visible(token.text)) for token in self.walk.capture.keys(self.kind)]

    @property
    def word(self) -> str:
        """The word that looks, for Markdown."""
        return escape(visible(self.walk.capture.queries(self.kind)[self.query].text))

    @property
    def d_k(self) -> int:
        return self.walk.config.d_k

    @cached_property
    def mask(self) -> np.ndarray:
        """Which words may be looked at, (S,)."""
        return open_cells(self.walk.capture, self.kind, self.layer)[self.query]

    @cached_property
    def weights(self) -> np.ndarray:
        return self.row("weights")

    @property
    def most(self) -> int:
        """The word that gets the largest weight."""
        return int(self.weights.argmax())

    def row(self, stage: str) -> np.ndarray:
        """Return one number a key: scores, scaled, masked or weights, (S,)."""
        return np.asarray(self.walk.array(f"{self.scope}.{stage}")[self.head, self.query])

    def column(self, stage: str, title: str, **options: Any) -> Grid:
        """Return the query's row of a stage upright, one word a row; the mask hatches its part."""
        hatched = ATTENTIONS[self.kind].causal and stage in ("masked", "weights")
        mask = self.mask[:, None] if hatched else None
        look = {"transposed": True, "cols": (self.query,), "col_labels": (), "mask": mask}
        return self.part(stage, (None, None), title, **look, **options)

    def part(self, stage: str, at: Sequence[int | None], title: str, **options: Any) -> Grid:
        """Return a part of a stage of this head; None is a whole axis."""
        return grid(self.walk, f"{self.scope}.{stage}", (self.head, *at), title, **options)

    def title(self, vector: str) -> str:
        """Return what a vector of the word that looks is called."""
        return f"{vector} · {quoted(self.walk.capture.queries(self.kind)[self.query].text)}"


def read_from(walk: Walk, name: str) -> str:
    """Say what the vectors are that an attention reads, by the array's name."""
    kinds = {"src.sum": "sum", "tgt.sum": "sum"}
    return _(X[kinds.get(name, walk.config.norm)])


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


def pick_look(head: Head) -> None:
    """Draw the choices in one row."""
    capture, cross = head.walk.capture, _("The translation token that does the looking")
    label = _("The token that looks") if ATTENTIONS[head.kind].own else cross
    with st.container(horizontal=True, gap="medium", key="picks"):
        pick_word(capture.queries(head.kind), label, head.query)
        pick_layer(capture.n_layers(head.kind), head.layer)
        pick_head(capture.n_heads, head.head)


def look_of(walk: Walk, kind: Kind, first: Callable[[Head], int]) -> Head:
    """Return what is chosen; `first` says which word of the chosen head it is at first.

    At first, a chapter looks through the first layer, and at the source through the best head.
    """
    capture = walk.capture
    best = first_head(walk.translation.model, kind) if kind == "cross" else HeadPlace(0, 0)
    layer = layer_of(capture.n_layers(kind), best.layer)
    head = Head(walk, kind, layer, head_of(capture.n_heads, best.head), 0)
    return replace(head, query=word_of(capture.queries(kind), first(head)))


def looks_away(head: Head) -> int:
    """Return the word that looks most decidedly at another one in the encoder's first head."""
    weights = np.array(head.walk.capture.weights("encoder", 0, 0), dtype=float)  # (T, T)
    np.fill_diagonal(weights, 0)
    words = _words(head.walk)
    if words.sum() < 2:
        return 0
    chosen = np.where(np.outer(words, words), weights, -1)
    return int(np.unravel_index(chosen.argmax(), chosen.shape)[0])


def divides_heads(head: Head) -> int:
    """Return the word about which the heads of the encoder's first layer disagree most."""
    weights = head.walk.capture.weights("encoder", 0)  # (H, T, T)
    apart = (weights.max(0) - weights.mean(0)).sum(-1)  # (T,)
    return int(np.where(_words(head.walk), apart, -1).argmax())


def surest(head: Head) -> int:
    """Return the word that looks most at one word of the source, in its encoder-decoder head."""
    weights = head.walk.array(f"{head.scope}.weights")[head.head]  # (T, S)
    words = [not token.special for token in head.walk.capture.src]
    return int((weights[:, words] if any(words) else weights).max(-1).argmax())


def _words(walk: Walk) -> np.ndarray:
    words = (not token.special and any(map(str.isalpha, token.text)) for token in walk.capture.src)
    return np.fromiter(words, bool)


@dataclass(frozen=True, eq=False)
class InStack:
    """One word in a stack, and one layer of it; both count from 0."""

    walk: Walk
    stack: Stack
    layer: int
    word: int

    @classmethod
    def chosen(cls, walk: Walk, stack: Stack, first: int = 0) -> Self:
        """Return the layer and the word that are chosen; `first` is the word at first."""
        capture = walk.capture
        layer = layer_of(capture.n_layers(stack))
        return cls(walk, stack, layer, word_of(capture.queries(stack), first))

    @property
    def tokens(self) -> tuple[Token, ...]:
        """What the stack reads."""
        return self.walk.capture.queries(self.stack)

    @property
    def words(self) -> list[str]:
        return [token.text for token in self.tokens]

    @property
    def text(self) -> str:
        """The word itself."""
        return self.words[self.word]

    @property
    def n_layers(self) -> int:
        return self.walk.capture.n_layers(self.stack)

    @property
    def parts(self) -> tuple[str, ...]:
        """The sub-layers of each layer."""
        return self.walk.config.stacks[self.stack].sublayers

    @property
    def scope(self) -> str:
        return f"{self.stack}.{self.layer}"

    def strip(self, name: str, title: str, **options: Any) -> Grid:
        """Return the word's vector in an array (T, D)."""
        return grid(self.walk, name, (self.word, None), title, **options)
