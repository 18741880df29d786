"""The page on the artificial neuron: the table says what the steppers make of it."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.views.history.neuron.data import GATES, Neuron, answers_again, counts_again, search
from tests.app.pages import opened

PAGE = "neuron"


def column(app: AppTest, name: str) -> list[str]:
    """Return a column of the truth table."""
    return list(app.table[0].value[name])


@pytest.mark.parametrize("gate", ["and", "or", "nand", "not"])
def test_setting_it_for_me_makes_the_gate(models: Path, gate: str) -> None:
    app = opened(PAGE, gate=gate, n1="0", n2="0", nt="3")
    assert "✗" in column(app, "right?")
    app.button("neuron-solve").click().run()
    assert not app.exception
    assert set(column(app, "right?")) == {"✓"}
    assert len(app.success) == 1


def test_xor_stays_wrong_in_a_row(models: Path) -> None:
    app = opened(PAGE, gate="xor")
    app.button("neuron-solve").click().run()
    assert column(app, "right?").count("✓") == 3
    assert any("None of the 54 settings" in each.value for each in app.markdown)


def test_the_table_shows_the_sums(models: Path) -> None:
    app = opened(PAGE, gate="nand", n1="-1", n2="-1", nt="-1")
    assert column(app, "w·x")[3] == "(−1)·1 + (−1)·1 = −2"
    assert column(app, "fires?")[3] == "−2 < −1: 0"
    assert column(app, "fires?")[1] == "−1 ≥ −1: 1"


def test_the_veto_is_told_where_it_differs(models: Path) -> None:
    app = opened(PAGE, gate="and", n1="1", n2="-1", nt="0")
    assert any("1, 0, 1, 0 down the table, not 1, 0, 1, 1" in each.value for each in app.markdown)


@pytest.mark.parametrize("gate", list(GATES))
def test_what_the_badge_computes_again_is_the_same(gate: str) -> None:
    assert tuple(counts_again(gate)) == search(gate).counts
    neuron = search(gate).first
    assert tuple(answers_again(neuron)[1]) == neuron.answers()
    wrong = Neuron(tuple(-w for w in neuron.weights), neuron.threshold)
    assert tuple(answers_again(wrong)[0]) != tuple(answers_again(neuron)[0])


@pytest.mark.parametrize(
    ("query", "right"),
    [
        ({"gate": "and", "n1": "1", "n2": "1"}, "θ = 2"),
        ({"gate": "xor", "n1": "1", "n2": "-1"}, "with none"),
        ({"gate": "not", "n1": "-1"}, "θ = 0"),
    ],
)
def test_the_task_knows_the_threshold(models: Path, query: dict[str, str], right: str) -> None:
    app = opened(PAGE, **query)
    question = app.radio[0]
    options = [option.replace("\\", "") for option in question.options]
    question.set_value(options.index(right)).run()
    assert "Yes" in app.success[-1].value
    app.radio[0].set_value((options.index(right) + 1) % len(options)).run()
    assert not any("Yes" in each.value for each in app.success)


@pytest.mark.parametrize(
    "query", [{"gate": "?", "n1": "x", "nt": "99"}, {"lang": "es", "gate": "not"}, {"lang": "fr"}]
)
def test_the_page_opens_at_any_address(models: Path, query: dict[str, str]) -> None:
    app = opened(PAGE, **query)
    assert not app.exception
    assert not app.error
