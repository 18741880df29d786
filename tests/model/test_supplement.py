"""The supplement: names and figures stand on both sides, and no scored sentence is among it."""

import re
import sys
import unicodedata
from pathlib import Path
from unicodedata import combining

import pytest

FOLDER = Path(__file__).parents[2] / "pretrained" / "supplement"
sys.path.insert(0, str(FOLDER))
import figures  # noqa: E402
import names  # noqa: E402
import prepare  # noqa: E402


@pytest.mark.parametrize("language", ["es", "fr"])
def test_every_name_of_the_source_stands_in_the_translation(language: str) -> None:
    for sentence in names.training(language):
        assert sentence.copied
        for name in sentence.copied:
            assert sentence.src.count(name) == sentence.tgt.count(name) >= 1


TRIPLES = [FOLDER / "everyday.tsv", FOLDER / "more.tsv", FOLDER / "further.tsv"]


def test_everyday_triples_are_whole_and_stand_once() -> None:
    lines = [line for file in TRIPLES for line in file.read_text(encoding="utf-8").splitlines()]
    triples = [line.split("\t") for line in lines]
    assert len(triples) > 72_000
    assert all(len(triple) == 3 for triple in triples)
    assert all(text and text == text.strip() for triple in triples for text in triple)
    for texts in list(zip(*triples, strict=True))[:2]:  # an English sentence may translate two
        assert len(set(texts)) == len(texts)


def bare(text: str) -> str:
    """The words alone, in lower case and without accents."""
    letters = unicodedata.normalize("NFD", text.lower())
    return " ".join("".join(c if c.isalnum() else " " for c in letters if not combining(c)).split())


@pytest.mark.parametrize(("language", "column"), [("es", 0), ("fr", 1)])
def test_the_everyday_test_is_not_in_the_supplement(language: str, column: int) -> None:
    """A score on sentences that were trained on says nothing."""
    tests = [FOLDER.parent / "everyday" / f"{part}{language}-en.tsv" for part in ("", "tool.")]
    lines = [line for test in tests for line in test.read_text(encoding="utf-8").splitlines()]
    scored = {bare(line.split("\t")[0]) for line in lines}
    assert len(scored) == 344
    places = dict.fromkeys(TRIPLES, column) | {FOLDER / f"{language}-en.tsv": 0}
    for file, place in places.items():
        lines = file.read_text(encoding="utf-8").splitlines()
        assert not scored & {bare(line.split("\t")[place]) for line in lines}


@pytest.mark.parametrize("language", ["es", "fr"])
def test_every_figure_and_name_stands_in_the_translation(language: str) -> None:
    for sentence in figures.training(language):
        assert all(text in sentence.tgt for text in map(figures.capitalised, sentence.copied)) or (
            all(text in sentence.tgt for text in sentence.copied)
        )
        digits = [sorted(re.findall(r"\d", text)) for text in (sentence.src, sentence.tgt)]
        assert digits[0] == digits[1], sentence


@pytest.mark.parametrize("language", ["es", "fr"])
def test_digits_alike_are_drawn_for_training_but_never_those_held_out(language: str) -> None:
    drawn = figures.with_doubles(language, 300)
    assert all(any(re.search(r"(\d)\1", text) for text in line.copied) for line in drawn)
    known = figures.training(language) + figures.held_out(language, 150)
    assert not {line.src for line in drawn} & {line.src for line in known}


@pytest.mark.parametrize("language", ["es", "fr"])
def test_what_is_held_out_is_not_among_those_trained_on(language: str) -> None:
    held_out = figures.held_out(language, 150) + names.held_out(language, 50)
    assert len({sentence.src for sentence in held_out}) > 190
    lines = prepare.supplement(language, "more.tsv")
    assert not {sentence.src for sentence in held_out} & {line.split("\t")[0] for line in lines}
    assert lines == prepare.supplement(language, "more.tsv")
    assert all(line.count("\t") == 1 for line in lines)
