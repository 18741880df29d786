"""Both runs side by side: what each writes, what it gives to each token, and where they part."""

import numpy as np
import streamlit as st

from app.components.board import Grid, array_grid
from app.data.changed import Changed, forced_walk
from app.data.walk import Walk
from app.format import escape, number, signed
from app.i18n import _
from app.inspector.arrays import draw_board
from app.inspector.both import draw_translations
from app.inspector.changes import run_name
from app.inspector.naming import cell_name, follows, text_at
from app.inspector.panel import ask, asked, draw_panel
from app.views.translate import texts


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
    st.markdown(f":small[{_(texts.FORCED)}]")
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
    lines = [_(texts.TOTALS), _(texts.SAME_TRANSLATION if same else texts.OTHER_TRANSLATION)]
    st.markdown(f":small[{' '.join(lines).format(**totals)}]")


def _draw_divergence(walk: Walk, run: Changed) -> None:
    """Say which number is the first that differs; a click opens it."""
    cell = run.divergence
    if cell is None:
        st.markdown(f":small[{_(texts.IDENTICAL)}]")
        return
    st.markdown(f":small[{_(texts.PARTING).format(cell=escape(cell_name(walk, cell)))}]")
    icon, label = ":material/search:", _("Open that number")
    st.button(label, "parting-open", icon=icon, type="tertiary", on_click=ask, args=(cell,))
