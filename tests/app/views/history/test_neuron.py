"""The page from the neuron to XOR: the tables say what the steppers make of it."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.format import short
from app.views.history.neuron.data import NUMBERS, updates
from app.views.history.neuron.layers import SOLUTION
from model.history.perceptron import POINT_SETS
from tests.app.pages import judged, option, said, step

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
    assert f"this neuron is {gate.upper()}" in said(app)


def test_xor_stays_wrong_in_a_row(models: Path) -> None:
    app = step(PAGE, "gate", gate="xor")
    app.button("neuron-solve").click().run()
    assert column(app, "right?").count("✓") == 3
    assert "Rows that are right: 3 of 4." in said(app)


def test_two_layers_begin_unsolved_and_are_solved_by_a_press(models: Path) -> None:
    """The task was solved before anybody had tried."""
    app = step(PAGE, "xor")
    assert "Rows that are right: 3 of 4" in said(app)
    app.button(key="layers-solve").click().run()
    assert "All 4 rows are right: two layers compute XOR." in said(app)
    assert column(app, "XOR") == ["0 ✓", "1 ✓", "1 ✓", "0 ✓"]
    assert [
        app.query_params[param.name] for param in NUMBERS if param.name in app.query_params
    ] == [str(number) for number in SOLUTION if number != 1]


def test_the_task_asks_for_the_last_update(models: Path) -> None:
    app = step(PAGE, "task")
    last = updates(POINT_SETS["wide"])[-1].after
    judged(app, option(app, "({}, {}, {})".format(*map(short, last))))
