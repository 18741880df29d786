"""The invented names of the supplement: made by the script beside them, the same on both sides."""

import importlib.util
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "pretrained" / "supplement"
SPEC = importlib.util.spec_from_file_location("names", FOLDER / "names.py")
assert SPEC is not None
assert SPEC.loader is not None
names = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(names)


@pytest.mark.parametrize(("language", "templates"), [("es", "SPANISH"), ("fr", "FRENCH")])
def test_the_files_are_what_the_script_writes(language: str, templates: str) -> None:
    lines = names.pairs(getattr(names, templates), names.PAIRS)
    written = (FOLDER / f"names.{language}-en.tsv").read_text(encoding="utf-8").splitlines()
    assert written == lines


@pytest.mark.parametrize("templates", ["SPANISH", "FRENCH"])
def test_every_name_of_the_source_stands_in_the_translation(templates: str) -> None:
    for row in getattr(names, templates).splitlines():
        src, tgt = row.split("|")
        for place in ("{a}", "{b}", "{c}"):
            assert src.count(place) == tgt.count(place)


def test_everyday_triples_are_whole_and_stand_once() -> None:
    lines = (FOLDER / "everyday.tsv").read_text(encoding="utf-8").splitlines()
    triples = [line.split("\t") for line in lines]
    assert len(triples) >= 8000
    assert all(len(triple) == 3 for triple in triples)
    assert all(text and text == text.strip() for triple in triples for text in triple)
    for texts in list(zip(*triples, strict=True))[:2]:  # an English sentence may translate two
        assert len(set(texts)) == len(texts)
