"""Byte-level BPE in plain Python cuts, merges and decodes as the library does."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.checkpoint import pretrained_names, resolve
from model.files import read_json
from model.text.byte_level import SPECIALS, ByteLevel, words
from model.text.tokenizer import Tokenizer
from tests.model.text.test_tokenizer import BAD_INPUTS

FILES = [resolve(name) / "tokenizer.json" for name in pretrained_names() if "/" not in name]
TOKENIZERS = [Tokenizer.from_dict(read_json(file)) for file in FILES]
PLAIN = [ByteLevel(read_json(file)["model"]) for file in FILES]
BOTH = list(zip(PLAIN, TOKENIZERS, strict=True))

# What Python's own list of characters does not know yet is no letter to it, and may be one by now.
CHARACTERS = st.characters(exclude_categories=["Cs", "Cn"])
PARTS = ["¿Qué", "l'eau", "don't", "we'LL", "'s", "12,5", "²", "ⅷ", "\u00a0", "\u2009", "\t", "\n"]
PARTS += [" ", "  ", "e\u0301", "👩\u200d👧", "日本", "שלום", "…", "-", "\x1c", "\x85", *SPECIALS]
PHRASES = st.lists(st.sampled_from(PARTS) | st.text(CHARACTERS, max_size=4), max_size=20)


@settings(max_examples=100)
@given(PHRASES.map("".join) | PHRASES.map(" ".join) | st.text(CHARACTERS))
def test_texts_are_cut_and_merged_as_the_library_does(text: str) -> None:
    for plain, tokenizer in BOTH:
        assert list(words(text)) == tokenizer.words(text)
        ids = plain.encode(text)
        assert ids == tokenizer.encode(text)
        assert plain.decode(ids) == text


@settings(max_examples=100)
@given(st.lists(st.integers(0, 7999), max_size=30))
def test_any_ids_are_decoded_as_the_library_does(ids: list[int]) -> None:
    """A model may write half a character."""
    for plain, tokenizer in BOTH:
        assert plain.decode(ids) == tokenizer.decode(ids)
        assert plain.tokens(ids) == tokenizer.tokens(ids)


@pytest.mark.parametrize("text", [text for text in BAD_INPUTS if len(text) < 1000])
def test_hostile_texts(text: str) -> None:
    for plain, tokenizer in BOTH:
        assert plain.encode(text) == tokenizer.encode(text)
        assert plain.encode_batch([text]) == [plain.encode_target(text)]


def test_a_tokenizer_is_the_same_from_its_file() -> None:
    for plain, tokenizer in BOTH:
        assert plain.vocab_size == tokenizer.vocab_size
        assert plain.pieces == tokenizer.pieces
        assert plain.merges == tokenizer.merges
        assert plain.merged_from == tokenizer.merged_from


def test_the_class_of_each_character() -> None:
    """Each of the first 12,288 stands before a letter, a number and a mark."""
    known = [chr(i) for i in range(0x3000) if not 0xD800 <= i < 0xE000 and chr(i).isprintable()]
    text = " ".join(f"{char}a {char}1 {char}!" for char in known)
    assert list(words(text)) == TOKENIZERS[0].words(text)
