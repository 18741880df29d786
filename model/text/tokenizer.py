"""Byte-level BPE in the tokenizers library: learned from lines, and fast on any text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

import tokenizers
from tokenizers import AddedToken, decoders, models, pre_tokenizers, trainers

from model.errors import UserError
from model.text.byte_level import BOS, EOS, PAD, SPECIALS, ByteLevel, pairs
from model.text.pairs import MAX_CHARACTERS

LEAST_PIECES: Final = 256 + len(SPECIALS)
# In bytes: as long as one side of a sentence pair can be, with four bytes per character. A model
# can write hundreds of pieces per text.
LONGEST_PIECE: Final = 4 * MAX_CHARACTERS


class Tokenizer(ByteLevel):
    """A trained byte-level BPE, joint for both languages, with `<pad>`, `<bos>` and `<eos>`."""

    def __init__(self, bpe: tokenizers.Tokenizer) -> None:
        self.bpe = bpe
        self.bpe.encode_special_tokens = True  # a typed "<pad>" is text like any other

    @classmethod
    def train(cls, lines: Iterable[str], vocab_size: int) -> Tokenizer:
        """Learn the merges from lines of text; raises ValueError below 259 pieces."""
        refuse_small_vocabulary(vocab_size)
        bpe = _byte_level(models.BPE())
        trainer = trainers.BpeTrainer(
            vocab_size=vocab_size,
            special_tokens=_special_tokens(),
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
        bpe.train_from_iterator((" " + line for line in lines), trainer)
        return cls(bpe)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Tokenizer:
        """Read what `save` wrote; raises ValueError for anything else.

        Only the pieces and merges are passed to the library: among the other rules that a file may
        contain, some never finish, fill the memory, or abort the library.
        """
        try:
            model = dict(values["model"])
            pieces, merges = model.pop("vocab"), model.pop("merges")
            if not _agree(_rules(), values | {"model": model}):
                raise ValueError("It does more than cut a text into bytes and merge them.")
            _check_pieces(pieces)
            bpe = _byte_level(models.BPE(pieces, pairs(merges)))
        except Exception as error:  # the library raises a bare Exception
            raise ValueError(f"The file is not a tokenizer: {error}") from error
        bpe.add_special_tokens(_special_tokens())
        return cls(bpe)

    def save(self, path: Path) -> None:
        """Write a tokenizer.json; raises OSError (the library's `save` raises a bare Exception)."""
        path.write_text(self.bpe.to_str(pretty=True), encoding="utf-8")

    @cached_property
    def ids(self) -> Mapping[str, int]:
        return self.bpe.get_vocab()

    @cached_property
    def merges(self) -> list[tuple[str, str]]:
        return pairs(json.loads(self.bpe.to_str())["model"]["merges"])

    def words(self, text: str) -> list[list[str]]:
        return [list(symbols) for symbols, _ in self.bpe.pre_tokenizer.pre_tokenize_str(text)]

    def encode(self, text: str) -> list[int]:
        return self.bpe.encode(" " + text, add_special_tokens=False).ids

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        encoded = self.bpe.encode_batch_fast(
            [" " + text for text in texts], add_special_tokens=False
        )
        return [one.ids for one in encoded]

    def decode(self, ids: Sequence[int]) -> str:
        text = self.bpe.decode(
            [i for i in ids if i not in self.specials], skip_special_tokens=False
        )
        return text.removeprefix(" ")


def refuse_small_vocabulary(size: int) -> None:
    """Raise UserError for a vocabulary that has no room for all bytes."""
    if size < LEAST_PIECES:
        raise UserError("small_vocabulary", "vocab_size", least=LEAST_PIECES, value=size)


def _byte_level(model: models.BPE) -> tokenizers.Tokenizer:
    bpe = tokenizers.Tokenizer(model)
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    return bpe


def _special_tokens() -> list[AddedToken]:
    return [AddedToken(token, normalized=False) for token in SPECIALS]


@cache
def _rules() -> dict[str, Any]:
    """Return the contents of our tokenizer.json files, except pieces and merges."""
    rules: dict[str, Any] = json.loads(Tokenizer.train((), LEAST_PIECES).bpe.to_str())
    for name in ("vocab", "merges"):
        del rules["model"][name]
    return rules


def _agree(rules: Any, values: Any) -> bool:
    """Return whether both agree where they overlap: other versions write fewer or more fields."""
    if isinstance(rules, dict) and isinstance(values, dict):
        return all(_agree(rules[name], values[name]) for name in rules.keys() & values.keys())
    return bool(rules == values)


def _check_pieces(ids: Mapping[str, int]) -> None:
    """Raise ValueError unless the pieces are numbered, the special ones first, and not too long."""
    numbered = sorted(ids.values()) == list(range(len(ids)))
    if not numbered or [ids.get(piece) for piece in SPECIALS] != [PAD, BOS, EOS]:
        raise ValueError("Its pieces are not numbered.")
    if max(map(len, ids)) > LONGEST_PIECE:
        raise ValueError("A piece is longer than any sentence.")
