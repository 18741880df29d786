"""What a translation has to begin with: whole tokens, then letters of a word that may go on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.text.tokenizer import Tokenizer


@dataclass(frozen=True)
class Prefix:
    """The tokens that a translation begins with, and the letters that it spells after them.

    `letters` are written as `pieces` are, in the vocabulary's own alphabet of bytes: any pieces
    but those of `never` may spell them, and the last one may go on beyond them.
    """

    tokens: tuple[int, ...] = ()
    letters: str = ""
    pieces: tuple[str, ...] = ()
    never: frozenset[int] = frozenset()

    @classmethod
    def typed(cls, text: str, tokenizer: Tokenizer) -> Prefix:
        """Read a text: its last word may be half a word; after a blank, a new one begins."""
        words, _, last = text.lstrip().rpartition(" ")
        tokens = tokenizer.encode_target(words) if words.strip() else ()
        letters = "".join(tokenizer.pieces[i] for i in tokenizer.encode_target(last))
        return cls(
            tuple(tokens), letters if text.strip() else "", tokenizer.pieces, tokenizer.specials
        )

    def allowed(self, written: Sequence[int]) -> list[int] | None:
        """Return the tokens that may follow what is written; None for any."""
        if len(written) < len(self.tokens):
            return [self.tokens[len(written)]]
        if not self.letters:
            return None
        spelled = "".join(self.pieces[i] for i in written[len(self.tokens) :])
        left = self.letters[len(spelled) :]
        if not left:
            return None
        return [
            i
            for i, piece in enumerate(self.pieces)
            if i not in self.never and (piece.startswith(left) or left.startswith(piece))
        ]


FREE = Prefix()
