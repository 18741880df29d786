"""Byte-level BPE in plain Python: pieces, the words they stay in, and the learned merges.

`model.text.tokenizer` splits texts with the tokenizers library, which takes less time; a test
compares the two.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

from model.text.reading import Reading, read
from model.text.sentences import sentences

SPECIALS = ("<pad>", "<bos>", "<eos>")
PAD, BOS, EOS = range(3)


@dataclass(frozen=True)
class Token:
    """One piece in readable form: its text, and whether a word starts here."""

    id: int
    text: str
    starts_word: bool
    special: bool


# The symbol of each byte in the byte-level alphabet (GPT-2's table).
_PRINTABLE: Final = (*range(33, 127), *range(161, 173), *range(174, 256))
_OTHERS: Final = sorted({*range(256)} - {*_PRINTABLE})
_SYMBOL_OF_BYTE: Final = {byte: chr(byte) for byte in _PRINTABLE} | {
    byte: chr(256 + i) for i, byte in enumerate(_OTHERS)
}
_BYTE_OF_SYMBOL: Final = {symbol: byte for byte, symbol in _SYMBOL_OF_BYTE.items()}

# GPT-2's words, of a text in which each character but the blank is written as its class: a letter,
# a number, a space of another kind, or anything else.
_CONTRACTION: Final = re.compile(r"'(?:[sdmt]|ll|ve|re)")
_WORD: Final = re.compile(r" ?L+| ?N+| ?O+|[ S]+(?![LNO])|[ S]+")
_SEPARATORS: Final = "\x1c\x1d\x1e\x1f"  # spaces to Python, but not to Unicode


def _class_of(char: str) -> str:
    if char == " ":
        return char
    kind = unicodedata.category(char)[0]
    if kind in "LN":
        return kind
    return "S" if char.isspace() and char not in _SEPARATORS else "O"


def words(text: str) -> Iterator[list[str]]:
    """Yield the words of a text, each as symbols of the byte-level alphabet.

    Letters that Unicode got after this Python are no letters to it.
    """
    classes = "".join(map(_class_of, text))
    end = 0
    while end < len(text):
        start = end
        found = _CONTRACTION.match(text, start) or _WORD.match(classes, start)
        assert found, "every character has a class, and every class is in a word"
        end = found.end()
        yield [_SYMBOL_OF_BYTE[byte] for byte in text[start:end].encode()]


class ByteLevel:
    """A byte-level BPE, joint for both languages, with `<pad>`, `<bos>` and `<eos>`."""

    pad_id, bos_id, eos_id = PAD, BOS, EOS
    specials: frozenset[int] = frozenset((PAD, BOS, EOS))  # these have no text
    language = ""  # of the sources, if it is known: it decides how they are read

    def __init__(self, model: Mapping[str, Any]) -> None:
        """Take the `model` of a tokenizer.json that `Tokenizer.save` wrote."""
        self._model = model

    @cached_property
    def ids(self) -> Mapping[str, int]:
        """The id of each piece."""
        ids: Mapping[str, int] = self._model["vocab"]
        return ids

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """All pieces by id, in the byte-level alphabet, which has a letter for the space, too."""
        return tuple(sorted(self.ids, key=self.ids.__getitem__))

    @cached_property
    def merges(self) -> list[tuple[str, str]]:
        """The learned merges of two pieces, in the order in which they were learned."""
        return pairs(self._model["merges"])

    @cached_property
    def number(self) -> Mapping[tuple[str, str], int]:
        """The number of each merge in the order in which they were learned, from 1."""
        return {pair: i for i, pair in enumerate(self.merges, start=1)}

    @cached_property
    def merged_from(self) -> dict[int, tuple[int, int]]:
        """The ids of the two pieces that make up each merged piece, by its id."""
        ids = self.ids
        return {ids[left + right]: (ids[left], ids[right]) for left, right in self.merges}

    @property
    def vocab_size(self) -> int:
        return len(self.pieces)

    def words(self, text: str) -> list[list[str]]:
        """Return the words of a text, as symbols: no piece reaches from one into the next."""
        return list(words(text))

    def merge(self, word: list[str]) -> Iterator[tuple[int, int]]:
        """Join pieces of a word in place, merge by merge; yield each one's number and index.

        It is the earliest learned merge that applies, leftmost first.
        """
        while fitting := [
            (self.number[pair], at) for at, pair in enumerate(pairwise(word)) if pair in self.number
        ]:
            number, at = min(fitting)
            word[at : at + 2] = ["".join(word[at : at + 2])]
            yield number, at

    def read(self, text: str) -> Reading:
        """Return how a typed text is read, before it is encoded."""
        return read(text, self.language, self._has_piece_of)

    def readings(self, text: str) -> list[Reading]:
        """Return how each sentence of a text is read; none without a sign that can be."""
        found = [self.read(sentence) for sentence in sentences(text)]
        return [reading for reading in found if reading.text]

    def _has_piece_of(self, char: str) -> bool:
        return not any(map(self.is_unknown, self.tokens(self.encode(char))))

    def encode(self, text: str) -> list[int]:
        """Return the pieces' ids, without special tokens.

        A space is added in front, so that a word is split the same way at any position.
        """
        ids: list[int] = []
        for word in self.words(" " + text):
            for _ in self.merge(word):
                pass
            ids.extend(self.ids[piece] for piece in word)
        return ids

    def encode_target(self, text: str) -> list[int]:
        """Return the pieces' ids of a target text, which is split the same way as a source."""
        return self.encode(text)

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Encode many texts at once."""
        return [self.encode(text) for text in texts]

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of the ids; special tokens have none."""
        return self.octets(ids).decode(errors="replace").removeprefix(" ")

    def octets(self, ids: Sequence[int]) -> bytes:
        """Return the bytes of the ids; special tokens have none."""
        symbols = "".join(self.pieces[i] for i in ids if i not in self.specials)
        return bytes(_BYTE_OF_SYMBOL[symbol] for symbol in symbols)

    def tokens(self, ids: Sequence[int]) -> tuple[Token, ...]:
        """Return the pieces in readable form; bytes that are not a whole character as hex."""
        return tuple(self.token(i) for i in ids)

    def token(self, token_id: int) -> Token:
        """Return one piece in readable form; raises ValueError for an unknown id."""
        if not 0 <= token_id < self.vocab_size:
            raise ValueError(f"The vocabulary has no piece {token_id}.")
        if token_id in self.specials:
            return Token(token_id, self.pieces[token_id], starts_word=True, special=True)
        octets = self.octets([token_id])
        starts_word = octets.startswith(b" ")
        return Token(token_id, readable(octets.removeprefix(b" ")), starts_word, special=False)

    def is_unknown(self, token: Token) -> bool:
        """Return whether no piece was learned for the text, so that it is split into bytes."""
        return token.text.startswith("0x") and len(token.text) >= 4


def pairs(merges: Sequence[Any]) -> list[tuple[str, str]]:
    """Return the merges of a tokenizer.json; older files store the two pieces as one string."""
    split = (pair.split(" ") if isinstance(pair, str) else pair for pair in merges)
    return [(left, right) for left, right in split]


def readable(octets: bytes) -> str:
    """Return the bytes as text, or in hex if they are not printable text."""
    try:
        text = octets.decode()
    except UnicodeDecodeError:
        text = ""
    if text.isprintable() and text.strip():
        return text
    return " ".join(f"0x{byte:02X}" for byte in octets) or "␣"
