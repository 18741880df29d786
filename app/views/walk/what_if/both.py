"""A changed run beside the unchanged one: both translations, and every token's probability."""

import numpy as np
import streamlit as st

from app import state
from app.components.board import array_grid
from app.format import escape, number, share, signed
from app.i18n import _
from app.inspector.arrays import draw_board
from app.inspector.changes import RUNS
from app.inspector.naming import text_at
from app.inspector.probe import Probe, marked
from app.inspector.translations import draw_translations
from app.ui.sentence_box import offered
from app.views.walk.what_if import texts
from app.views.walk.what_if.data import Changed


def draw_both(probe: Probe, run: Changed, key: str) -> None:
    """Draw both translations, and what each run gives to the tokens of the original one."""
    draw_translations(run)
    st.markdown(says(probe, run))
    _draw_log_probs(probe, run, key)


def draw_longer(probe: Probe, run: Changed, key: str) -> None:
    """Offer the longest example where the words of this sentence stay as they are."""
    translation = probe.walk.translation
    longest = max(offered(translation.model), key=len, default="")
    if run.translation.output != run.original.output or longest in ("", translation.text):
        return
    label = _(texts.LONGER).format(sentence=escape(longest))
    st.button(label, f"{key}-longer", type="tertiary", on_click=state.TEXT.set, args=(longest,))


def _draw_log_probs(probe: Probe, run: Changed, key: str) -> None:
    """Draw log p of each token of the original translation in both runs, and its change."""
    values = np.stack([run.before, run.after, run.after - run.before])  # (3, T)
    rows = [_(RUNS[name]) for name in ("before", "after", "difference")]
    tokens = [text_at(probe.tokens, at) for at in range(len(probe.tokens))]
    title = _("log p of each token of the original translation")
    labels = {"row_labels": rows, "col_labels": tokens}
    draw_board([array_grid(values, title, "output", **labels)], key)


def says(probe: Probe, run: Changed) -> str:
    """Say how probable the original translation still is, and which token of it suffers most."""
    changes = run.after - run.before
    if not changes.any():
        return _(texts.NO_CHANGE)
    at = int(np.abs(changes).argmax())
    return _(texts.CHANGE).format(
        before=number(run.before.sum()),
        after=number(run.after.sum()),
        word=marked(text_at(probe.tokens, at)),
        p=share(float(np.exp(run.before[at])), 4),
        then=share(float(np.exp(run.after[at])), 4),
        change=signed(changes[at]),
    )
