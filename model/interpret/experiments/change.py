"""What every change of a run is: its fields, how they are written in an address, what it is asked.

Layers, heads and positions count from 0, as in the arrays, though pages count layers and heads from
1. A `position` counts the tokens of the unchanged run: those of the source, which ends with <eos>,
or of the target, which starts with <bos>. No layer or head means all of them.
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, ClassVar, Final, NamedTuple, get_args
from urllib.parse import quote, unquote

import numpy as np
import torch
from torch import Tensor

from model.config import ATTENTIONS, KINDS, STACKS, Kind, Side, Stack
from model.errors import UserError
from model.interpret.calculation.stages import stages
from model.interpret.capture import Capture
from model.nn.translator import Translator

Slots = list[list[int]]  # the tokens to read in the place of each of the source's
# How the names of what is computed from the source alone begin.
ENCODER: Final = (
    "src.",
    *(f"{stack}." for stack, one in STACKS["transformer"].items() if one.side == "src"),
    "memory",
)
LARGEST: Final = 999_999  # a position, layer, head or token
LONGEST_RUN: Final = 4_000  # characters that say which run a patch comes from
BETWEEN_FIELDS, BETWEEN_ITEMS = "-", "_"


class Scene:
    """What an operation may ask: `kept` activations, and which position each row stands for.

    In a step of decoding all rows stand for its one `position`, and of the decoder's keys those
    of a step stand for that step, as many as the hypotheses it read: `widths`.
    """

    def __init__(self, kept: dict[str, Tensor]) -> None:
        self.kept = kept
        self.position: int | None = None
        self.widths: list[int] = []

    def rows(self, count: int, side: Side) -> Tensor:
        """Return the positions of queries, or of the rows of a stream, (T,)."""
        if self.position is None or side == "src":
            return torch.arange(count)
        return torch.full((count,), self.position)

    def keys(self, count: int, kind: Kind) -> Tensor:
        """Return the positions of keys, (S,)."""
        if self.position is None or ATTENTIONS[kind].keys == "src":
            return torch.arange(count)
        return torch.arange(len(self.widths)).repeat_interleave(torch.tensor(self.widths))


Operation = Callable[[Tensor, Scene], Tensor]


def side_of(name: str) -> Side:
    """Return which side's words the rows of an activation stand for."""
    keys = name.endswith(("cross_attn.k", "cross_attn.v"))
    return "src" if keys or name.startswith(ENCODER) else "tgt"


class Action(NamedTuple):
    """One operation on the activation `name`, which needs those named in `keep`."""

    name: str
    operation: Operation
    keep: tuple[str, ...] = ()


class Fit:
    """A model and a sentence, and what of them the fields of a change name."""

    def __init__(
        self,
        model: Translator,
        original: Capture,
        origin: Sequence[int],
        runs: Mapping[str, Capture],
    ) -> None:
        self.model, self.original, self.origin, self.runs = model, original, origin, runs
        self.config = original.config
        self.stages = stages(self.config)
        self.hidden: dict[str, set[int]] = defaultdict(set)  # from encoder-decoder attentions

    def scopes(
        self, kind: Kind | None, layer: int | None, among: Sequence[Kind] = KINDS
    ) -> Iterator[tuple[str, Kind]]:
        """Yield each attention that is meant, with its kind."""
        counts = {one: self.config.n_attentions(one) for one in ([kind] if kind else among)}
        if not any(counts.values()):
            raise UserError("not_for_arch", "kind", arch=self.config.arch)
        for one, count in counts.items():
            if layer is not None and count:
                _there("no_layer", layer, count)
            for i in range(count):
                if layer in (None, i):
                    yield ATTENTIONS[one].scope(i), one

    def heads(self, heads: Sequence[int]) -> Tensor:
        """Return which heads are meant, True for each, (H, 1, 1)."""
        for head in heads:
            _there("no_head", head, self.config.n_heads)
        chosen = torch.full((self.config.n_heads, 1, 1), not heads)
        chosen[list(heads)] = True
        return chosen

    def layers(self, stack: Stack, layer: int | None) -> Sequence[int]:
        """Return the layers of a stack that are meant; recurrent networks have none."""
        self.only_transformer("stack")
        count = self.config.n_layers(stack)
        if layer is None:
            return range(count)
        _there("no_layer", layer, count)
        return [layer]

    def only_transformer(self, field: str) -> None:
        """Refuse recurrent networks, which have nothing of the kind."""
        if self.config.recurrent:
            raise UserError("not_for_arch", field, arch=self.config.arch)

    def add_norm(self, stack: Stack, layer: int, sublayer: int) -> str:
        """Return the name of one residual connection with its normalisation."""
        self.layers(stack, layer)
        most = len(self.config.stacks[stack].sublayers)
        if not 1 <= sublayer <= most:
            raise UserError("out_of_range", "sublayer", value=sublayer, low=1, most=most)
        return f"{stack}.{layer}.add_norm_{sublayer}"

    def places(self, side: Side, positions: Sequence[int]) -> list[int]:
        """Return where the words of the unchanged run now stand; source words may be several."""
        tokens = self.original.tokens(side)
        for position in positions:
            within("position", position, len(tokens))
        now = self.origin if side == "src" else range(len(tokens))
        found = [place for place, position in enumerate(now) if position in positions]
        if not found:
            raise UserError("left_out", "position", value=positions[0])
        return found

    def place(self, side: Side, position: int) -> int:
        """Return where one word of the unchanged run now begins."""
        return self.places(side, [position])[0]


def within(field: str, value: int, count: int) -> None:
    """Refuse an index outside of 0 … count - 1."""
    if not 0 <= value < count:
        raise UserError("out_of_range", field, value=value, low=0, most=count - 1)


def _there(code: str, index: int, count: int) -> None:
    """Refuse a layer or head outside of 0 … count - 1."""
    if not 0 <= index < count:
        raise UserError(code, value=index, most=count - 1)


def known(original: Capture, ids: Sequence[int], size: int) -> None:
    """Refuse tokens that a vocabulary does not have, and padding, which the masks would hide."""
    for token in ids:
        if token >= size or token == original.config.pad_id:
            raise UserError("not_in_vocabulary", "ids", value=token)


def put(side: Side, place: int, value: Tensor, tensor: Tensor, scene: Scene) -> Tensor:
    """Put a vector, (D,) or (H, d_k), into its row of (B, …, T, D)."""
    here = scene.rows(tensor.shape[-2], side) == place  # (T,)
    return torch.where(here[:, None], value.to(tensor.dtype)[..., None, :], tensor)


@dataclass(frozen=True)
class Offer:
    """A line of a group of the page's menu, which fields it `sets`, and which it asks for.

    `kinds` are the attentions where it has a meaning.

    What can be asked: a `place` (kind, layer, heads), a `key` of it (position), a `word` (side and
    positions) or a `source_word` (positions), what is read `instead` (ids), the `next` word's
    place (order), a `side`, a `layer` of the decoder, a `stack` with a layer or with a `sublayer`
    besides, a `temperature`, and a `vector` (name, position, of, at).
    """

    group: str
    text: str
    asks: tuple[str, ...]
    sets: Mapping[str, Any] = field(default_factory=dict)
    kinds: tuple[Kind, ...] = KINDS


@dataclass(frozen=True)
class Change:
    """One change; raises UserError with the value that makes no sense.

    Its text is its word and its fields: `mute-cross-1-3_5` mutes heads 3 and 5 of layer 1, counted
    from 0, which pages call heads 4 and 6 of layer 2; a field left at its default is empty.
    Of two changes of one array, that with the smaller `turn` comes first. `cached` says whether
    keys and values stay what they are while more words are written.
    """

    word: ClassVar[str]
    turn: ClassVar[int] = 1
    cached: ClassVar[bool] = True
    template: ClassVar[str]
    offers: ClassVar[tuple[Offer, ...]] = ()

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if one.default is MISSING or value != one.default:
                clean = FIELDS[one.name].clean(one.name, value)
                object.__setattr__(self, one.name, clean)

    @property
    def text(self) -> str:
        parts = [self.word]
        for one in fields(self):
            value = getattr(self, one.name)
            default = one.default is not MISSING and value == one.default
            parts.append("" if default else FIELDS[one.name].write(value))
        return BETWEEN_FIELDS.join(parts).rstrip(BETWEEN_FIELDS)

    def sentence(self) -> str:
        """Return what it does, marked for translation, with {places} to be filled in."""
        return self.template

    def replaces(self, other: "Change") -> bool:
        """Return whether it says once more what another change says."""
        return self == other

    def read(self, run: Capture, slots: Slots, order: Sequence[int]) -> Sequence[int]:
        """Put other tokens into the slots of the source's, and return the order to read them in."""
        return order

    def actions(self, fit: Fit) -> Iterator[Action]:
        """Yield what is done to which activation; raises UserError for what is not there."""
        yield from ()


class Field(NamedTuple):
    """How the values of a field are checked, written and read."""

    clean: Callable[[str, Any], Any]
    write: Callable[[Any], str]
    read: Callable[[str], Any]


def _choice(*names: str) -> Field:
    def clean(field: str, value: Any) -> str:
        if value not in names:
            raise UserError("not_one_of", field, value=value, names=", ".join(names))
        return str(value)

    return Field(clean, str, str)


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


def _set(field: str, values: Any) -> tuple[int, ...]:
    return tuple(sorted({*_wholes(field, values)}))


def _items(values: Iterable[Any]) -> str:
    return BETWEEN_ITEMS.join(map(str, values))


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
    return _items(x for at, w in cells for x in (at, _write_number(w)))


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


WHOLE: Final = Field(_whole, str, _read_whole)
WHOLES: Final = Field(_wholes, _items, _read_wholes)
FIELDS: Final[dict[str, Field]] = {
    "kind": _choice(*KINDS),
    "side": _choice(*get_args(Side)),
    "stack": _choice(*get_args(Stack)),
    "how": _choice("uniform", "itself", "before"),
    "to": _choice("zero", "mean"),
    **dict.fromkeys(("layer", "head", "row", "position", "at"), WHOLE),
    "sublayer": WHOLE._replace(clean=lambda field, value: _whole(field, value, 1)),
    **dict.fromkeys(("heads", "positions"), WHOLES._replace(clean=_set)),
    "ids": WHOLES,
    "order": WHOLES._replace(clean=_order),
    "cells": Field(_cells, _write_cells, _read_cells),
    "temperature": Field(
        lambda field, value: _number(field, value, 0.01, 100), _write_number, _read_number
    ),
    "name": Field(_name, str, str),
    "of": Field(_run, _write_run, lambda text: unquote(text, errors="strict")),
}
