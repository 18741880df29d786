"""Which word of a sentence is followed through the model, and the heads that show it best.

H heads, S source tokens, T target tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from model.interpret.capture import Capture
from model.text.byte_level import Token

# A share of the hero's attention that shows a choice: neither spread out nor all on one word.
MIN_LOOK, MAX_LOOK = 0.25, 0.70
MIN_WRITE: Final = 0.80  # what the row that writes its translation gives to it
# The most frequent pieces of a vocabulary come first: among them are the words of grammar.
FREQUENT: Final = 0.08
Place = tuple[int, int]  # a head: layer and head, from 0


@dataclass(frozen=True)
class Hero:
    """A source token with what it is shown by.

    `head` of the first encoder layer gives the share `looks` to the token `key`; `to_word` says
    whether that is another word. The row `row` of the target, which writes its translation,
    gives it `writes` in the head `cross` (layer, head).
    """

    source: int
    head: int
    key: int
    looks: float
    to_word: bool
    row: int
    cross: Place
    writes: float

    @property
    def holds(self) -> tuple[bool, bool]:
        """Whether both shares are as clear as a hero's should be."""
        looks = self.to_word and MIN_LOOK <= self.looks <= MAX_LOOK
        return looks, self.writes >= MIN_WRITE


def heroes(capture: Capture, writers: Sequence[Place] = ()) -> tuple[Hero, ...]:
    """Return what shows each source token best; `writers` are heads whose rows write a word.

    Where none is known, all heads that look at the source are asked.
    """
    weights = capture.weights("encoder", 0)  # (H, S, S)
    over = capture.all_weights("cross")  # (L, H, T, S)
    asked = writers or [(i, j) for i in range(len(over)) for j in range(over.shape[1])]
    chosen = np.stack([over[place] for place in asked])  # (writers, T, S)
    return tuple(_hero(capture, i, weights, chosen, asked) for i in range(len(capture.src)))


def hero_of(capture: Capture, found: Sequence[Hero]) -> Hero:
    """Return the word to follow: a whole one that both heads show, the rarest among those."""
    size = FREQUENT * capture.config.vocab_size

    def worth(one: Hero) -> tuple[bool | int, ...]:
        token = capture.src[one.source]
        whole = is_whole(capture.src, one.source)
        rare = token.id >= size
        written = (*capture.tgt[1:], None)[one.row]
        lands = written is not None and is_word(written)
        both = all(one.holds) and lands
        shown = one.to_word and one.holds[1] and lands
        return is_word(token), whole, rare and both, rare and shown, rare, both, shown, token.id

    return max(found, key=worth)


def is_word(token: Token) -> bool:
    """Whether a token is no mark and none of the model's own signs."""
    return not token.special and any(char.isalnum() for char in token.text)


def is_whole(tokens: Sequence[Token], at: int) -> bool:
    """Whether a token is a whole word, no piece of one."""
    follows = tokens[at + 1] if at + 1 < len(tokens) else None
    ends = follows is None or follows.starts_word or not is_word(follows)
    return is_word(tokens[at]) and ends and (at == 0 or tokens[at].starts_word)


def _hero(
    capture: Capture, i: int, weights: np.ndarray, over: np.ndarray, asked: Sequence[Place]
) -> Hero:
    keys = weights[:, i].argmax(-1)  # (H,)
    looks = weights[range(len(keys)), i, keys]

    def shows(head: int) -> tuple[bool, bool, bool, float]:
        key, share = int(keys[head]), float(looks[head])
        clear = MIN_LOOK <= share <= MAX_LOOK
        return key != i, is_word(capture.src[key]), clear, share if share <= MAX_LOOK else -share

    head = max(range(len(keys)), key=shows)
    row = int(over[:, :, i].mean(0).argmax())
    best = int(over[:, row, i].argmax())
    return Hero(
        source=i,
        head=head,
        key=int(keys[head]),
        looks=float(looks[head]),
        to_word=shows(head)[0] and shows(head)[1],
        row=row,
        cross=(int(asked[best][0]), int(asked[best][1])),
        writes=float(over[best, row, i]),
    )
