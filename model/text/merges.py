"""How byte-level BPE builds the pieces of a text from bytes, one learned merge at a time."""

from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from model.text.tokenizer import Token, Tokenizer


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
    """The merges that a tokenizer has learned, in order."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.number = {pair: i for i, pair in enumerate(tokenizer.merges, start=1)}

    def __len__(self) -> int:
        return len(self.number)

    def replay(self, text: str) -> Replay:
        """Merge the bytes of a text step by step, as `Tokenizer.encode` does at once.

        Words are separated first: no piece ever reaches from one word into the next.
        """
        cut = self.tokenizer.bpe.pre_tokenizer.pre_tokenize_str(" " + text)
        words = [list(symbols) for symbols, _ in cut]
        start = self._tokens(words)
        merges = []
        for i, word in enumerate(words):
            while (found := self._next(word)) is not None:
                number, at = found
                left, right = self._tokens([word[at : at + 2]])
                word[at : at + 2] = ["".join(word[at : at + 2])]
                before = sum(map(len, words[:i]))
                merges.append(Merge(number, left, right, self._tokens(words), before + at))
        return Replay(start, tuple(merges))

    def _next(self, word: list[str]) -> tuple[int, int] | None:
        """Return number and index of the earliest learned merge that applies, leftmost first."""
        pairs = enumerate(pairwise(word))
        fitting = [(self.number[pair], at) for at, pair in pairs if pair in self.number]
        return min(fitting, default=None)

    def _tokens(self, words: list[list[str]]) -> tuple[Token, ...]:
        ids = [self.tokenizer.bpe.token_to_id(symbols) for word in words for symbols in word]
        assert None not in ids, "every byte and every merged pair is in the vocabulary"
        return self.tokenizer.tokens(cast("list[int]", ids))
