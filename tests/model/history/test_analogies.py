"""The analogy test: which questions are asked, and what vectors answer."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from model import checkpoint
from model.cli.main import app
from model.config import ModelConfig
from model.history.analogies import (
    OURS,
    PAIRS,
    Score,
    answers,
    questions,
    read_questions,
    score,
    total,
    whole_words,
    without_capitals,
)
from model.nn.transformer import Transformer
from model.text.tokenizer import Tokenizer

PEOPLE = {"man": 0, "king": 1, "woman": 2, "queen": 3, "bread": 4}
# Axes: person, female, royal, food.
TABLE = np.array([[1, 0, 0, 0], [1, 0, 2, 0], [1, 1, 0, 0], [1, 1, 2, 0], [0, 0, 0, 1]], float)
LIST = """: family
man king woman queen
man woman king queen

: food
man bread king cake
"""


def test_each_pair_is_asked_by_each_other() -> None:
    made = questions([("a", "A"), ("b", "B"), ("c", "C")])
    assert len(made) == 6
    assert ("a", "A", "b", "B") in made
    assert all(len(OURS[name]) == len(of) * (len(of) - 1) for name, of in PAIRS.items())


def test_the_nearest_word_but_the_three_is_the_answer() -> None:
    asked = [("man", "king", "woman", "queen"), ("man", "woman", "king", "bread")]
    first, second = answers(TABLE, PEOPLE, asked)
    assert (first.word, first.right) == ("queen", True)
    assert (second.word, second.right) == ("queen", False)
    assert score([first, second], asked) == Score(1, 2, 2)


def test_only_known_words_are_asked() -> None:
    asked = [("man", "king", "woman", "queen"), ("man", "king", "boy", "prince")]
    assert score(answers(TABLE, PEOPLE, asked), asked) == Score(1, 1, 2)
    assert total([Score(1, 1, 2), Score(3, 4, 5)]) == Score(4, 5, 7)


def test_two_spellings_of_one_word_are_one_word() -> None:
    known = without_capitals({"Paris": 0, "France": 1, "Rome": 2, "Italy": 3, "may": 4, "May": 5})
    assert known["paris"] == known["Paris"]
    assert (known["may"], known["May"]) == (4, 5)
    table = np.array([[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0], [0, 0, -9], [-9, 0, 0]], float)
    (found,) = answers(table, known, [("france", "paris", "italy", "rome")])
    assert (found.word, found.right) == ("rome", True)


@pytest.mark.parametrize(
    ("lines", "said"), [("man king woman\n", "Line 1 of .* has 3 words"), ("\n", "no questions")]
)
def test_a_list_that_is_none(tmp_path: Path, lines: str, said: str) -> None:
    (tmp_path / "list.txt").write_text(lines)
    with pytest.raises(ValueError, match=said):
        read_questions(tmp_path / "list.txt")


def test_a_model_is_asked_from_the_command_line(tmp_path: Path) -> None:
    tokenizer = Tokenizer.train([" ".join(PEOPLE)] * 9, 300)
    words = whole_words(tokenizer)
    assert words.keys() >= PEOPLE.keys()
    config = ModelConfig(
        tokenizer.vocab_size, d_model=4, n_heads=1, d_ff=8, n_encoder_layers=1, n_decoder_layers=1
    )
    model = Transformer(config)
    with torch.no_grad():
        model.tgt_embed.weight.zero_()
        for word, row in PEOPLE.items():
            model.tgt_embed.weight[words[word]] = torch.tensor(TABLE[row])
    checkpoint.save(tmp_path / "model", model, tokenizer, {"step": 1})
    (tmp_path / "list.txt").write_text(LIST)
    arguments = ["analogies", "--model", str(tmp_path / "model")]
    given = ["--data", str(tmp_path / "list.txt"), "--json", "--record", "analogies"]
    result = CliRunner().invoke(app, [*arguments, *given])
    assert result.exit_code == 0, result.output
    counts = json.loads(result.stdout)
    assert (counts["right"], counts["asked"], counts["questions"]) == (2, 2, 3)
    assert counts["categories"] == {"family": {"right": 2, "asked": 2, "questions": 2}}
    loaded = checkpoint.load(tmp_path / "model")  # whose manifest is still right
    assert loaded.metrics == {"step": 1, "analogies": counts}
    ours = CliRunner().invoke(app, arguments)
    assert ours.exit_code == 0, ours.output
    assert "gender" in ours.stdout
