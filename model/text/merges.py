"""How byte-level BPE builds the pieces of a text from bytes, one learned merge at a time."""

from dataclasses import dataclass

from model.text.byte_level import ByteLevel, Token


@dataclass(frozen=True)
class Merge:
    """One step: two neighbours become one piece.

    `number` is the rank of this merge in the order of training, from 1; `pieces` are all pieces
    after it, with the new one at index `at`.
    """

    number: int
    left: Token
    right: Token
    pieces: tuple[Token, ...]
    at: int


@dataclass(frozen=True)
class Replay:
    """A text as single bytes, and every merge that was applied to them, in order."""

    start: tuple[Token, ...]
    merges: tuple[Merge, ...]

    @property
    def pieces(self) -> tuple[Token, ...]:
        """The final pieces, the same as those of `Tokenizer.encode`."""
        return self.merges[-1].pieces if self.merges else self.start


class Merges:
    """The merges that a tokenizer has learned, replayed on a text."""

    def __init__(self, tokenizer: ByteLevel) -> None:
        self.tokenizer = tokenizer

    def __len__(self) -> int:
        return len(self.tokenizer.merges)

    def replay(self, text: str) -> Replay:
        """Merge the bytes of a text step by step, as `Tokenizer.encode` does at once.

        Words are separated first: no piece ever reaches from one word into the next.
        """
        split = self.tokenizer.words(" " + text)
        start = self._tokens(split)
        merges = []
        for i, word in enumerate(split):
            before = sum(map(len, split[:i]))
            pieces = list(word)
            for number, at in self.tokenizer.merge(word):
                left, right = self._tokens([pieces[at : at + 2]])
                merges.append(Merge(number, left, right, self._tokens(split), before + at))
                pieces = list(word)
        return Replay(start, tuple(merges))

    def _tokens(self, split: list[list[str]]) -> tuple[Token, ...]:
        return self.tokenizer.tokens(
            [self.tokenizer.ids[piece] for word in split for piece in word]
        )
