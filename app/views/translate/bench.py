"""What is changed: the menu, the changes made so far, both runs, a weight set by hand."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import streamlit as st

from app import state
from app.charts.theme import Floats
from app.components.matrix import Edit
from app.data.changed import Change, Changed, ListedChange, UserError, change_types, forced_walk
from app.data.errors import worded
from app.data.translation import Kind
from app.data.walk import Walk
from app.format import escape, number, signed
from app.i18n import _
from app.inspector import changes
from app.inspector.arrays import Grid, array_grid, draw_board
from app.inspector.attention import Look
from app.inspector.attention_views import OnEdit
from app.inspector.both import draw_translations
from app.inspector.changes import run_name
from app.inspector.naming import cell_name, follows, text_at
from app.inspector.panel import ask, asked, draw_panel
from app.ui.buttons import quiet_button
from app.views.translate.change_form import draw_form

DIGITS = 6


def draw_what_if(walk: Walk) -> None:
    """Draw the menu of what can be changed."""
    icon, tip = ":material/experiment:", _("Change one thing inside the model, and run it again.")
    menu = st.popover(_("What if …"), icon=icon, help=tip, key="what-if", on_change="rerun")
    if menu.open or state.in_live_book():
        with menu:
            draw_form(walk)


def draw_changes(walk: Walk) -> None:
    """Draw the list of changes; what of it cannot be used is said."""
    try:
        listed = changes.listed()
    except UserError as error:
        st.error(escape(worded(error)))
        listed = ()
    _draw_history()
    fit = changes.fit(walk.translation)
    misfits = {} if fit is None else fit.misfits
    for i, entry in enumerate(listed):
        _draw_entry(walk, i, entry, misfits.get(entry.change.text) if entry.on else None)


def _draw_history() -> None:
    """Draw the buttons that take back a change of the list; none where there was none."""
    if not (changes.can_undo() or changes.can_redo() or state.CHANGES.get()):
        return
    actions = (
        ("undo", "undo", _("Undo"), changes.undo, changes.can_undo()),
        ("redo", "redo", _("Redo"), changes.redo, changes.can_redo()),
        ("reset", "restart_alt", _("Remove all changes"), changes.reset, bool(state.CHANGES.get())),
    )
    with st.container(horizontal=True, gap="small", key="bench"):
        for name, icon, label, act, possible in actions:
            quiet_button(label, f"changes-{name}", icon, act, disabled=not possible)


def _draw_entry(walk: Walk, at: int, entry: ListedChange, misfit: UserError | None) -> None:
    text, key = changes.sentence(entry.change, walk), f"change-{at}"
    with st.container(
        horizontal=True, gap="small", vertical_alignment="center", wrap=False, key=key
    ):
        switch = f"{key}-on-{entry.change.text}"
        st.session_state[switch] = entry.on
        st.toggle(escape(text), key=switch, on_change=changes.switch, args=(at,))
        quiet_button(_("Remove"), f"{key}-remove", "close", changes.remove, at)
        if misfit is not None:
            st.markdown(f":small[:orange[:material/warning: {changes.misfit(misfit)}]]")


def draw_both_runs(walk: Walk, run: Changed) -> None:
    """Draw both translations, the probabilities of the original one, and where the runs part."""
    draw_translations(run)
    _draw_totals(run)
    _draw_divergence(walk, run)
    _draw_probabilities(walk, run)


def draw_opened(walk: Walk, run: Changed) -> None:
    """Draw the number of the changed run that was asked for."""
    if asked() is not None:
        draw_panel(forced_walk(walk, run), original=walk)


def _draw_probabilities(walk: Walk, run: Changed) -> None:
    """Draw p of each token of the original translation in both runs, and the change of log p."""
    text = _("How likely each run finds the original translation, word by word:")
    st.markdown(f":small[{text}]")
    tokens = [text_at(follows(walk), at) for at in range(len(run.before))]
    rows = [run_name("before"), run_name("after")]
    p = np.exp(np.stack([run.before, run.after]))  # (2, T)
    labels = {"row_labels": rows, "col_labels": tokens}
    items: list[Grid] = [
        array_grid(p, _("probability"), "output", scale="weights", **labels),
        array_grid(run.after - run.before, _("change of log p"), "output", col_labels=tokens),
    ]
    draw_board(items, "both-runs")


def _draw_totals(run: Changed) -> None:
    totals = {
        "before": number(run.before.sum(), 2),
        "after": number(run.after.sum(), 2),
        "more": signed(run.after.sum() - run.before.sum(), 2),
        "free": number(run.free.sum(), 2),
    }
    same = run.translation.capture.tgt_ids == run.original.capture.tgt_ids
    text = _(
        "Together, log p of the original translation goes from {before} to **{after}** ({more})."
    )
    says = (
        _("Left to itself, the changed model still writes the same.")
        if same
        else _("Left to itself, the changed model writes something else, with log p {free}.")
    )
    st.markdown(f":small[{f'{text} {says}'.format(**totals)}]")


def _draw_divergence(walk: Walk, run: Changed) -> None:
    """Say which number is the first that differs; a click opens it."""
    cell = run.divergence
    if cell is None:
        says = _("Both runs are identical, number by number: these changes change nothing.")
        st.markdown(f":small[{says}]")
        return
    text = _("Both runs are identical up to here: **{cell}** is the first that differs.")
    st.markdown(f":small[{text.format(cell=escape(cell_name(walk, cell)))}]")
    quiet_button(_("Open that number"), "parting-open", "search", ask, cell)


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
