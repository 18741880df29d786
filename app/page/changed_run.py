"""The run that a page of the walk shows: the original one, or that with the visitor's changes."""

from collections.abc import Iterator, Sequence
from typing import Final

import streamlit as st

from app import state
from app.data.changed import Change, ListedChange, UserError, changed_walk
from app.data.errors import worded
from app.data.walk import Walk
from app.format import escape
from app.i18n import N_, _
from app.inspector.changes import fit, keep, listed, misfit, pick_run, run_of, sentence
from app.page.moves import go
from app.registry import Address, view_of
from app.ui.buttons import quiet_button

CHANGED: Final = N_("changed run")  # in the caption of a picture that is kept
FEW: Final = 2  # changes that are named


def what_is_shown() -> tuple[str, str]:
    """Return what the page follows: the list of changes, and which run is shown."""
    return state.CHANGES.get(), state.RUN.get()


def shown_run(original: Walk) -> Walk:
    """Return the run to show: the changed one, unless the original is chosen."""
    run = run_of(original.translation)
    return original if run is None or _chosen() == "before" else changed_walk(original, run)


def draw_run(original: Walk) -> None:
    """Draw one line above the page, which says what is changed and which run is shown.

    A change that does not fit is named, with the reason, and stays in the address.
    """
    for why in _unused(original):
        st.markdown(f":small[:orange[:material/warning: {why}]]")
    run = run_of(original.translation)
    if run is None:
        return
    said = [escape(sentence(change, original)) for change in run.plan.changes]
    if len(said) > FEW:
        said[FEW:] = [_("and {n} more").format(n=len(said) - FEW)]
    text = _("Changed run: {changes}").format(changes=" · ".join(said))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="changed-run"):
        st.markdown(f":small[:material/experiment: {text}]")
        pick_run(state.RUN, _("Run"), _chosen())
        path = view_of("translate").path
        st.page_link(path, label=_("Edit the changes"), icon=":material/tune:")


def _unused(original: Walk) -> Iterator[str]:
    """Yield why each change of the address that cannot be used is left out."""
    try:
        entries = listed()
    except UserError as error:
        yield escape(worded(error))
        return
    fitting = fit(original.translation)
    misfits = fitting.misfits if fitting else {}
    for entry in entries:
        if entry.on and entry.change.text in misfits:
            why = misfit(misfits[entry.change.text])
            yield f"{escape(sentence(entry.change, original))} · {why}"


def _chosen() -> state.Run:
    return "before" if state.RUN.get() == "before" else "after"


def draw_open(*made: Change, key: str) -> None:
    """Draw the button that opens the run with these changes alone on Translate."""
    quiet_button(_("Open this run on Translate"), key, "open_in_new", _open, made)


def _open(made: Sequence[Change]) -> None:
    keep(map(ListedChange, made))
    state.RUN.set("after")
    go(Address("translate"))
