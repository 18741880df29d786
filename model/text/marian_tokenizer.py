"""The tokenizer of a Marian model: two SentencePiece models and one list of pieces."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from model.errors import UserError
from model.files import read_json
from model.text.byte_level import Token, readable
from model.text.reading import Reading, clean
from model.text.sentencepiece import LONGEST_PIECE, SPACE, SentencePiece
from model.text.tokenizer import Tokenizer

TYPE: Final = "marian"
PAD_PIECE, END_PIECE, UNKNOWN_PIECE = "<pad>", "</s>", "<unk>"
# The end of a sentence has the same name as everywhere else in this project.
NAMES: Final = {END_PIECE: "<eos>"}
# Half a character, which JSON can write, and no file or page can.
SURROGATE: Final = re.compile("[\ud800-\udfff]")


class MarianTokenizer(Tokenizer):
    """Splits a source with one SentencePiece model and a target with another.

    `pieces` are those of both by id; pieces of a model that are not in the list are unknown.
    The decoder's input begins with <pad>. Raises UserError if special pieces are missing.
    """

    def __init__(self, pieces: Sequence[str], source: bytes, target: bytes) -> None:
        self.pieces, self.files = tuple(pieces), (source, target)  # ▁ is a blank
        self.merges = []  # pieces are chosen by their probabilities
        self.source = SentencePiece.read(source, "source.spm")
        self.target = SentencePiece.read(target, "target.spm")
        self.ids = {piece: i for i, piece in enumerate(pieces)}
        lacking = [name for name in (PAD_PIECE, END_PIECE, UNKNOWN_PIECE) if name not in self.ids]
        if lacking or len(self.ids) != len(pieces):
            raise UserError("bad_vocabulary", what=", ".join(lacking) or "–")
        if any(map(SURROGATE.search, pieces)):
            raise UserError("marian_unreadable", name="vocab.json")
        if max(map(len, pieces)) > LONGEST_PIECE:
            raise UserError("long_piece", name="vocab.json", most=LONGEST_PIECE)
        self.pad_id = self.bos_id = self.ids[PAD_PIECE]
        self.eos_id, self.unk_id = self.ids[END_PIECE], self.ids[UNKNOWN_PIECE]
        self.specials = frozenset((self.pad_id, self.eos_id, self.unk_id))

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> MarianTokenizer:
        """Read what `save` wrote; raises ValueError for anything else."""
        pieces, *files = (values.get(name) for name in ("pieces", "source", "target"))
        if not isinstance(pieces, list) or not all(isinstance(one, str) for one in pieces):
            raise ValueError("A piece is no text.")
        source, target = (base64.b64decode(str(file), validate=True) for file in files)
        return cls(pieces, source, target)

    def save(self, path: Path) -> None:
        """Write a tokenizer.json; raises OSError."""
        source, target = (base64.b64encode(file).decode() for file in self.files)
        values = {"type": TYPE, "pieces": self.pieces, "source": source, "target": target}
        path.write_text(json.dumps(values, ensure_ascii=False), encoding="utf-8")

    def read(self, text: str) -> Reading:
        """Return a typed text without what cannot be seen: SentencePiece has rules of its own."""
        return Reading(clean(text))

    def encode(self, text: str) -> list[int]:
        """Return the ids of a source's pieces, without special tokens.

        A leading language code, as in ">>fra<< …", is one piece.
        """
        end = text.find("<<") + 2
        if not text.startswith(">>") or end < 2:
            return self._ids(self.source.encode(text))
        return self._ids([text[:end], *self.source.encode(text[end:])])

    def encode_target(self, text: str) -> list[int]:
        """Return the ids of a target's pieces, without special tokens."""
        return self._ids(self.target.encode(text))

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        return [self.encode(text) for text in texts]

    def _ids(self, pieces: Iterable[str]) -> list[int]:
        return [self.ids.get(piece, self.unk_id) for piece in pieces]

    def scored(self, text: str) -> list[tuple[str, float | None]]:
        """Return a source's pieces with their log-probabilities, None for unknown pieces."""
        pieces = self.source.encode(text)
        return [(piece, self.source.scores.get(piece)) for piece in pieces]

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of the ids; special and unknown tokens have none."""
        text = "".join(self.pieces[i] for i in ids if i not in self.specials)
        return text.replace(SPACE, " ").strip()

    def token(self, token_id: int) -> Token:
        if not 0 <= token_id < len(self.pieces):
            raise ValueError(f"The vocabulary has no piece {token_id}.")
        piece = self.pieces[token_id]
        if token_id in self.specials:
            return Token(token_id, NAMES.get(piece, piece), starts_word=True, special=True)
        starts_word = piece.startswith(SPACE)
        text = readable(piece.removeprefix(SPACE).replace(SPACE, " ").encode())
        return Token(token_id, text, starts_word, special=False)

    def is_unknown(self, token: Token) -> bool:
        """Return whether the token stands for text that no piece covers."""
        return token.id == self.unk_id


def read_tokenizer(path: Path) -> Tokenizer:
    """Read a tokenizer.json of either kind; raises ValueError if it is neither."""
    try:
        values = read_json(path)
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} is not a tokenizer: {error}") from error
    kind = MarianTokenizer if values.get("type") == TYPE else Tokenizer
    return kind.from_dict(values)
