"""The plane with its lines, and the places of a graph's nodes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.charts.plane import ends
from app.components.graph import layered

SQUARE = (-2.0, 2.0)


@given(*[st.floats(-3, 3)] * 3)
@settings(max_examples=30)
def test_the_ends_of_a_line_lie_on_it(w1: float, w2: float, w3: float) -> None:
    for x, y in ends((w1, w2, w3), SQUARE, SQUARE):
        assert abs(w1 * x + w2 * y + w3) < 1e-9
        assert max(abs(x), abs(y)) <= 2 + 1e-12


@pytest.mark.parametrize(
    ("weights", "count"), [((1, 1, 0), 2), ((1, 0, -1), 2), ((1, 1, 9), 0), ((0, 0, 1), 0)]
)
def test_a_line_outside_has_no_ends(weights: tuple[float, float, float], count: int) -> None:
    assert len(ends(weights, SQUARE, SQUARE)) == count


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    count = draw(st.integers(1, 14))
    return [draw(st.lists(st.integers(0, i - 1), max_size=2)) if i else [] for i in range(count)]


@given(graphs())
@settings(max_examples=30)
def test_nodes_never_cover_each_other_and_edges_go_right(inputs: list[list[int]]) -> None:
    places, edges = layered(inputs)
    spots = [*places, *(at for ways in edges for way in ways for at in way[1:-1])]
    for i, (column, lane) in enumerate(spots):
        assert all(c != column or abs(y - lane) > 0.99 for c, y in spots[:i])
    for node, ways in enumerate(edges):
        for start, way in zip(inputs[node], ways, strict=True):
            assert (way[0], way[-1]) == (places[start], places[node])
            columns = np.arange(places[start][0], places[node][0] + 1)
            assert [at for at, _lane in way] == list(columns)
