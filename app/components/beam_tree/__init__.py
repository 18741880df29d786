"""The beam as a tree of hypotheses: every token that was weighed, and what became of it."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from app.components.shared import mount
from app.data.decoding import TreeNode
from app.format import visible
from app.i18n import _


def beam_tree(
    nodes: Sequence[TreeNode],
    *,
    key: str,
    selected: int | None = None,
    on_select: Callable[[int], None] | None = None,
) -> None:
    """Show the tree; call back with the id of a node that is clicked."""
    mount("beam_tree", int, key=key, fixed=payload(nodes), chosen=selected, on_event=on_select)


def payload(nodes: Sequence[TreeNode]) -> dict[str, Any]:
    """Return what the browser draws: nodes by depth, each a child of one before it.

    Raises ValueError where a parent is missing or comes later.
    """
    depths: dict[int, int] = {}
    rows = []
    for node in nodes:
        if node.parent is not None and node.parent not in depths:
            raise ValueError(f"Node {node.id} comes before its parent {node.parent}.")
        depths[node.id] = 0 if node.parent is None else depths[node.parent] + 1
        rows.append({**asdict(node), "token": visible(node.token), "depth": depths[node.id]})
    text = {
        "name": _("The beam as a tree of hypotheses"),
        "node": _(
            "“{token}”: probability {probability}, log {log}, score so far {score}, {status}"
        ),
        "hint": _("Point at a token for its numbers. The thick line is the best hypothesis."),
        "best": _("best"),
        "kept": _("kept"),
        "pruned": _("pruned"),
        "finished": _("finished"),
    }
    return {"nodes": rows, "text": text}
