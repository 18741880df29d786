"""What a translation has to begin with: whole tokens, then the first letters of a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.text.tokenizer import Tokenizer


@dataclass(frozen=True)
class Prefix:
    """The tokens that a translation begins with, and the letters that must follow them.

    Like `pieces`, `letters` are in the vocabulary's own alphabet of bytes. Any pieces except those
    in `never` may spell them, and the last piece may go on beyond them.
    """

    tokens: tuple[int, ...] = ()
    letters: str = ""
    pieces: tuple[str, ...] = ()
    never: frozenset[int] = frozenset()

    @classmethod
    def typed(cls, text: str, tokenizer: Tokenizer) -> Prefix:
        """Return the prefix for a typed text, whose last word may be incomplete.

        After a blank, a new word begins.
        """
        words, _, last = text.lstrip().rpartition(" ")
        tokens = tokenizer.encode_target(words) if words.strip() else ()
        letters = "".join(tokenizer.pieces[i] for i in tokenizer.encode_target(last))
        return cls(
            tuple(tokens), letters if text.strip() else "", tokenizer.pieces, tokenizer.specials
        )

    def allowed(self, written: Sequence[int]) -> list[int] | None:
        """Return the tokens that may follow those written so far, or None if any may."""
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
