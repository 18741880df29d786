"""The cheat sheet: its shapes and its formulas are those of the visitor's sentence."""

import re
from pathlib import Path

import numpy as np

from app.data.decoding import Decoding
from app.data.walk import walk
from app.views.cheat_sheet.page import STEPS
from tests.app.pages import opened

NUMBER = re.compile(r"-?[\d.]+(?:e-?\d+)?")
TEXT = "Nunca es tarde."
TIMES = "\u00a0×\u00a0"  # a shape stays in one line


def rows(text: str) -> list[list[str]]:
    lines = text.splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_shapes_are_those_of_the_arrays(models: Path) -> None:
    app = opened("cheat_sheet", text=TEXT)
    shown = walk("es-en", TEXT, Decoding())
    config = shown.config
    letters = {
        "S": len(shown.capture.src),
        "T": len(shown.capture.tgt),
        "D": config.d_model,
        "h": config.n_heads,
        "d_k": config.d_k,
        "d_ff": config.d_ff,
        "V": config.n_tgt_vocab,
    }
    (table,) = (text.value for text in app.markdown if text.value.startswith("| array"))
    for _name, symbols, numbers in rows(table):
        sizes = [letters[symbol] for symbol in symbols.split(TIMES)]
        assert [int(re.sub(r"\D", "", number)) for number in numbers.split(TIMES)] == sizes


def test_each_formula_ends_in_the_models_own_number(models: Path) -> None:
    app = opened("cheat_sheet", text=TEXT, model="fr-en")
    shown = walk("fr-en", TEXT, Decoding())
    results = [float(NUMBER.findall(latex.value.split("=")[-1])[0]) for latex in app.latex]
    assert len(results) == len(STEPS)
    for name, result in zip(STEPS, results, strict=True):
        array = shown.array(name)
        first = array[(0,) * (array.ndim - 1)]
        largest = name.endswith(("weights", "scaled", "probabilities"))
        expected = first.max() if largest else first[0]
        assert np.isclose(result, expected, rtol=1e-3, atol=1e-4), name
