"""A computation graph drawn from left to right and filled in step by step."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from statistics import fmean
from typing import Any, Final

from app.charts.theme import Role
from app.components.shared import mount
from app.format import visible

# A place is (column, lane); node i is computed from the earlier nodes `inputs[i]`.
Place = tuple[float, float]
Way = tuple[Place, ...]
SWEEPS: Final = 12


@dataclass(frozen=True)
class Vertex:
    """One node: its name, the texts that are filled in, and the nodes that it is computed from.

    `slopes` are the texts of its edges, one for each input.
    """

    title: str
    value: str
    derivative: str = ""
    inputs: tuple[int, ...] = ()
    slopes: tuple[str, ...] = ()
    role: Role = "residual"


@dataclass(frozen=True)
class Shown:
    """What is filled in: values, derivatives, and edges (by the node that they lead to)."""

    values: Sequence[bool]
    derivatives: Sequence[bool]
    slopes: Sequence[bool]
    current: int | None = None  # the node of this step


def graph(
    vertices: Sequence[Vertex],
    shown: Shown,
    *,
    key: str,
    label: str,
    on_select: Callable[[int], None] | None = None,
) -> None:
    """Show the graph in a frame that scrolls; call back with a clicked node."""
    fixed = payload(vertices, label)
    mount("graph", int, key=key, fixed=fixed, chosen=asdict(shown), on_event=on_select)


def payload(vertices: Sequence[Vertex], label: str) -> dict[str, Any]:
    """Return what the browser draws: nodes with their places, and the path of each edge."""
    places, every = layered([vertex.inputs for vertex in vertices])
    top = min(lane for way in (places, *sum(every, ())) for _column, lane in way)
    nodes = [
        {**asdict(vertex), "title": visible(vertex.title), "at": (column, lane - top)}
        for vertex, (column, lane) in zip(vertices, places, strict=True)
    ]
    edges = [
        {
            "to": node,
            "port": _port(ways, place),
            "slope": vertices[node].slopes[place],
            "way": [(column, lane - top) for column, lane in way],
        }
        for node, ways in enumerate(every)
        for place, way in enumerate(ways)
    ]
    return {"label": label, "nodes": nodes, "edges": edges}


def _port(ways: Sequence[Sequence[Place]], place: int) -> float:
    """Return how far from a node's middle an edge meets it: edges from above arrive above."""
    order = sorted(range(len(ways)), key=lambda i: ways[i][-2][1])
    return order.index(place) - (len(ways) - 1) / 2


def layered(inputs: Sequence[Sequence[int]]) -> tuple[Way, tuple[tuple[Way, ...], ...]]:
    """Lay out a graph from left to right, so that few edges cross and most are straight.

    Returns the place of each node, and the way of the edge from each of its inputs.
    """
    columns = _columns(inputs)
    count = len(inputs)
    before: list[list[int]] = [list(each) for each in inputs]
    chains: list[list[list[int]]] = []
    for node in range(count):
        chains.append([])
        for place, start in enumerate(inputs[node]):
            # An edge across several columns has its own place to bend in each of them.
            bends = list(range(len(before), len(before) + columns[node] - columns[start] - 1))
            columns += range(columns[start] + 1, columns[node])
            before += [[earlier] for earlier in [start, *bends][: len(bends)]]
            before[node][place] = bends[-1] if bends else start
            chains[node].append([start, *bends, node])
    lanes = _lanes(before, columns)
    places = list(zip(map(float, columns), lanes, strict=True))
    edges = tuple(tuple(tuple(places[i] for i in chain) for chain in each) for each in chains)
    return tuple(places[:count]), edges


def _columns(inputs: Sequence[Sequence[int]]) -> list[int]:
    """Return the column of each node; a node without inputs stands right before its first use."""
    columns: list[int] = []
    for each in inputs:
        columns.append(1 + max((columns[i] for i in each), default=-1))
    for node, each in enumerate(inputs):
        uses = [columns[later] for later, its in enumerate(inputs) if node in its]
        if not each and uses:
            columns[node] = min(uses) - 1
    return columns


def _lanes(before: Sequence[Sequence[int]], columns: Sequence[int]) -> list[float]:
    """Move nodes towards their neighbours in several sweeps, at least one lane apart."""
    after: list[list[int]] = [[] for _ in before]
    for node, each in enumerate(before):
        for earlier in each:
            after[earlier].append(node)
    levels = [[i for i, at in enumerate(columns) if at == c] for c in range(max(columns) + 1)]
    lanes = [0.0] * len(before)
    for level in levels:
        for place, node in enumerate(level):
            lanes[node] = place - (len(level) - 1) / 2
    for sweep in range(SWEEPS):
        neighbours = after if sweep % 2 else before
        for level in reversed(levels) if sweep % 2 else levels:
            wanted = {i: fmean([lanes[j] for j in neighbours[i]] or [lanes[i]]) for i in level}
            _spread(wanted, lanes)
    return lanes


def _spread(wanted: dict[int, float], lanes: list[float]) -> None:
    """Set each node's lane to the middle of its tightest places, from above and from below."""
    order = sorted(wanted, key=lambda node: (wanted[node], lanes[node]))
    goals = [wanted[node] for node in order]
    down = list(accumulate(goals, lambda at, goal: max(at + 1, goal)))
    up = list(accumulate(reversed(goals), lambda at, goal: min(at - 1, goal)))
    for node, low, high in zip(order, reversed(up), down, strict=True):
        lanes[node] = (low + high) / 2
