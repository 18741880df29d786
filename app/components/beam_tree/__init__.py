"""The beam as a tree of hypotheses: every token that was considered, and what became of it."""

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
    hint: str = "",
    height: int = 620,
) -> None:
    """Show the tree; call back with the id of a clicked node.

    `hint` says what a click does; a tree taller than `height` pixels scrolls.
    """
    fixed = payload(nodes, hint, height)
    mount("beam_tree", int, key=key, fixed=fixed, chosen=selected, on_event=on_select)


def payload(nodes: Sequence[TreeNode], hint: str = "", height: int = 620) -> dict[str, Any]:
    """Return what the browser draws: nodes by depth, each a child of an earlier node.

    Raises ValueError if a parent is missing or comes later.
    """
    depths: dict[int, int] = {}
    rows = []
    for node in nodes:
        if node.parent is not None and node.parent not in depths:
            raise ValueError(f"Node {node.id} comes before its parent {node.parent}.")
        depths[node.id] = 0 if node.parent is None else depths[node.parent] + 1
        drawn = {**asdict(node), "token": visible(node.token), "depth": depths[node.id]}
        del drawn["tokens"]  # they follow from the parents
        rows.append(drawn)
    text = {
        "name": _("The beam as a tree of hypotheses"),
        "node": _(
            "“{token}”: probability {probability}, log {log}, score so far {score}, {status}"
        ),
        "hint": hint
        or _("Point at a token for its numbers. The thick line is the best hypothesis."),
        "best": _("best"),
        "kept": _("kept"),
        "pruned": _("pruned"),
        "finished": _("finished"),
        "candidate": _("never kept"),
        "branch": _("branch {name}"),
        "bestOfBranch": _("best of branch {name}"),
    }
    return {"nodes": rows, "text": text, "height": height}
