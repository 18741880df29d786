"""A computation graph drawn from left to right and filled in step by step."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from app.charts.layered import Place, layered
from app.charts.theme import Role
from app.components.shared import mount
from app.format import visible


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
    layout = layered([vertex.inputs for vertex in vertices])
    top = min(lane for way in (layout.nodes, *sum(layout.edges, ())) for _column, lane in way)
    nodes = [
        {**asdict(vertex), "title": visible(vertex.title), "at": (column, lane - top)}
        for vertex, (column, lane) in zip(vertices, layout.nodes, strict=True)
    ]
    edges = [
        {
            "to": node,
            "port": _port(ways, place),
            "slope": vertices[node].slopes[place],
            "way": [(column, lane - top) for column, lane in way],
        }
        for node, ways in enumerate(layout.edges)
        for place, way in enumerate(ways)
    ]
    return {"label": label, "nodes": nodes, "edges": edges}


def _port(ways: Sequence[Sequence[Place]], place: int) -> float:
    """Return how far from a node's middle an edge meets it: edges from above arrive above."""
    order = sorted(range(len(ways)), key=lambda i: ways[i][-2][1])
    return order.index(place) - (len(ways) - 1) / 2
