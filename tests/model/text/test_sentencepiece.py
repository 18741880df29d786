"""What a foreign SentencePiece model may do to a text is bounded before any text is cut."""

import string
import struct
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.errors import UserError
from model.text.sentencepiece import DEEPEST, LONGEST_PIECE, MOST_GROWTH, SPACE, SentencePiece
from tests.memory import begin_peak, peak
from tests.model.hostile import NO_UNIT, charsmap, sentence_piece

PIECES = (*string.ascii_lowercase, SPACE)
SECONDS = 2.0
KILOBYTES = 50_000  # of memory, for a text of 4,000 letters
TYPED = "a" * 4000


def read(replaced: dict[bytes, bytes]) -> SentencePiece:
    return SentencePiece.read(sentence_piece(PIECES, charsmap(replaced)), "source.spm")


def test_replacements_are_made_and_the_longest_wins() -> None:
    model = read({b"a": b"b", b"ab": b"xyz", "é".encode(): b"e"})
    assert model.normalise("a ab é c") == "▁b▁xyz▁e▁c"


@pytest.mark.parametrize("key", [b"a", "ﷺ".encode(), b"abcd"])
def test_as_much_as_unicode_needs_is_taken_and_a_byte_more_is_refused(key: bytes) -> None:
    most = MOST_GROWTH * len(key)
    assert len(read({key: b"x" * most}).normalise(key.decode())) == most + len(SPACE)
    with pytest.raises(UserError, match=r"source\.spm replaces letters with texts more than 11"):
        read({b"b": b"c", key: b"x" * (most + 1)})


def test_a_letter_replaced_by_megabytes_is_refused_at_once() -> None:
    """4,000 letters took more than 6 GB: a zip of 234 kB, of a model that any visitor may load."""
    data = sentence_piece(PIECES, charsmap({b"a": b"x" * 3_900_000}))
    start = time.thread_time()
    with pytest.raises(UserError, match="replaces letters"):
        SentencePiece.read(data, "source.spm")
    assert time.thread_time() - start < SECONDS


def _raw(units: list[int], texts: bytes) -> bytes:
    return sentence_piece(PIECES, struct.pack(f"<I{len(units)}I", 4 * len(units), *units) + texts)


ENDLESS = [0x100 << 10, *[NO_UNIT] * 0x1FF]
ENDLESS[0x100 ^ ord("a")] = ord("a") << 10 | ord("a")  # its children are those of the root


@pytest.mark.parametrize(
    "data",
    [
        _raw(ENDLESS, b"x\0"),
        _raw([0] * 2**20, b"x\0"),
        sentence_piece(PIECES, charsmap({b"a": b"x"})[:-1]),  # a text without an end
        sentence_piece(PIECES, charsmap({b"a": b"x"})[:-2]),
        sentence_piece(PIECES, charsmap({b"a" * (DEEPEST + 1): b"x"})),
    ],
    ids=["endless", "a million", "no end", "no text", "deep"],
)
def test_a_trie_that_leads_nowhere_or_never_ends_is_refused(data: bytes) -> None:
    start = time.thread_time()
    with pytest.raises(UserError, match="replaces letters"):
        SentencePiece.read(data, "source.spm")
    assert time.thread_time() - start < SECONDS


def test_pieces_that_would_take_minutes_to_cut_are_refused() -> None:
    """Each longer than the one before: 64,000 letters took 310 s with 2,048 of them."""
    with pytest.raises(UserError, match=r"source\.spm has a piece of more than 64 characters"):
        SentencePiece.read(sentence_piece(["a", "a" * (LONGEST_PIECE + 1)]), "source.spm")


def test_the_worst_that_is_taken_takes_little_time_and_memory() -> None:
    pieces = ["a" * length for length in range(1, LONGEST_PIECE + 1)]
    data = sentence_piece(pieces, charsmap({b"a": b"a" * MOST_GROWTH}))
    model, before = SentencePiece.read(data), begin_peak()
    start = time.thread_time()
    assert len(model.encode(TYPED)) == MOST_GROWTH * len(TYPED) // LONGEST_PIECE + 2
    assert time.thread_time() - start < SECONDS
    assert peak() - before < KILOBYTES


TEXT = st.text("abcé ﷺ\0", max_size=40)
KEYS = st.text("abcé ﷺ\0", min_size=1, max_size=4).map(str.encode)
GOOD = charsmap({b"a": b"xx", b"ab": b"y", "ﷺ".encode(): b"x" * 33})


def refused_or_bounded(data: bytes, text: str) -> None:
    try:
        model = SentencePiece.read(data, "source.spm")
    except UserError:
        return
    most = MOST_GROWTH * len(text.encode()) + 1  # with the blank in front
    assert len(model.normalise(text)) <= most
    assert len(model.encode(text)) <= most


@settings(max_examples=40)
@given(st.dictionaries(KEYS, st.binary(max_size=60), max_size=4), TEXT)
def test_no_normaliser_makes_more_of_a_text_than_is_promised(
    replaced: dict[bytes, bytes], text: str
) -> None:
    refused_or_bounded(sentence_piece(PIECES, charsmap(replaced)), text)


@settings(max_examples=80)
@given(st.dictionaries(st.integers(0, len(GOOD) - 1), st.integers(0, 255), max_size=8), TEXT)
def test_neither_does_one_that_was_changed_anywhere(changes: dict[int, int], text: str) -> None:
    changed = bytearray(GOOD)
    for place, octet in changes.items():
        changed[place] = octet
    refused_or_bounded(sentence_piece(PIECES, bytes(changed)), text)
