"""A SentencePiece model, read from its .spm file: the normaliser and the unigram pieces.

The file is one protocol buffer (google/sentencepiece, src/sentencepiece_model.proto). The few
fields needed are parsed here, so that running a model needs no library but `tokenizers`.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from tokenizers import Tokenizer, models

from model.errors import UserError

SPACE: Final = "▁"  # stands for a blank
NORMAL, UNKNOWN, CONTROL = 1, 2, 3  # types of pieces; control pieces never match text
UNIGRAM: Final = 1
UNKNOWN_PIECE: Final = " "  # no normalised text has a blank
MOST_PIECES: Final = 1_000_000
# In characters. By default SentencePiece learns none longer than 16, and the time to split a text
# grows with the square of this length.
LONGEST_PIECE: Final = 64
# How many times longer normalisation may make a text, in UTF-8 bytes. No Unicode normalisation form
# exceeds the 18 letters of U+FDFA, 11 times as long (unicode.org/faq/normalization).
MOST_GROWTH: Final = 11
DEEPEST: Final = 64  # bytes that are replaced at once; Unicode's normalisation forms need 12
VARINT, FIXED_64, BYTES, FIXED_32 = 0, 1, 2, 5  # wire types

Value = int | bytes


@dataclass(frozen=True)
class SentencePiece:
    """Pieces with their log-probabilities, and how a text is normalised before it is split.

    `replacements` is SentencePiece's `precompiled_charsmap`, a trie of what is replaced by what; it
    is empty if characters are left unchanged.
    """

    pieces: tuple[tuple[str, float], ...]
    replacements: bytes = field(repr=False)
    add_dummy_prefix: bool = True
    remove_extra_whitespaces: bool = True

    @classmethod
    def read(cls, data: bytes, name: str = "") -> SentencePiece:
        """Read the data of a .spm file, which error messages call `name`.

        Raises UserError for anything but a unigram model.
        """
        try:
            return cls._read(data, name)
        except UserError:
            raise
        except (ValueError, IndexError, KeyError, TypeError, struct.error) as error:
            raise UserError("not_sentencepiece", name=name) from error

    @classmethod
    def _read(cls, data: bytes, name: str) -> SentencePiece:
        pieces: list[tuple[str, float]] = []
        trainer: dict[int, Value] = {}
        rules: dict[int, Value] = {}
        for number, value in _fields(data):
            if number == 1:
                piece = dict(_fields(_bytes(value)))
                kind = piece.get(3, NORMAL)
                if kind == NORMAL:
                    (score,) = struct.unpack("<f", _bytes(piece[2]))
                    pieces.append((_bytes(piece[1]).decode(), score))
                elif kind not in (UNKNOWN, CONTROL):
                    raise UserError("other_sentencepiece", name=name)
            elif number == 2:
                trainer = dict(_fields(_bytes(value)))
            elif number == 3:
                rules = dict(_fields(_bytes(value)))
        suffix, byte_fallback, escape = trainer.get(24, 0), trainer.get(35, 0), rules.get(5, 1)
        if trainer.get(3, UNIGRAM) != UNIGRAM or suffix or byte_fallback or not escape:
            raise UserError("other_sentencepiece", name=name)
        if not 0 < len(pieces) <= MOST_PIECES or not all(abs(score) < 1e9 for _, score in pieces):
            raise UserError("not_sentencepiece", name=name)
        if max(len(piece) for piece, _ in pieces) > LONGEST_PIECE:
            raise UserError("long_piece", name=name, most=LONGEST_PIECE)
        replacements = _bytes(rules.get(2, b""))
        if not _Replacements(replacements).are_bounded():
            raise UserError("long_replacement", name=name, most=MOST_GROWTH)
        return cls(tuple(pieces), replacements, bool(rules.get(3, 1)), bool(rules.get(4, 1)))

    def encode(self, text: str) -> list[str]:
        """Split a text into the most probable sequence of pieces; unknown characters are kept."""
        normalised = self.normalise(text)
        return self._unigram.encode(normalised).tokens if normalised else []

    def normalise(self, text: str) -> str:
        """Replace characters and blanks, as SentencePiece does before it splits a text."""
        written, after_space = [], self.remove_extra_whitespaces
        for part in self._replacements.apply(text):
            kept = part.lstrip(" ") if after_space else part
            written.append(kept)
            after_space = self.remove_extra_whitespaces and (kept or " ").endswith(" ")
        prefix = " " if self.add_dummy_prefix and text else ""
        joined = f"{prefix}{''.join(written)}".replace(" ", SPACE)
        return joined.rstrip(SPACE) if self.remove_extra_whitespaces else joined

    @cached_property
    def scores(self) -> dict[str, float]:
        """The log-probability of each piece."""
        return dict(self.pieces)

    @cached_property
    def _replacements(self) -> _Replacements:
        return _Replacements(self.replacements)

    @cached_property
    def _unigram(self) -> Tokenizer:
        vocabulary = [(UNKNOWN_PIECE, 0.0), *self.scores.items()]
        return Tokenizer(models.Unigram(vocabulary, unk_id=0, byte_fallback=False))


class _Replacements:
    """The replacements of normalisation: a double-array trie (Darts-clone), then their texts."""

    def __init__(self, data: bytes) -> None:
        self.units, self.texts = array("I"), b""
        if data:
            (size,) = struct.unpack_from("<I", data)
            if size % 4 or not size or 4 + size > len(data):
                raise ValueError("The trie is cut off.")
            self.units.frombytes(data[4 : 4 + size])
            self.texts = data[4 + size :]

    def are_bounded(self) -> bool:
        """Return whether all replacements are within the limits MOST_GROWTH and DEEPEST.

        At most DEEPEST bytes may be replaced at once, by a text at most MOST_GROWTH times as long.
        The whole trie is walked, one byte deeper at a time and all branches at once.
        """
        if not self.units:
            return True
        units = np.frombuffer(self.units, np.uint32)
        places = np.arange(len(units), dtype=np.uint32)
        letters, offsets = units & 0x800000FF, units >> 10 << ((units & 0x200) >> 6)
        inner = np.flatnonzero(letters < 256)
        above = places[inner] ^ letters[inner]  # a unit's parent node
        ends = np.flatnonzero(np.frombuffer(self.texts, np.uint8) == 0)
        nodes = offsets[:1]
        for depth in range(1, DEEPEST + 1):
            reached = np.zeros((len(units) | 0xFF) + 1, bool)
            reached[nodes[nodes < len(reached)]] = True
            found = inner[reached[above]]
            nodes = places[found] ^ offsets[found]
            final = (units[found] >> 8 & 1 == 1) & (nodes < len(units))
            starts = units[nodes[final]] & 0x7FFFFFFF
            after = np.searchsorted(ends, starts)
            if (after == len(ends)).any() or (ends[after] - starts > MOST_GROWTH * depth).any():
                return False
            if not len(found):
                return True
        return False

    def apply(self, text: str) -> Iterator[str]:
        """Yield the replacement of each longest match, or else the next character unchanged."""
        octets, at = text.encode("utf-8", "replace"), 0
        while at < len(octets):
            length, place = self._longest(octets, at)
            if length:
                end = self.texts.index(b"\0", place)
                yield self.texts[place:end].decode("utf-8", "replace")
            else:
                first = octets[at]  # which says how many bytes a UTF-8 character has
                length = 1 + (first >= 0xC0) + (first >= 0xE0) + (first >= 0xF0)
                yield octets[at : at + length].decode()
            at += length

    def _longest(self, octets: bytes, at: int) -> tuple[int, int]:
        """Return the length in bytes of the longest match at an index, and where its text is."""
        if not self.units:
            return 0, 0
        found, node = (0, 0), _offset(self.units[0])
        for i in range(at, len(octets)):
            node ^= octets[i]
            if node >= len(self.units) or self.units[node] & 0x800000FF != octets[i]:
                break
            unit = self.units[node]
            node ^= _offset(unit)
            if unit >> 8 & 1 and node < len(self.units):
                found = i + 1 - at, self.units[node] & 0x7FFFFFFF
        return found


def _offset(unit: int) -> int:
    return unit >> 10 << ((unit & 0x200) >> 6)


def _bytes(value: Value) -> bytes:
    if not isinstance(value, bytes):
        raise TypeError("A field has another type.")
    return value


def _fields(data: bytes) -> Iterator[tuple[int, Value]]:
    """Yield each field's number and value in a protocol buffer; raises ValueError or IndexError.

    Varints are returned as ints, all other values as bytes.
    """
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        wire = key & 7
        if wire == VARINT:
            number, at = _varint(data, at)
            yield key >> 3, number
            continue
        if wire == BYTES:
            size, at = _varint(data, at)
        elif wire in (FIXED_32, FIXED_64):
            size = 4 if wire == FIXED_32 else 8
        else:
            raise ValueError(f"A field is of type {wire}.")
        if size > len(data) - at:
            raise ValueError("A field is cut off.")
        yield key >> 3, data[at : at + size]
        at += size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number stored with seven bits per byte, and the index of its end."""
    value = 0
    for shift in range(0, 70, 7):
        octet = data[at]
        at += 1
        value |= (octet & 0x7F) << shift
        if octet < 0x80:
            return value, at
    raise ValueError("A number is longer than 64 bits.")
