"""What the model's side says to people is said in their language."""

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from app import i18n
from app.views.training.error_texts import COMPLAINTS
from app.views.training.errors import _pattern, translated
from model.config import ModelConfig, TrainConfig
from model.text.pairs import parse_tsv

ROOT = Path(__file__).parents[4]
# Where what a page does to a run, and what a run tells in its status, can fail.
FILES = ("checkpoint", "data", "pairs", "planned", "run_list", "run_names", "runs", "train")
# What nobody sees: it is told as another sentence by who asked.
INSIDE = {"? names two architectures."}


def raised(file: str) -> Iterator[str]:
    """All sentences of a file that are raised, or told in a status; what fills them is a "?"."""
    tree = ast.parse((ROOT / "model" / f"{file}.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise):
            yield from sentences(node)
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and (
            node.name.endswith("Error") or node.name == "_sentence"
        ):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Return | ast.Call):
                    yield from sentences(inner)


def sentences(node: ast.AST) -> Iterator[str]:
    """The texts that a node's call is given, or that it returns."""
    call = node.exc if isinstance(node, ast.Raise) else node
    given = call.args if isinstance(call, ast.Call) else [getattr(call, "value", None)]
    for text in given:
        if isinstance(text, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "?" for part in text.values
            )
        if isinstance(text, ast.Constant) and " " in str(text.value):
            yield str(text.value)


def is_known(sentence: str) -> bool:
    """Tell whether a sentence is translated; what fills it may be nothing."""
    fillings = product(("7", ""), repeat=sentence.count("?"))
    variants = [sentence.replace("?", "{}").format(*filling) for filling in fillings]
    return any(_pattern(one).fullmatch(variant) for one in COMPLAINTS for variant in variants)


@pytest.mark.parametrize("file", FILES)
def test_every_sentence_of_the_models_side_is_translated(file: str) -> None:
    found = set(raised(file)) - INSIDE
    assert found
    assert [sentence for sentence in found if not is_known(sentence)] == []


@pytest.mark.parametrize("language", ["es", "fr"])
def test_it_is_said_in_the_visitors_language(language: str) -> None:
    token = i18n._chosen.set(language)
    try:
        for sentence, kept in (
            ("The run 'x 2' is still alive: stop it first.", "x 2"),
            ("The loss was not finite 10 steps in a row, the last at step 15: "
             "lower the learning rate.", "15"),
            ("The trainer broke off by an error of its own: KeyError: 'a'", "KeyError: 'a'"),
        ):  # fmt: skip
            said = translated(sentence)
            assert said != sentence
            assert kept in said
        disk = translated("The run cannot be written: No space left on device.")
        assert "device" not in disk
        assert "written" not in disk
    finally:
        i18n._chosen.reset(token)


def test_settings_and_lines_are_explained() -> None:
    for config in (
        lambda: ModelConfig(300, d_model=30, n_heads=4),
        lambda: ModelConfig(300, d_model=9, n_heads=1),
        lambda: ModelConfig(0),
        lambda: ModelConfig(2_000_000),
        lambda: TrainConfig(label_smoothing=1.0),
        lambda: TrainConfig(learning_rate=0.0),
    ):
        with pytest.raises(ValueError, match="must be") as error:
            config()
        assert is_known(str(error.value))
        assert translated(str(error.value)) != str(error.value)
    lines = b"a\na\tb\tc\td\n\n \t \n\xff\tb\nx\t" + b"y" * 3000 + b"\na\tb\n"
    reasons = [line.reason for line in parse_tsv(lines, most=6)[1]]
    assert len(reasons) == 7
    assert all(map(is_known, reasons))


def test_what_is_not_known_stays_as_it_is() -> None:
    assert translated("Nobody ever said this.") == "Nobody ever said this."


def test_a_sentence_has_the_places_that_fill_it() -> None:
    for sentence, said in COMPLAINTS.items():
        assert set(re.findall(r"{(\w+)}", said)) <= set(re.findall(r"{(\w+)}", sentence))
