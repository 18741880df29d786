"""A trace: the attention of any model in one file, in the open format of docs/traces.md.

A file is untrusted: what is read from it is checked, and refused with one sentence. H heads,
T query tokens, S key tokens, L layers.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from safetensors import SafetensorError, deserialize

from model.config import ATTENTIONS, KINDS, Kind
from model.errors import UserError, os_errors_as
from model.interpret.capture import FORMAT
from model.text.byte_level import Token

# What a file may have; more than any sentence needs, and no more than a page can show.
MOST_BYTES: Final = 64 * 2**20
MOST_HEADER: Final = 2**20  # bytes of names, shapes and tokens
MOST_ARRAYS: Final = 4096
MOST_TOKENS: Final = 256  # of a side
LONGEST_TOKEN: Final = 100  # characters
MOST_AXES: Final = 4
ROUNDING: Final = 1e-2  # of weights in half precision
NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,100}")
TYPES: Final = ("F16", "BF16", "F32", "F64")
DTYPES: Final = {"F16": "<f2", "BF16": "<u2", "F32": "<f4", "F64": "<f8"}
WEIGHTS: Final = re.compile(
    "|".join(f"{one.scope('@')}.weights".replace("@", r"\d+") for one in ATTENTIONS.values())
)
READ: Final = ("0", "1")  # 0: the captures written before files had a format
NO_ID: Final = -1  # of a token of which only the text is known


@dataclass(frozen=True)
class Trace:
    """What a file holds: tokens of the source and of the target, or of one alone, and arrays."""

    src: tuple[Token, ...]
    tgt: tuple[Token, ...]
    arrays: Mapping[str, np.ndarray]

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file; raises UserError if it is no trace."""
        with os_errors_as(UserError("unreadable", path=str(path))), path.open("rb") as file:
            return cls.parse(file.read(MOST_BYTES + 1))

    @classmethod
    def parse(cls, data: bytes) -> Self:
        """Read the bytes of a file; raises UserError if they are no trace."""
        metadata = _checked_header(data)
        src, tgt = (tuple(_tokens(metadata, side)) for side in ("src", "tgt"))
        try:
            arrays = _arrays(data)
        except (SafetensorError, ValueError) as error:
            raise UserError("not_a_trace") from error
        trace = cls(src, tgt, _without_batch(arrays))
        trace._check()
        return trace

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of attention in it."""
        return tuple(kind for kind in KINDS if self.n_layers(kind))

    def n_layers(self, kind: Kind) -> int:
        """Return how many layers have weights of a kind."""
        return next(i for i in range(len(self.arrays) + 1) if _name(kind, i) not in self.arrays)

    def n_heads(self, kind: Kind) -> int:
        return len(self.arrays[_name(kind, 0)])

    def weights(self, kind: Kind) -> np.ndarray:
        """Return the weights of all layers and heads, (L, H, T, S)."""
        return np.stack([self.arrays[_name(kind, i)] for i in range(self.n_layers(kind))])

    def queries(self, kind: Kind) -> tuple[Token, ...]:
        """Return the tokens that look."""
        return self.src if ATTENTIONS[kind].queries == "src" else self.tgt

    def keys(self, kind: Kind) -> tuple[Token, ...]:
        """Return the tokens that are looked at."""
        return self.src if ATTENTIONS[kind].keys == "src" else self.tgt

    @property
    def stages(self) -> bool:
        """Whether it says what weights come from: queries, keys and values of some attention."""
        scopes = [ATTENTIONS[kind].scope(0) for kind in self.kinds]
        return any({f"{scope}.q", f"{scope}.k", f"{scope}.v"} <= {*self.arrays} for scope in scopes)

    def _check(self) -> None:
        """Raise UserError where weights do not fit their tokens, or are none."""
        for name, array in self.arrays.items():
            if np.isnan(array).any():
                raise UserError("trace_not_numbers", name=name)
        for kind in KINDS:
            layers = range(self.n_layers(kind))
            for layer in layers:
                self._check_weights(kind, _name(kind, layer))
            # Of a kind, no weights lie beyond a layer that has none.
            known = {_name(kind, layer) for layer in layers}
            pattern = re.compile(re.escape(_name(kind, "@")).replace("@", r"\d+"))
            for name in self.arrays.keys() - known:
                if pattern.fullmatch(name):
                    raise UserError("trace_gap", name=name)

    def _check_weights(self, kind: Kind, name: str) -> None:
        weights = self.arrays[name]
        expected = (self.n_heads(kind), len(self.queries(kind)), len(self.keys(kind)))
        if weights.shape != expected:
            raise UserError("trace_shape", name=name, shape=weights.shape, expected=expected)
        if weights.min() < -ROUNDING or weights.max() > 1 + ROUNDING:
            raise UserError("trace_weights", name=name)


def _arrays(data: bytes) -> dict[str, np.ndarray]:
    """Return the arrays of a file whose header was checked; NumPy has no bfloat16."""
    arrays = {}
    for name, array in deserialize(data):
        raw = np.frombuffer(array["data"], DTYPES[array["dtype"]])
        if array["dtype"] == "BF16":  # the upper half of a float32
            raw = (raw.astype(np.uint32) << 16).view(np.float32)
        arrays[name] = raw.reshape(array["shape"])
    return arrays


def _without_batch(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return arrays without their first axis, where weights have one, of a batch of 1 sentence."""
    weights = [array for name, array in arrays.items() if WEIGHTS.fullmatch(name)]
    if not weights or any(array.ndim != MOST_AXES or len(array) != 1 for array in weights):
        return arrays
    is_of_batch = {name: array.ndim > 1 and len(array) == 1 for name, array in arrays.items()}
    return {name: array[0] if is_of_batch[name] else array for name, array in arrays.items()}


def _name(kind: Kind, layer: int | str) -> str:
    return f"{ATTENTIONS[kind].scope(layer)}.weights"


def _checked_header(data: bytes) -> dict[str, str]:
    """Return a file's metadata, after its sizes and names were checked; raises UserError."""
    length = int.from_bytes(data[:8], "little")
    if len(data) > MOST_BYTES:
        raise UserError("trace_too_large", most=MOST_BYTES >> 20)
    if length > MOST_HEADER:
        raise UserError("not_a_trace")
    try:
        header = json.loads(data[8 : 8 + length])
        metadata = {str(key): str(value) for key, value in header.pop("__metadata__", {}).items()}
        shapes = {name: tuple(array["shape"]) for name, array in header.items()}
        types = {str(array["dtype"]) for array in header.values()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UserError("not_a_trace") from error
    written = metadata.get("format", "0")
    if written not in READ:
        raise UserError("trace_version", written=written[:LONGEST_TOKEN], known=FORMAT)
    fits = 1 <= len(shapes) <= MOST_ARRAYS and types <= {*TYPES}
    shown = all(1 <= len(shape) <= MOST_AXES and 0 not in shape for shape in shapes.values())
    if not (fits and shown and all(map(NAME.fullmatch, shapes))):
        names = ", ".join(TYPES)
        raise UserError("trace_arrays", most=MOST_ARRAYS, axes=MOST_AXES, types=names)
    return metadata


def _tokens(metadata: Mapping[str, str], side: str) -> list[Token]:
    """Return the tokens of a side: a JSON list of texts, or of our own tokens."""
    try:
        listed = json.loads(metadata.get(side, "[]"))
        if not isinstance(listed, list) or len(listed) > MOST_TOKENS:
            raise ValueError(side)
        return [_token(one) for one in listed]
    except (ValueError, TypeError, RecursionError) as error:
        raise UserError(
            "trace_tokens", side=side, most=MOST_TOKENS, longest=LONGEST_TOKEN
        ) from error


def _token(one: Any) -> Token:
    token = Token(**one) if isinstance(one, dict) else Token(NO_ID, one, True, False)
    text, flags = token.text, {type(token.starts_word), type(token.special)}
    if type(token.id) is not int or not isinstance(text, str) or flags != {bool}:
        raise TypeError(one)
    if len(text) > LONGEST_TOKEN:
        raise ValueError(one)
    return token
