"""The supplement: names and figures stand on both sides, and no scored sentence is among it."""

import re
import sys
import unicodedata
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "pretrained" / "supplement"
sys.path.insert(0, str(FOLDER))
import figures  # noqa: E402
import names  # noqa: E402
import prepare  # noqa: E402

LANGUAGES = pytest.mark.parametrize("language", ["es", "fr"])
held_out, trained = cache(figures.held_out), cache(figures.training)


@LANGUAGES
def test_every_figure_and_name_of_the_source_stands_in_the_translation(language: str) -> None:
    for sentence in islice(names.sentences(language, 1), 500):
        assert sentence.copied
        for name in sentence.copied:
            assert sentence.src.count(name) == sentence.tgt.count(name) >= 1
    for sentence in trained(language)[::4]:
        assert all(text in sentence.tgt for text in map(figures.capitalised, sentence.copied)) or (
            all(text in sentence.tgt for text in sentence.copied)
        )
        digits = [sorted(re.findall(r"\d", text)) for text in (sentence.src, sentence.tgt)]
        assert digits[0] == digits[1], sentence


TRAINED_ON = ("more.tsv", "further.tsv")
TRIPLES = [FOLDER / name for name in ("everyday.tsv", *TRAINED_ON)]


def test_everyday_triples_are_whole_and_stand_once() -> None:
    lines = [line for file in TRIPLES for line in file.read_text(encoding="utf-8").splitlines()]
    triples = [line.split("\t") for line in lines]
    assert len(triples) > 72_000
    assert all(len(triple) == 3 for triple in triples)
    assert all(text and text == text.strip() for triple in triples for text in triple)
    for texts in list(zip(*triples, strict=True))[:2]:  # an English sentence may translate two
        assert len(set(texts)) == len(texts)


def bare(text: str) -> str:
    """The words alone, in lower case and without accents; lines and columns stay."""
    letters = re.sub("[\u0300-\u036f]+", "", unicodedata.normalize("NFD", text.lower()))
    return re.sub(r"[^\w\n\t]+", " ", letters)


def columns(*files: Path) -> list[set[str]]:
    lines = bare("".join(file.read_text(encoding="utf-8") for file in files)).split("\n")
    rows = [[text.strip() for text in line.split("\t")] for line in lines if line]
    return [set(column) for column in zip(*rows, strict=True)]


def test_the_everyday_test_is_not_in_the_supplement() -> None:
    """A score on sentences that were trained on says nothing."""
    for language, everyday in zip(("es", "fr"), columns(*TRIPLES)[:2], strict=True):
        tests = [FOLDER.parent / "everyday" / f"{part}{language}-en.tsv" for part in ("", "tool.")]
        scored = columns(*tests)[0]
        assert len(scored) == 344
        assert not scored & everyday
        assert not scored & columns(FOLDER / f"{language}-en.tsv")[0]


@LANGUAGES
def test_what_is_held_out_is_not_among_those_trained_on(language: str) -> None:
    """Nor are digits alike, which are drawn for training."""
    drawn = figures.with_doubles(language, 100)
    assert all(any(re.search(r"(\d)\1", text) for text in line.copied) for line in drawn)
    known = trained(language) + held_out(language, 150)
    assert not {line.src for line in drawn} & {line.src for line in known}
    kept = held_out(language, 150) + names.held_out(language, 50)
    assert len({sentence.src for sentence in kept}) > 190
    lines = prepare.supplement(language, *TRAINED_ON)
    assert not {sentence.src for sentence in kept} & {line.split("\t")[0] for line in lines}
    assert all(line.count("\t") == 1 for line in lines)
