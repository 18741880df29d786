"""Any text in, the same text out, and pieces as people read them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.text.tokenizer import BOS, EOS, PAD, SPECIALS, Tokenizer
from tests.model.samples import letters_tokenizer

LINES = ["Je suis étudiant.", "étudier, c'est étudier", "Qué será, será."] * 20
TOKENIZER = Tokenizer.train(LINES, 300)
BAD_INPUTS = [
    "",
    " ",
    "\u200b\u200d",
    "a" * 10_000,
    "👩‍👩‍👧 🇫🇷",
    "שלום עולם",
    "\x00\x07\x1b[31m",
    "<script>alert(1)</script>",
    "$x$",
    "<pad>",
    "<bos> <eos>",
    "  two  spaces  ",
    "line\r\nbreak\ttab",
    "e\u0301 and é",
]


@settings(max_examples=150, deadline=None)
@given(st.text())
def test_any_text_comes_back(text: str) -> None:
    assert TOKENIZER.decode(TOKENIZER.encode(text)) == text


@pytest.mark.parametrize("text", BAD_INPUTS)
def test_hostile_text_comes_back_and_can_be_shown(text: str) -> None:
    ids = TOKENIZER.encode(text)
    assert TOKENIZER.decode(ids) == text
    for token in TOKENIZER.tokens(ids):
        assert token.text
        assert token.text.isprintable()
        assert not token.special


def test_batch_equals_one_by_one() -> None:
    assert TOKENIZER.encode_batch(BAD_INPUTS) == [TOKENIZER.encode(text) for text in BAD_INPUTS]


@pytest.mark.parametrize("special", SPECIALS)
def test_a_typed_special_is_text(special: str) -> None:
    for tokenizer in (TOKENIZER, letters_tokenizer()):
        assert min(tokenizer.encode(special)) >= len(SPECIALS)


def test_specials() -> None:
    assert [token.text for token in TOKENIZER.tokens([PAD, BOS, EOS])] == list(SPECIALS)
    assert all(token.special for token in TOKENIZER.tokens([PAD, BOS, EOS]))
    ids = [BOS, *TOKENIZER.encode("étudiant"), EOS, PAD]
    assert TOKENIZER.decode(ids) == "étudiant"


def test_pieces_join_to_the_text_and_tell_where_words_start() -> None:
    tokens = TOKENIZER.tokens(TOKENIZER.encode("étudiant étudier"))
    starts = [token for token in tokens if token.starts_word]
    assert [token.text[0] for token in starts] == ["é", "é"]
    joined = "".join(" " * token.starts_word + token.text for token in tokens)
    assert joined == " étudiant étudier"


def test_a_word_is_cut_the_same_wherever_it_stands() -> None:
    first, later = TOKENIZER.encode("étudiant"), TOKENIZER.encode("suis étudiant")
    assert later[-len(first) :] == first


def test_a_lone_byte_is_shown_as_hex() -> None:
    """An unseen emoji is cut into bytes that are no characters of their own."""
    tokens = TOKENIZER.tokens(TOKENIZER.encode("😀"))
    assert "0xF0" in tokens[0].text or tokens[0].text == "␣"
    shown = " ".join(token.text for token in tokens).removeprefix("␣ ")
    assert shown == "0xF0 0x9F 0x98 0x80"


def test_same_lines_same_pieces() -> None:
    again = Tokenizer.train(LINES, 300)
    assert again.encode("étudier, étudiant.") == TOKENIZER.encode("étudier, étudiant.")
    assert again.vocab_size == TOKENIZER.vocab_size <= 300


def test_saved_and_loaded_it_cuts_the_same(tmp_path: Path) -> None:
    TOKENIZER.save(tmp_path / "tokenizer.json")
    loaded = Tokenizer.load(tmp_path / "tokenizer.json")
    for text in (*LINES[:3], *BAD_INPUTS):
        assert loaded.encode(text) == TOKENIZER.encode(text)


@pytest.mark.parametrize("content", ["", "{}", "[1]", "\x80"])
def test_a_foreign_file_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "tokenizer.json").write_text(content)
    with pytest.raises(ValueError, match="is not a tokenizer"):
        Tokenizer.load(tmp_path / "tokenizer.json")


def test_limits() -> None:
    with pytest.raises(ValueError, match="at least 259 tokens, not 258"):
        Tokenizer.train(LINES, 258)
    with pytest.raises(ValueError, match="no piece 300"):
        TOKENIZER.token(300)
