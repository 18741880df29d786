"""What can be changed in a run: one frozen class a kind of change, each with a text for an address.

A `position` counts the tokens of the unchanged run from 0: those of the source, which ends with
<eos>, or of the target, which starts with <bos>. No layer or head means all of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, Final, Literal, NamedTuple
from urllib.parse import quote, unquote

import numpy as np

from model.config import Kind
from model.errors import UserError

Side = Literal["src", "tgt"]
Stack = Literal["encoder", "decoder"]
Look = Literal["uniform", "itself", "before"]

MOST_CHANGES: Final = 64
LONGEST_TEXT: Final = 20_000  # characters of all changes together
LARGEST: Final = 999_999  # a position, layer, head or token
LONGEST_RUN: Final = 4_000  # characters that say which run a patch comes from
BETWEEN_CHANGES, BETWEEN_FIELDS, BETWEEN_ITEMS = "~", "-", "_"


@dataclass(frozen=True)
class Change:
    """One change; raises UserError with the value that makes no sense.

    Its text is its word and its fields: `mute-cross-1-3_5`; a field left at its default is empty.
    """

    word: ClassVar[str]

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.default is MISSING or value != field.default:
                clean = FORMS[field.name].clean(field.name, value)
                object.__setattr__(self, field.name, clean)

    @property
    def text(self) -> str:
        parts = [self.word]
        for field in fields(self):
            value = getattr(self, field.name)
            default = field.default is not MISSING and value == field.default
            parts.append("" if default else FORMS[field.name].write(value))
        return BETWEEN_FIELDS.join(parts).rstrip(BETWEEN_FIELDS)


@dataclass(frozen=True)
class MuteHeads(Change):
    """What a head hands over, its context, becomes 0, or at each position the same mean vector.

    The mean is that of the head's context over all positions of the unchanged run.
    """

    word = "mute"
    kind: Kind
    layer: int | None = None
    heads: tuple[int, ...] = ()
    to: Literal["zero", "mean"] = "zero"


@dataclass(frozen=True)
class LookAt(Change):
    """Heads look only at one word; who may not look at it keeps the weights of before."""

    word = "lookat"
    position: int
    kind: Kind
    layer: int | None = None
    heads: tuple[int, ...] = ()


@dataclass(frozen=True)
class LookLike(Change):
    """Heads look at all open words alike, only at the own word, or only at the word before.

    The first word has none before it and looks at itself; a word that may not look there keeps
    its weights. In encoder-decoder attention only `uniform` has a meaning.
    """

    word = "look"
    how: Look
    kind: Kind
    layer: int | None = None
    heads: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind == "cross" and self.how != "uniform":
            raise UserError("not_one_of", "how", value=self.how, names="uniform")


@dataclass(frozen=True)
class EditRow(Change):
    """Some weights of one row, the query at `row`, are set: `cells` are (position, weight).

    The others keep their proportions and share what is left of 1. If they are all 0 they share
    it alike; if there are none, the weights that were set are scaled to add up to 1. A cell that
    may not be looked at is passed over. If all have the weights that are set, nothing changes.
    """

    word = "edit"
    kind: Kind
    layer: int
    head: int
    row: int
    cells: tuple[tuple[int, float], ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        for position, _ in self.cells:
            if self.kind == "decoder" and position > self.row:
                raise UserError("comes_later", "cells", row=self.row, value=position)


@dataclass(frozen=True)
class HideWords(Change):
    """Nobody looks at some words, but they at themselves; of all attentions, or one kind or layer.

    Source words are hidden from the encoder's self-attention and the encoder-decoder attention.
    """

    word = "hide"
    side: Side
    positions: tuple[int, ...]
    kind: Kind | None = None
    layer: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind not in (None, *KINDS_OF[self.side]):
            names = ", ".join(KINDS_OF[self.side])
            raise UserError("not_one_of", "kind", value=self.kind, names=names)


@dataclass(frozen=True)
class SwapWord(Change):
    """Other tokens are read in the place of some.

    In the source they may be more or fewer: each takes a place, and the last place takes all that
    are left. In the target they are as many, and the decoder reads them there whatever was written.
    """

    word = "swap"
    side: Side
    positions: tuple[int, ...]
    ids: tuple[int, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.side == "tgt" and len(self.ids) != len(self.positions):
            count = len(self.positions)
            raise UserError("out_of_range", "ids", value=len(self.ids), low=count, most=count)


@dataclass(frozen=True)
class LeaveOut(Change):
    """Some source tokens are not read."""

    word = "leaveout"
    positions: tuple[int, ...]


@dataclass(frozen=True)
class Reorder(Change):
    """The source tokens in another order: for each place, the position of its token."""

    word = "order"
    order: tuple[int, ...]


@dataclass(frozen=True)
class WithoutPositions(Change):
    """0 in place of the positional encodings, of one side or both."""

    word = "nopos"
    side: Side | None = None


@dataclass(frozen=True)
class WithoutCausalMask(Change):
    """The decoder's words look at those that follow them, as far as these are written."""

    word = "nomask"
    layer: int | None = None


@dataclass(frozen=True)
class WithoutScaling(Change):
    """The scores are not divided by √d_k."""

    word = "noscale"
    kind: Kind | None = None
    layer: int | None = None
    heads: tuple[int, ...] = ()


@dataclass(frozen=True)
class WithoutResidual(Change):
    """After one sub-layer, counted from 1, only its output goes on: x is not added."""

    word = "noadd"
    stack: Stack
    layer: int
    sublayer: int


@dataclass(frozen=True)
class WithoutFeedForward(Change):
    """A feed-forward network hands over 0."""

    word = "noffn"
    stack: Stack
    layer: int | None = None


@dataclass(frozen=True)
class WithoutNorm(Change):
    """One normalisation hands on what it gets; no layer means the last one of a pre-norm stack."""

    word = "nonorm"
    stack: Stack
    layer: int | None = None
    sublayer: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.layer is None) != (self.sublayer is None):
            raise UserError("out_of_range", "sublayer", value=self.sublayer, low=1, most=3)


@dataclass(frozen=True)
class Temperature(Change):
    """The masked scores are divided by a temperature before the softmax."""

    word = "temp"
    temperature: float
    kind: Kind | None = None
    layer: int | None = None
    heads: tuple[int, ...] = ()


@dataclass(frozen=True)
class Patch(Change):
    """The numbers that another run `of` has at its position `at`, in place of these at `position`.

    `name` is that of any activation; a position of its rows, all heads together. `of` is a name
    that whoever makes the runs knows, such as a sentence.
    """

    word = "patch"
    name: str
    position: int
    of: str
    at: int


KINDS_OF: Final[dict[Side, tuple[Kind, ...]]] = {"src": ("encoder", "cross"), "tgt": ("decoder",)}
CLASSES: Final = tuple(Change.__subclasses__())
_BY_WORD: Final = {one.word: one for one in CLASSES}


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
        return one(**{name: FORMS[name].read(part) for name, part in named.items() if part})
    except TypeError as error:
        raise ValueError from error


class Form(NamedTuple):
    """How the values of a field are checked, written and read."""

    clean: Callable[[str, Any], Any]
    write: Callable[[Any], str]
    read: Callable[[str], Any]


def _choice(*names: str) -> Form:
    def clean(field: str, value: Any) -> str:
        if value not in names:
            raise UserError("not_one_of", field, value=value, names=", ".join(names))
        return str(value)

    return Form(clean, str, str)


def _whole(field: str, value: Any, low: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= LARGEST:
        raise UserError("out_of_range", field, value=value, low=low, most=LARGEST)
    return value


def _read_whole(text: str) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,5}", text):
        raise ValueError
    return int(text)


def _wholes(field: str, values: Any) -> tuple[int, ...]:
    if not isinstance(values, Sequence) or not values:
        raise UserError("too_small", field, value=values)
    return tuple(_whole(field, value) for value in values)


def _order(field: str, values: Any) -> tuple[int, ...]:
    order = _wholes(field, values)
    if sorted(order) != list(range(len(order))):
        raise UserError("not_an_order", field, value=values)
    return order


def _items(write: Callable[[Any], str], values: Iterable[Any]) -> str:
    return BETWEEN_ITEMS.join(map(write, values))


def _read_wholes(text: str) -> tuple[int, ...]:
    return tuple(map(_read_whole, text.split(BETWEEN_ITEMS)))


def _number(field: str, value: Any, low: float, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= most:
        raise UserError("out_of_range", field, value=value, low=low, most=most)
    return float(str(np.float32(value)))  # the shortest number that the model reads as the same


def _write_number(value: float) -> str:
    return repr(value).removesuffix(".0").replace("e-", "em")


def _read_number(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,12})?(em[0-9]{1,2})?", text):
        raise ValueError
    return float(text.replace("em", "e-"))


def _cells(field: str, cells: Any) -> tuple[tuple[int, float], ...]:
    try:
        pairs = [(_whole(field, position), _number(field, w, 0, 1)) for position, w in cells]
    except TypeError as error:
        raise UserError("out_of_range", field, value=cells, low=0, most=1) from error
    clean = dict(pairs)
    if not clean or len(clean) < len(pairs):
        raise UserError("too_small", field, value=len(clean))
    total = math.fsum(clean.values())
    if total > 1 + 1e-6:
        raise UserError("above_one", field, value=total)
    return tuple(sorted(clean.items()))


def _write_cells(cells: Iterable[tuple[int, float]]) -> str:
    return _items(str, (x for at, w in cells for x in (at, _write_number(w))))


def _read_cells(text: str) -> tuple[tuple[int, float], ...]:
    items = text.split(BETWEEN_ITEMS)
    positions, weights = map(_read_whole, items[::2]), map(_read_number, items[1::2])
    return tuple(zip(positions, weights, strict=True))


def _name(field: str, value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[a-z0-9_.]{1,60}", value):
        raise UserError("no_such_stage", field, name=str(value)[:60])
    return value


def _run(field: str, value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_RUN:
        raise UserError("no_other_run", field, name=str(value)[:60])
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise UserError("no_other_run", field, name=ascii(value)[:60]) from error
    return value


def _write_run(value: str) -> str:
    escaped = quote(value, safe="")
    return escaped.replace("-", "%2D").replace("~", "%7E")


WHOLE: Final = Form(_whole, str, _read_whole)
FORMS: Final[dict[str, Form]] = {
    "kind": _choice("encoder", "decoder", "cross"),
    "side": _choice("src", "tgt"),
    "stack": _choice("encoder", "decoder"),
    "how": _choice("uniform", "itself", "before"),
    "to": _choice("zero", "mean"),
    **dict.fromkeys(("layer", "head", "row", "position", "at"), WHOLE),
    "sublayer": WHOLE._replace(clean=lambda field, value: _whole(field, value, 1)),
    **dict.fromkeys(
        ("heads", "positions"),
        Form(
            lambda field, values: tuple(sorted(set(_wholes(field, values)))),
            lambda values: _items(str, values),
            _read_wholes,
        ),
    ),
    "ids": Form(_wholes, lambda values: _items(str, values), _read_wholes),
    "order": Form(_order, lambda values: _items(str, values), _read_wholes),
    "cells": Form(_cells, _write_cells, _read_cells),
    "temperature": Form(
        lambda field, value: _number(field, value, 0.01, 100), _write_number, _read_number
    ),
    "name": Form(_name, str, str),
    "of": Form(_run, _write_run, lambda text: unquote(text, errors="strict")),
}
