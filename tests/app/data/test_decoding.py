"""The page decodes with a packed model, and writes what the plain model writes."""

import csv
import math
from dataclasses import replace
from pathlib import Path

import pytest

from app.data import decoding as page
from app.data.decoding import Decoded, Decoding, decode
from model import checkpoint
from model.checkpoint import Checkpoint
from model.files import ROOT
from model.interpret.experiments.plan import plan
from model.interpret.recording import capture
from model.nn.packed import packed
from tests.model.samples import letters_tokenizer, tiny_model

GREEDY, BEAM = Decoding("greedy"), Decoding("beam", 4)
LANGUAGES = ("es", "fr", "en")
EVERYDAY = ROOT / "pretrained/supplement/everyday.tsv"


def ids(loaded: Checkpoint, text: str) -> list[int]:
    return [*loaded.tokenizer.encode(loaded.tokenizer.read(text).text), loaded.config.eos_id]


def by_plain_model(loaded: Checkpoint, source: list[int], decoding: Decoding) -> Decoded:
    plain = replace(loaded)
    plain.__dict__["packed"] = plain.model
    return decode(plain, source, decoding)


def assert_same(loaded: Checkpoint, sentences: list[str]) -> None:
    """Compare all that a beam weighed, and the numbers of what it chose."""
    assert loaded.packed is not loaded.model
    for text in sentences:
        source = ids(loaded, text)
        for decoding in (GREEDY, BEAM):
            fast, plain = decode(loaded, source, decoding), by_plain_model(loaded, source, decoding)
            assert fast.ids == plain.ids, text
            assert [one.tokens for one in fast.hypotheses] == [
                one.tokens for one in plain.hypotheses
            ], text
            pairs = zip(fast.steps, plain.steps, strict=True)
            off = max(abs(one.taken.probability - two.taken.probability) for one, two in pairs)
            assert off < 1e-4, text


def sentences(language: str, n: int) -> list[str]:
    """Return every so many of the everyday sentences in a language."""
    with EVERYDAY.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [row[LANGUAGES.index(language)] for row in rows[:: len(rows) // n][:n]]


def test_the_page_writes_what_the_plain_model_writes() -> None:
    assert_same(checkpoint.load("es-en"), sentences("es", 6))


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", [*checkpoint.pretrained_names(), *checkpoint.snapshot_names()])
def test_every_shipped_model_writes_500_sentences_as_the_plain_one_does(name: str) -> None:
    loaded = checkpoint.load(name)
    assert_same(loaded, sentences(loaded.tokenizer.language or "es", 500))


@pytest.fixture
def made() -> Checkpoint:
    """A model of which the packed one would write something else."""
    tokenizer = letters_tokenizer()
    model, other = (
        tiny_model(seed, vocab_size=tokenizer.vocab_size).half().float() for seed in (0, 1)
    )
    loaded = Checkpoint(model, tokenizer, {}, Path())
    loaded.__dict__["packed"] = packed(other)
    return loaded


@pytest.mark.parametrize("decoding", [GREEDY, BEAM])
def test_the_plain_model_is_asked_where_it_was_close(
    made: Checkpoint, decoding: Decoding, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two ways of adding up differ in the last digits, which decide between equal candidates."""
    source = ids(made, "a b c")
    plain = by_plain_model(made, source, decoding)
    monkeypatch.setattr(page, "MIN_MARGIN", 0.0)
    assert decode(made, source, decoding).ids != plain.ids
    monkeypatch.setattr(page, "MIN_MARGIN", math.inf)
    assert decode(made, source, decoding) == plain


def test_what_is_drawn_is_the_plain_models(made: Checkpoint) -> None:
    source, decoding = ids(made, "a b c"), Decoding("sample", seed=3)
    assert decode(made, source, decoding) == by_plain_model(made, source, decoding)


def test_a_changed_run_is_the_plain_models(made: Checkpoint) -> None:
    source = ids(made, "a b c")
    original = capture(made.model, made.tokenizer, source, [made.config.bos_id])
    fit = plan(made.model, original, [], {})
    assert decode(made, source, BEAM, plan=fit) == by_plain_model(made, source, BEAM)


def test_weights_that_packing_would_round_are_not_packed() -> None:
    model = tiny_model()
    loaded = Checkpoint(model, letters_tokenizer(), {}, Path())
    assert loaded.packed is model
    model.half().float()
    assert replace(loaded).packed is not model
