"""What is kept of a figure: its table as the picture stands, its caption and its name."""

import numpy as np

from app.components.board import Grid
from app.inspector.arrays import _columns
from app.ui.about import about, caption, file_name


def test_a_table_has_the_rows_of_its_picture() -> None:
    """A matrix wider than high was saved with its rows as columns."""
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    columns = _columns(Grid("", (None, None), values, "w", row_labels=["a", "b"]))
    assert [list(column) for column in columns.values()][1:] == [[0, 3], [1, 4], [2, 5]]
    vector = _columns(Grid("", (None,), values[0], "x"))
    assert list(vector.values())[1] == [0, 1, 2]


def test_what_is_kept_is_named_after_page_sentence_layer_and_head() -> None:
    """All pictures of a kind had one name, and nothing on them said of which sentence they were."""
    sentence, place = "¿Nunca es tarde para aprender algo?", ("capa 2", "cabeza 3")
    with about(page="self_attention", title="Self-attention", sentence=sentence, place=place):
        assert caption("weights") == [
            "Self-attention · weights",
            "“¿Nunca es tarde para aprender algo?” · capa 2 · cabeza 3",
        ]
        name = "self-attention-scores-capa-2-cabeza-3-nunca-es-tarde-para-aprender"
        assert file_name("scores") == file_name("self_attention-scores") == name
        with about(sentence="", place=()):  # an example by hand
            assert file_name("scores") == "self-attention-scores"
    assert caption("weights") == ["weights"]
    assert file_name("../a b\n日本") == "a-b"
