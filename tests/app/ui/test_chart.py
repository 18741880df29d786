"""Charts speak the language of the page, and their tables stand as their pictures do."""

import numpy as np
import pytest

from app import i18n
from app.components.board import Grid
from app.inspect.arrays import _columns
from app.ui.chart import plot_config


@pytest.mark.parametrize(("language", "save"), [("en", "Save as PNG"), ("es", "Guardar como PNG")])
def test_plotlys_buttons_are_in_the_language_of_the_page(language: str, save: str) -> None:
    i18n.use(language)
    try:
        config = plot_config("weights")
    finally:
        i18n.use("en")
    assert config["locale"] == language
    assert config["locales"][language]["dictionary"]["Download plot as a PNG"] == save


def test_a_table_has_the_rows_of_its_picture() -> None:
    """A matrix wider than high was saved with its rows as columns."""
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    columns = _columns(Grid("", (None, None), values, "w", row_labels=["a", "b"]))
    assert [list(column) for column in columns.values()][1:] == [[0, 3], [1, 4], [2, 5]]
    vector = _columns(Grid("", (None,), values[0], "x"))
    assert list(vector.values())[1] == [0, 1, 2]
