"""Any text in, the same text out, and pieces as people read them."""

import base64
import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.text.byte_level import BOS, EOS, PAD, SPECIALS
from model.text.marian_tokenizer import read_tokenizer
from model.text.tokenizer import Tokenizer
from tests.model.hostile import charsmap

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


def test_hostile_text_comes_back_and_can_be_shown() -> None:
    assert TOKENIZER.encode_batch(BAD_INPUTS) == [TOKENIZER.encode(text) for text in BAD_INPUTS]
    for text in BAD_INPUTS:
        ids = TOKENIZER.encode(text)
        assert TOKENIZER.decode(ids) == text
        for token in TOKENIZER.tokens(ids):
            assert token.text
            assert token.text.isprintable()
            assert not token.special


def test_a_typed_special_is_text() -> None:
    for special in SPECIALS:
        assert min(TOKENIZER.encode(special)) >= len(SPECIALS)
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
    # A word is cut the same wherever it stands.
    first, later = TOKENIZER.encode("étudiant"), TOKENIZER.encode("suis étudiant")
    assert later[-len(first) :] == first


def test_a_lone_byte_is_shown_as_hex() -> None:
    """An unseen emoji is cut into bytes that are no characters of their own."""
    tokens = TOKENIZER.tokens(TOKENIZER.encode("😀"))
    assert "0xF0" in tokens[0].text or tokens[0].text == "␣"
    shown = " ".join(token.text for token in tokens).removeprefix("␣ ")
    assert shown == "0xF0 0x9F 0x98 0x80"


def test_trained_again_or_saved_and_loaded_it_cuts_the_same(tmp_path: Path) -> None:
    TOKENIZER.save(tmp_path / "tokenizer.json")
    for again in (read_tokenizer(tmp_path / "tokenizer.json"), Tokenizer.train(LINES, 300)):
        assert again.vocab_size == TOKENIZER.vocab_size <= 300
        for text in (*LINES[:3], *BAD_INPUTS):
            assert again.encode(text) == TOKENIZER.encode(text)


def test_a_foreign_file_is_refused(tmp_path: Path) -> None:
    for content in ("", "{}", "[1]", "\x80"):
        (tmp_path / "tokenizer.json").write_text(content)
        with pytest.raises(ValueError, match="is not a tokenizer"):
            read_tokenizer(tmp_path / "tokenizer.json")


def of_sentencepiece(data: bytes) -> dict[str, str]:
    return {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(data).decode()}


REPLACE = {"type": "Replace", "pattern": {"String": "a"}, "content": "b" * 1_000_000}
PREPEND = {"type": "Prepend", "prepend": "b" * 1_000_000}
NO_REGEX = {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated"}
RULES: dict[str, dict[str, Any]] = {
    "a letter of megabytes": {"normalizer": REPLACE},
    "megabytes in front": {"normalizer": PREPEND},
    "a damaged charsmap": {"normalizer": of_sentencepiece(b"\xff" * 8)},
    "a charsmap that leads out": {"normalizer": of_sentencepiece(b"\4\0\0\0abcd")},
    "a whole charsmap": {"normalizer": of_sentencepiece(charsmap({b"a": b"b" * 4_000_000}))},
    "one after the other": {"normalizer": {"type": "Sequence", "normalizers": [PREPEND]}},
    "a normaliser of none": {"normalizer": {"type": "Append"}},
    "an endless pattern": {"pre_tokenizer": {**NO_REGEX, "invert": False}},
    "other words": {"pre_tokenizer": {"type": "Whitespace"}},
    "other specials": {"added_tokens": []},
    "a cut": {"truncation": {"max_length": 1}},
    "chance": {"model": {"dropout": 0.5}},
    "merges that lead out": {"model": {"merges": [["Ã", "☃"]]}},
    "numbers with holes": {"model": {"vocab": {"a": 5}}},
    "a list of pieces": {"model": {"vocab": [["a", 1.0]]}},
    "a piece of a megabyte": {"model": {"vocab": {"a" * 2**20: 300}}},
    "no model": {"model": None},
}


def test_rules_that_are_not_ours_are_refused_unread(tmp_path: Path) -> None:
    """A damaged charsmap aborted the library, past each `except Exception`: no upload ever ended.

    Others take what is typed to megabytes, or never end.
    """
    path, values = tmp_path / "tokenizer.json", json.loads(TOKENIZER.bpe.to_str())
    for name, changes in RULES.items():
        model = changes.get("model", {})
        if model is not None:
            if isinstance(model.get("vocab"), dict):
                model = {"vocab": values["model"]["vocab"] | model["vocab"]}
            model = values["model"] | model
        path.write_text(json.dumps(values | changes | {"model": model}), encoding="utf-8")
        start = time.thread_time()
        with pytest.raises(ValueError, match="is not a tokenizer"):
            read_tokenizer(path)
        assert time.thread_time() - start < 1, name


def test_a_file_of_before_a_rule_was_known_is_read(tmp_path: Path) -> None:
    values = json.loads(TOKENIZER.bpe.to_str())
    for name in ("byte_fallback", "ignore_merges", "fuse_unk"):
        del values["model"][name]
    values["model"]["merges"] = [" ".join(pair) for pair in values["model"]["merges"]]
    (tmp_path / "tokenizer.json").write_text(json.dumps(values), encoding="utf-8")
    loaded = read_tokenizer(tmp_path / "tokenizer.json")
    assert loaded.bpe.to_str() == TOKENIZER.bpe.to_str()


def test_limits() -> None:
    with pytest.raises(ValueError, match="at least 259 tokens, not 258"):
        Tokenizer.train(LINES, 258)
    with pytest.raises(ValueError, match="no piece 300"):
        TOKENIZER.token(300)
