"""Byte-level BPE under the names of the tokenizers library, in plain Python."""

import json
from collections.abc import Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

from absent import absent

from model.text.byte_level import ByteLevel, words

__path__: list[str] = []  # its other modules are absent


def __getattr__(name: str) -> Any:
    return absent(f"tokenizers.{name}")


class AddedToken(NamedTuple):
    """A piece that no text is split into."""

    content: str
    normalized: bool = True


class Encoding(NamedTuple):
    """A text as the ids of its pieces."""

    ids: list[int]


class BPE:
    """Pieces, and the merges that make them."""

    def __init__(self, vocab: Mapping[str, int] | None = None, merges: Sequence[Any] = ()) -> None:
        self.vocab, self.merges = dict(vocab or {}), list(merges)


class Words:
    """Cuts a text into words, each as symbols of its bytes."""

    def __init__(self, add_prefix_space: bool = True) -> None:
        self.add_prefix_space = add_prefix_space

    @staticmethod
    def alphabet() -> list[str]:
        """Return no symbols: nothing is learned here."""
        return []

    def pre_tokenize_str(self, text: str) -> list[tuple[str, tuple[int, int]]]:
        """Return the words; nobody asks where they stand."""
        return [("".join(word), (0, 0)) for word in words(text)]


models = SimpleNamespace(BPE=BPE)
pre_tokenizers = SimpleNamespace(ByteLevel=Words)
decoders = SimpleNamespace(ByteLevel=object)
trainers = SimpleNamespace(BpeTrainer=dict)


class Tokenizer:
    """Splits a text into bytes and merges them."""

    pre_tokenizer: Words
    decoder: object
    encode_special_tokens = False

    def __init__(self, model: BPE) -> None:
        self.model = model
        self.pieces = ByteLevel({"vocab": model.vocab, "merges": model.merges})

    def add_special_tokens(self, tokens: Sequence[AddedToken]) -> None:
        """Do nothing: the vocabulary has them, and no text is split into them."""

    def train_from_iterator(self, lines: Iterable[str], trainer: Any) -> None:
        """Learn from no lines, as is done for the rules of a file."""
        if any(lines):
            raise absent("tokenizers.train")()

    def encode(self, text: str, add_special_tokens: bool = True) -> Encoding:
        """Split a text that begins with a blank."""
        return Encoding(self.pieces.encode(text.removeprefix(" ")))

    def encode_batch_fast(
        self, texts: Sequence[str], add_special_tokens: bool = True
    ) -> list[Encoding]:
        return [self.encode(text) for text in texts]

    def decode(self, ids: Sequence[int], skip_special_tokens: bool = True) -> str:
        return self.pieces.octets(ids).decode(errors="replace")

    def get_vocab(self) -> dict[str, int]:
        return dict(self.model.vocab)

    def to_str(self, pretty: bool = False) -> str:
        return json.dumps({"model": vars(self.model)})
