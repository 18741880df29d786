"""A weight that was set by hand becomes a change of its row."""

from collections.abc import Callable, Sequence
from functools import partial

from app import state
from app.charts.theme import Floats
from app.components.matrix import Edit
from app.data.changed import Change, Changed, change_types
from app.data.translation import Kind
from app.inspector import changes
from app.inspector.attention import Look
from app.inspector.attention_views import OnEdit

DIGITS = 6


def editing(run: Changed | None) -> OnEdit | None:
    """Return what sets a weight of the run that is shown; None where that cannot be said.

    A change counts the words of the original sentence: where another one is read, a cell of the
    changed run's map may be none of the original's.
    """
    if run is None or state.RUN.get() == "before":
        return partial(edits, ())
    if state.RUN.get() == "difference":
        return None
    same = list(run.plan.src_ids) == run.original.capture.src_ids
    return partial(edits, run.plan.changes) if same else None


def edits(made: Sequence[Change], look: Look) -> Callable[[Edit], None]:
    """Return what sets a weight of one head, beside the changes that its run has.

    The page keeps it, and so it holds this head's weights, and not the run.
    """
    assert isinstance(look.head, int), "an aggregate of heads has no weights of its own"
    return partial(_edit, made, (look.kind, look.layer, look.head), look.weights.copy())


def _edit(made: Sequence[Change], head: tuple[Kind, int, int], weights: Floats, edit: Edit) -> None:
    """Set one weight of a row; those set before keep their proportions, like all others."""
    at = *head, edit.query
    old = 1.0 - float(weights[edit.query, edit.key])
    left = 1.0 - edit.weight
    before = _cells(made, at) if old > 0 else {}
    cells = {key: round(weight * left / old, DIGITS) for key, weight in before.items()}
    cells[edit.key] = edit.weight
    changes.add(change_types.EditRow(*at, tuple(cells.items())))


def _cells(made: Sequence[Change], at: tuple[Kind, int, int, int]) -> dict[int, float]:
    """Return the weights of a row that were set in the run shown."""
    for change in made:
        if isinstance(change, change_types.EditRow):
            row = change.kind, change.layer, change.head, change.row
            if row == at:
                return dict(change.cells)
    return {}
