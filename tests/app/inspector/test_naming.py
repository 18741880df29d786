"""What numbers are called: ids and positions count from 0, everything else from 1."""

import numpy as np
import pytest

from app.components.board import array_grid
from app.data.walk import Cell, Walk
from app.inspector.arrays import _columns, grid
from app.inspector.naming import cell_name


@pytest.mark.parametrize(
    ("name", "index", "place"),
    [
        ("param:src_embed", (7, 3), "“{7}” · number 4"),
        ("param:generator.W", (3, 7), "“{7}” · number 4"),
        ("param:generator.b", (7,), "“{7}”"),
        ("param:encoder.0.self_attn.W_Q", (0, 3), "row 1 · column 4"),
        ("encoder.0.self_attn.q", (0, 1, 3), "head 1 · “{src}” · number 4"),
    ],
)
def test_a_token_is_named_and_a_component_counted_from_1(
    sentence: Walk, name: str, index: tuple[int, ...], place: str
) -> None:
    """A column of the vocabulary matrix was counted from 1: the token with id 335 was [336]."""
    words = {"{7}": sentence.token(7).text, "{src}": sentence.capture.src[1].text}
    for mark, word in words.items():
        place = place.replace(mark, word)
    assert cell_name(sentence, Cell(name, index)).endswith(f" · {place}")


def test_a_row_over_the_vocabulary_counts_from_0(sentence: Walk) -> None:
    logits = grid(sentence, "logits", (0, None), "logits")
    assert logits.first == 0
    assert list(_columns(logits)["logits"][:2]) == ["[0]", "[1]"]
    vector = grid(sentence, "src.sum", (0, None), "x")
    assert vector.first == 1
    assert list(_columns(vector)["x"][:2]) == ["[1]", "[2]"]


def test_only_twins_are_numbered() -> None:
    """A row of the table E, which says its id, was given another number before it."""
    values = np.zeros((2, 2))
    drawn = array_grid(values, "E", row_labels=["335 a", "336 b"], col_labels=["a", "a"])
    assert list(_columns(drawn)) == ["E", "1 a", "2 a"]
    assert list(_columns(drawn)["E"]) == ["335 a", "336 b"]
