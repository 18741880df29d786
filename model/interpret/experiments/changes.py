"""What can be changed in a run: one class a kind of change, with all that belongs to it.

Its fields, its lines of the page's menu, its sentence, and what it does to which activation; the
same operation recomputes it in float64. Of two changes of one array and one `turn`, that comes
first whose class does here. Nothing else names a class: a new one is added here.

B batch, H heads, T query tokens, S key tokens, D = d_model, d_k = D / H.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Final, Literal, get_args

import numpy as np
import torch
from torch import Tensor

from model.config import ATTENTIONS, Kind, Side, Stack
from model.errors import N_, UserError
from model.interpret.capture import Capture
from model.interpret.experiments.change import (
    BETWEEN_FIELDS,
    FIELDS,
    Action,
    Change,
    Fit,
    Offer,
    Scene,
    Slots,
    known,
    put,
    within,
)
from model.interpret.experiments.patch import Patch
from model.nn.hooks import NO_HOOK

__all__ = ["Patch"]

Look = Literal["uniform", "itself", "before"]

MOST_CHANGES: Final = 64
LONGEST_TEXT: Final = 20_000  # characters of all changes together
BETWEEN_CHANGES: Final = "~"
OWN: Final = tuple(kind for kind, one in ATTENTIONS.items() if one.own)
# The attentions in which words of a side are looked at.
KINDS_OF: Final = {
    side: tuple(kind for kind, one in ATTENTIONS.items() if one.keys == side)
    for side in get_args(Side)
}


@dataclass(frozen=True)
class MuteHeads(Change):
    """What a head hands over, its context, becomes 0, or at each position the same mean vector.

    The mean is that of the head's context over all positions of the unchanged run.
    """

    word = "mute"
    offers = (
        Offer("heads", N_("Mute"), ("place",)),
        Offer("heads", N_("Always the same mean vector"), ("place",), {"to": "mean"}),
    )
    kind: Kind
    layer: int | None = None
    heads: tuple[int, ...] = ()
    to: Literal["zero", "mean"] = "zero"

    def sentence(self) -> str:
        if self.to == "zero":
            return N_("{place}: mute")
        return N_("{place}: always the same mean vector")

    def actions(self, fit: Fit) -> Iterator[Action]:
        heads = fit.heads(self.heads)
        for scope, _ in fit.scopes(self.kind, self.layer):
            name = f"{scope}.context"
            before = fit.original.arrays[name].mean(-2, keepdims=True, dtype=np.float64)
            mean = torch.from_numpy(before.astype(np.float32))  # (H, 1, d_k)
            value = torch.zeros_like(mean) if self.to == "zero" else mean
            yield Action(name, partial(_mute, heads, value))


def _mute(heads: Tensor, value: Tensor, context: Tensor, scene: Scene) -> Tensor:
    return torch.where(heads, value.to(context.dtype), context)  # (B, H, T, d_k)


@dataclass(frozen=True)
class LookLike(Change):
    """Heads look at all open words alike, only at the own word, or only at the word before.

    The first word has none before it and looks at itself; a word that may not look there keeps
    its weights. In encoder-decoder attention only `uniform` has a meaning.
    """

    word = "look"
    offers = (
        Offer("heads", N_("Look at all words alike"), ("place",), {"how": "uniform"}),
        Offer("heads", N_("Look only at oneself"), ("place",), {"how": "itself"}, OWN),
        Offer("heads", N_("Look only at the word before"), ("place",), {"how": "before"}, OWN),
    )
    how: Look
    kind: Kind
    layer: int | None = None
    heads: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if not ATTENTIONS[self.kind].own and self.how != "uniform":
            raise UserError("not_one_of", "how", value=self.how, names="uniform")

    def sentence(self) -> str:
        return {
            "uniform": N_("{place}: look at all words alike"),
            "itself": N_("{place}: each word looks only at itself"),
            "before": N_("{place}: each word looks only at the one before"),
        }[self.how]

    def actions(self, fit: Fit) -> Iterator[Action]:
        heads = fit.heads(self.heads)
        for scope, kind in fit.scopes(self.kind, self.layer):
            masked = f"{scope}.masked"
            look = partial(_look, heads, kind, masked, self.how, 0)
            yield Action(f"{scope}.weights", look, (masked,))


@dataclass(frozen=True)
class LookAt(Change):
    """Heads look only at one word; a word that may not look at it keeps its weights."""

    word = "lookat"
    template = N_("{place}: look only at {word}")
    offers = (Offer("heads", N_("Look only at one word"), ("place", "key")),)
    position: int
    kind: Kind
    layer: int | None = None
    heads: tuple[int, ...] = ()

    @property
    def side(self) -> Side:
        return ATTENTIONS[self.kind].keys

    def actions(self, fit: Fit) -> Iterator[Action]:
        heads = fit.heads(self.heads)
        for scope, kind in fit.scopes(self.kind, self.layer):
            place, masked = fit.place(self.side, self.position), f"{scope}.masked"
            look = partial(_look, heads, kind, masked, None, place)
            yield Action(f"{scope}.weights", look, (masked,))


def _look(
    heads: Tensor,
    kind: Kind,
    masked: str,
    how: Look | None,
    place: int,
    weights: Tensor,
    scene: Scene,
) -> Tensor:
    """Let heads look where `how` says or, if it says nothing, at the word at `place`."""
    open_ = scene.kept[masked] > -math.inf  # (B, H, T, S)
    if how == "uniform":
        alike = open_.to(weights.dtype)
        return torch.where(heads, alike / alike.sum(-1, keepdim=True), weights)
    T, S = weights.shape[-2:]
    rows, keys = scene.rows(T, ATTENTIONS[kind].queries), scene.keys(S, kind)
    wanted = torch.full_like(rows, place)
    if how is not None:
        wanted = rows if how == "itself" else (rows - 1).clamp(min=0)
    only = (keys == wanted[:, None]) & open_  # (B, H, T, S)
    return torch.where(heads & only.any(-1, keepdim=True), only.to(weights.dtype), weights)


@dataclass(frozen=True)
class EditRow(Change):
    """Some weights of one row, the query at `row`, are set: `cells` are (position, weight).

    The others keep their proportions and share what is left of 1. If they are all 0 they share
    it alike; if there are none, the weights that were set are scaled to add up to 1. A cell that
    may not be looked at is passed over. If all have the weights that are set, nothing changes.
    """

    word = "edit"
    template = N_("{place}: {row} looks at {cells}")
    kind: Kind
    layer: int
    head: int
    row: int
    cells: tuple[tuple[int, float], ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        for position, _ in self.cells:
            if ATTENTIONS[self.kind].causal and position > self.row:
                raise UserError("comes_later", "cells", row=self.row, value=position)

    @property
    def heads(self) -> tuple[int]:
        return (self.head,)

    @property
    def at(self) -> tuple[Kind, int, int, int]:
        """The row: kind, layer, head and query."""
        return self.kind, self.layer, self.head, self.row

    def replaces(self, other: Change) -> bool:
        return isinstance(other, EditRow) and self.at == other.at

    def actions(self, fit: Fit) -> Iterator[Action]:
        fit.heads(self.heads)
        for scope, kind in fit.scopes(self.kind, self.layer):
            queries, keys = ATTENTIONS[kind].queries, ATTENTIONS[kind].keys
            cells = {fit.place(keys, position): weight for position, weight in self.cells}
            row, masked = fit.place(queries, self.row), f"{scope}.masked"
            edit = partial(_edit, kind, masked, self.head, row, cells)
            yield Action(f"{scope}.weights", edit, (masked,))


def _edit(
    kind: Kind,
    masked: str,
    head: int,
    row: int,
    cells: Mapping[int, float],
    weights: Tensor,
    scene: Scene,
) -> Tensor:
    """Set some weights of one row of a head, the others keeping their proportions."""
    T, S = weights.shape[-2:]
    here = scene.rows(T, ATTENTIONS[kind].queries) == row  # (T,)
    if not here.any():
        return weights
    keys, old = scene.keys(S, kind), weights[:, head]  # (S,), (B, T, S)
    open_ = scene.kept[masked][:, head] > -math.inf  # (B, T, S)
    wanted = torch.zeros(S, dtype=old.dtype)
    for position, weight in cells.items():
        wanted[keys == position] = weight
    chosen = torch.isin(keys, torch.tensor(list(cells))) & open_  # (B, T, S)
    edited = weights.clone()
    edited[:, head] = torch.where(here[:, None], _share(old, wanted, chosen, open_), old)
    return edited


def _share(old: Tensor, wanted: Tensor, chosen: Tensor, open_: Tensor) -> Tensor:
    """Give the chosen cells of rows their weights, and what is left of 1 to the others."""
    new = torch.where(chosen, wanted, 0.0)
    others = open_ & ~chosen
    rest = torch.where(others, old, 0.0)
    rest = torch.where(rest.sum(-1, keepdim=True) > 0, rest, others.to(old.dtype))
    left = (1 - new.sum(-1, keepdim=True)).clamp(min=0)
    shared = new + left * rest / rest.sum(-1, keepdim=True)
    # Where all that may be looked at was chosen, the weights are scaled instead.
    total = new.sum(-1, keepdim=True)
    scaled = torch.where(total > 0, new / total, chosen / chosen.sum(-1, keepdim=True))
    edited = torch.where(others.any(-1, keepdim=True), shared, scaled).to(old.dtype)
    same = torch.where(chosen, wanted == old, True).all(-1, keepdim=True)
    return torch.where(same, old, edited)


@dataclass(frozen=True)
class HideWords(Change):
    """No word looks at some words, except these at themselves: in all attentions, or in some.

    Source words are hidden from the encoder's self-attention and the encoder-decoder attention.
    """

    word = "hide"
    offers = (Offer("words", N_("Nobody looks at it"), ("word",)),)
    side: Side
    positions: tuple[int, ...]
    kind: Kind | None = None
    layer: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind not in (None, *KINDS_OF[self.side]):
            names = ", ".join(KINDS_OF[self.side])
            raise UserError("not_one_of", "kind", value=self.kind, names=names)

    def sentence(self) -> str:
        if self.kind is None and self.layer is None:
            return N_("Nobody looks at {words}")
        return N_("{place}: nobody looks at {words}")

    def actions(self, fit: Fit) -> Iterator[Action]:
        places = fit.places(self.side, self.positions)
        for scope, kind in fit.scopes(self.kind, self.layer, KINDS_OF[self.side]):
            if not ATTENTIONS[kind].own:
                fit.hidden[scope].update(places)
            yield Action(f"{scope}.masked", partial(_hide, kind, torch.tensor(places)))


def _hide(kind: Kind, places: Tensor, masked: Tensor, scene: Scene) -> Tensor:
    """Put −∞ in place of the masked scores for some words, but for their own of themselves."""
    T, S = masked.shape[-2:]
    rows, keys = scene.rows(T, ATTENTIONS[kind].queries), scene.keys(S, kind)
    closed = torch.isin(keys, places).expand(T, S)
    if ATTENTIONS[kind].own:
        closed = closed & (keys != rows[:, None])
    return masked.masked_fill(closed, -math.inf)


@dataclass(frozen=True)
class SwapWord(Change):
    """Other tokens are read in the place of some.

    In the source they may be more or fewer: each takes a place, and the last place takes all that
    are left. In the target they are as many, and the decoder reads them there whatever was written.
    """

    word = "swap"
    template = N_("Read {new} in place of {words}")
    offers = (Offer("words", N_("Read another word there"), ("word", "instead")),)
    side: Side
    positions: tuple[int, ...]
    ids: tuple[int, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.side == "tgt" and len(self.ids) != len(self.positions):
            count = len(self.positions)
            raise UserError("out_of_range", "ids", value=len(self.ids), low=count, most=count)

    def read(self, run: Capture, slots: Slots, order: Sequence[int]) -> Sequence[int]:
        if self.side == "src":
            _put_tokens(run, slots, self.positions, self.ids)
        return order

    def actions(self, fit: Fit) -> Iterator[Action]:
        if self.side == "src":  # other tokens are read
            return
        fit.places("tgt", self.positions)
        known(fit.original, self.ids, fit.config.n_tgt_vocab)
        rows = fit.model.lookup(fit.model.tgt_embed, torch.tensor([self.ids]), NO_HOOK)[0]  # (n, D)
        for position, row in zip(self.positions, rows, strict=True):
            yield Action("tgt.embed", partial(put, "tgt", position, row))


@dataclass(frozen=True)
class LeaveOut(Change):
    """Some source tokens are not read."""

    word = "leaveout"
    template = N_("Leave out {words}")
    offers = (Offer("words", N_("Leave it out"), ("source_word",)),)
    positions: tuple[int, ...]

    def read(self, run: Capture, slots: Slots, order: Sequence[int]) -> Sequence[int]:
        _put_tokens(run, slots, self.positions, ())
        return order


def _put_tokens(run: Capture, slots: Slots, positions: Sequence[int], ids: Sequence[int]) -> None:
    last = len(positions) - 1
    within("positions", positions[last], len(slots))
    known(run, ids, run.config.vocab_size)
    for position in positions:
        slots[position] = []
    for i, token in enumerate(ids):
        slots[positions[min(i, last)]].append(token)


@dataclass(frozen=True)
class Reorder(Change):
    """The source tokens in another order: for each place, the position of its token."""

    word = "order"
    template = N_("Read the words in another order: {order}")
    offers = (Offer("words", N_("Change places with the next word"), ("source_word", "next")),)
    order: tuple[int, ...]

    def read(self, run: Capture, slots: Slots, order: Sequence[int]) -> Sequence[int]:
        if len(self.order) != len(slots):
            raise UserError("not_an_order", "order", value=self.order)
        return [order[i] for i in self.order]


@dataclass(frozen=True)
class WithoutPositions(Change):
    """0 in place of the positional encodings, of one side or both."""

    word = "nopos"
    offers = (Offer("words", N_("No positions"), ("side",)),)
    side: Side | None = None

    def sentence(self) -> str:
        return {
            "src": N_("The source without positions"),
            "tgt": N_("The translation without positions"),
            None: N_("Both sentences without positions"),
        }[self.side]

    def actions(self, fit: Fit) -> Iterator[Action]:
        fit.only_transformer("positions")
        for side in [self.side] if self.side else get_args(Side):
            yield Action(f"{side}.pos", _zero)


@dataclass(frozen=True)
class WithoutCausalMask(Change):
    """The decoder's words look at those that follow them, as far as these are written."""

    word = "nomask"
    turn = 0
    cached = False
    offers = (Offer("parts", N_("The causal mask"), ("layer",)),)
    layer: int | None = None

    def sentence(self) -> str:
        if self.layer is None:
            return N_("Decoder: without the causal mask")
        return N_("Decoder layer {layer}: without the causal mask")

    def actions(self, fit: Fit) -> Iterator[Action]:
        fit.only_transformer("causal")
        causal = [kind for kind, one in ATTENTIONS.items() if one.causal]
        for scope, _ in fit.scopes(None, self.layer, causal):
            yield _in_place_of(f"{scope}.masked", f"{scope}.scaled")


@dataclass(frozen=True)
class WithoutScaling(Change):
    """The scores are not divided by √d_k."""

    word = "noscale"
    template = N_("{place}: without ÷ √d_k")
    offers = (Offer("parts", N_("The division by √d_k"), ("place",)),)
    kind: Kind | None = None
    layer: int | None = None
    heads: tuple[int, ...] = ()

    def actions(self, fit: Fit) -> Iterator[Action]:
        fit.only_transformer("scaled")
        heads = fit.heads(self.heads)
        for scope, _ in fit.scopes(self.kind, self.layer):
            scores = f"{scope}.scores"
            yield Action(f"{scope}.scaled", partial(_unscaled, heads, scores), (scores,))


def _unscaled(heads: Tensor, scores: str, scaled: Tensor, scene: Scene) -> Tensor:
    return torch.where(heads, scene.kept[scores], scaled)


@dataclass(frozen=True)
class WithoutResidual(Change):
    """After one sub-layer, counted from 1, only its output goes on: x is not added."""

    word = "noadd"
    template = N_("{part}: without the residual connection")
    offers = (Offer("parts", N_("A residual connection"), ("sublayer",)),)
    stack: Stack
    layer: int
    sublayer: int

    def actions(self, fit: Fit) -> Iterator[Action]:
        name = f"{fit.add_norm(self.stack, self.layer, self.sublayer)}.add"
        yield _in_place_of(name, fit.stages[name].inputs[1])


@dataclass(frozen=True)
class WithoutFeedForward(Change):
    """A feed-forward network hands over 0."""

    word = "noffn"
    template = N_("{part}: without the feed-forward network")
    offers = (Offer("parts", N_("A feed-forward network"), ("stack",)),)
    stack: Stack
    layer: int | None = None

    def actions(self, fit: Fit) -> Iterator[Action]:
        for layer in fit.layers(self.stack, self.layer):
            yield Action(f"{self.stack}.{layer}.ffn.out", _zero)


@dataclass(frozen=True)
class WithoutNorm(Change):
    """One normalisation hands on what it gets; no layer means the last one of a pre-norm stack."""

    word = "nonorm"
    offers = (Offer("parts", N_("A normalisation"), ("sublayer",)),)
    stack: Stack
    layer: int | None = None
    sublayer: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.layer is None) != (self.sublayer is None):
            raise UserError("out_of_range", "sublayer", value=self.sublayer, low=1, most=3)

    def sentence(self) -> str:
        if self.layer is None:
            return N_("{part}: without the last normalisation")
        return N_("{part}: without the normalisation")

    def actions(self, fit: Fit) -> Iterator[Action]:
        fit.only_transformer("stack")
        name = f"{self.stack}.norm"
        if self.layer is not None and self.sublayer is not None:
            name = f"{fit.add_norm(self.stack, self.layer, self.sublayer)}.norm"
        if name not in fit.stages:
            raise UserError("no_such_stage", "stack", name=name)
        yield _in_place_of(name, fit.stages[name].inputs[0])


@dataclass(frozen=True)
class Temperature(Change):
    """The masked scores are divided by a temperature before the softmax."""

    word = "temp"
    template = N_("{place}: softmax at temperature {temperature}")
    offers = (Offer("parts", N_("The temperature of a softmax"), ("temperature", "place")),)
    temperature: float
    kind: Kind | None = None
    layer: int | None = None
    heads: tuple[int, ...] = ()

    def actions(self, fit: Fit) -> Iterator[Action]:
        heads = fit.heads(self.heads)
        for scope, _ in fit.scopes(self.kind, self.layer):
            yield Action(f"{scope}.masked", partial(_temper, heads, self.temperature))


def _temper(heads: Tensor, temperature: float, masked: Tensor, scene: Scene) -> Tensor:
    return torch.where(heads, masked / temperature, masked)


def _zero(tensor: Tensor, scene: Scene) -> Tensor:
    return torch.zeros_like(tensor)


def _in_place_of(name: str, other: str) -> Action:
    """Put another activation in the place of one."""
    return Action(name, lambda tensor, scene: scene.kept[other], (other,))


CLASSES: Final = tuple(Change.__subclasses__())
_BY_WORD: Final = {one.word: one for one in CLASSES}


def in_turn(changes: Iterable[Change]) -> list[Change]:
    """Return changes in the order in which they are made; those of one class as they came."""
    return sorted(changes, key=lambda change: (change.turn, CLASSES.index(type(change))))


def write(changes: Iterable[Change]) -> str:
    """Return changes as one text for an address; no change is an empty text."""
    return BETWEEN_CHANGES.join(change.text for change in changes)


def parse(text: str) -> tuple[Change, ...]:
    """Read what `write` wrote; raises UserError for any other text."""
    try:
        if len(text) > LONGEST_TEXT or text.count(BETWEEN_CHANGES) >= MOST_CHANGES:
            raise ValueError
        return tuple(map(_parse, text.split(BETWEEN_CHANGES))) if text else ()
    except (KeyError, ValueError) as error:
        raise UserError("bad_change", "changes", what=text[:80]) from error


def _parse(text: str) -> Change:
    word, *parts = text.split(BETWEEN_FIELDS)
    one = _BY_WORD[word]
    named = dict(zip((field.name for field in fields(one)), parts, strict=False))
    if len(named) < len(parts):
        raise ValueError
    # What is empty is left to its default, and refused by the class where there is none.
    try:
        return one(**{name: FIELDS[name].read(part) for name, part in named.items() if part})
    except TypeError as error:
        raise ValueError from error
