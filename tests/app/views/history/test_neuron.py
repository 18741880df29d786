"""The page on the artificial neuron: the table says what the steppers make of it."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.views.history.neuron.data import GATES, THRESHOLDS, search
from tests.app.pages import grids, judged, numbers, option, said, step

PAGE = "neuron"


def column(app: AppTest, name: str) -> list[str]:
    """Return a column of the truth table."""
    return list(app.table[0].value[name])


@pytest.mark.parametrize("gate", ["nand", "not"])
def test_setting_it_for_me_makes_the_gate(models: Path, gate: str) -> None:
    app = step(PAGE, "gate", gate=gate, n1="0", n2="0", nt="3")
    assert "✗" in column(app, "right?")
    app.button("neuron-solve").click().run()
    assert not app.exception
    assert set(column(app, "right?")) == {"✓"}
    assert len(app.success) == 1


def test_xor_stays_wrong_in_a_row(models: Path) -> None:
    app = step(PAGE, "gate", gate="xor")
    app.button("neuron-solve").click().run()
    assert column(app, "right?").count("✓") == 3


def test_a_row_runs_through_the_neuron(models: Path) -> None:
    assert "the sum w·x is 2, at least θ = 2: it fires" in said(step(PAGE, "sum", nt="2"))
    assert "the sum w·x is 1, below θ = 2: it stays silent" in said(
        step(PAGE, "sum", nt="2", nrow="1")
    )


@pytest.mark.parametrize("gate", ["xor", "not"])
def test_a_cell_counts_the_rows_of_one_setting(models: Path, gate: str) -> None:
    (drawn,) = grids(step(PAGE, "search", gate=gate)).values()
    cells = numbers(drawn)
    n_inputs = len(GATES[gate]) // 2
    assert cells.shape == (len(THRESHOLDS), 3**n_inputs)
    inputs = np.array(list(np.ndindex(*[2] * n_inputs)))
    weights = np.array(list(np.ndindex(*[3] * n_inputs))) - 1
    fires = inputs @ weights.T >= np.array(THRESHOLDS)[:, None, None]
    np.testing.assert_array_equal(cells, (fires == np.array(GATES[gate])[:, None]).sum(1))


def test_only_xor_and_its_opposite_are_missing(models: Path) -> None:
    """Also with any weights: that is what the common mistake says of finer ones."""
    every = {tuple(row) for row in np.ndindex(2, 2, 2, 2)}
    functions = {neuron.answers() for neuron in search("xor").tried}
    assert every - functions == {(0, 1, 1, 0), (1, 0, 0, 1)}
    inputs = np.array(list(np.ndindex(2, 2)))
    fine = np.random.default_rng(0).uniform(-2, 2, (20_000, 3))
    found = {tuple(row) for row in (inputs @ fine[:, :2].T >= fine[:, 2]).T.astype(int).tolist()}
    assert found == functions


def test_a_difference_is_one_click_away(models: Path) -> None:
    app = step(PAGE, "veto", gate="not", n1="-1")
    app.button("neuron-differ").click().run()
    assert not app.exception
    assert list(app.table[0].value["same?"]) == ["=", "=", "=", "≠"]


@pytest.mark.parametrize(
    ("query", "right"),
    [
        ({"gate": "and", "n1": "1", "n2": "1"}, "θ = 2"),
        ({"gate": "xor", "n1": "1", "n2": "-1"}, "with none"),
        ({"gate": "not", "n1": "-1"}, "θ = 0"),
    ],
)
def test_the_task_knows_the_threshold(models: Path, query: dict[str, str], right: str) -> None:
    app = step(PAGE, "task", **query)
    judged(app, option(app, right))
