"""Every source token hidden in turn: what each written token loses, and the run without one."""

from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.components.board import array_grid
from app.data.importance import hidden
from app.data.walk import Cell
from app.format import signed
from app.i18n import _
from app.inspector import changes
from app.inspector.arrays import draw_board
from app.inspector.naming import text_at
from app.inspector.probe import Probe, marked
from app.inspector.translations import draw_translations
from app.page.changed_run import draw_open
from app.views.walk.what_if import texts
from app.views.walk.what_if.data import of, run
from app.views.walk.what_if.heads import BESIDE

HIDDEN: Final = state.Param[int]("hidden", -1, state.whole(-1, 10_000))
SUM, MAP = "hidden-sum", "hidden-map"  # no arrays of the model: a click opens a run
HIGH: Final = 176  # pixels of the map, so that no row is below the window


def words_text(probe: Probe) -> str:
    """Say what a column and a row are."""
    return _(texts.WORDS).format(n=len(probe.walk.capture.src))


def draw_words(probe: Probe) -> None:
    """Draw what each token loses by each that is hidden, and the run without the chosen one."""
    more = -hidden(probe.walk)  # (T, S)
    at = HIDDEN.get()
    if at not in range(more.shape[1]):
        at = int(more.sum(0).argmin())
    left, right = st.columns(BESIDE, gap="medium")
    with left:
        _draw_map(probe, more, at)
    with right:
        hide = of.HideWords("src", (at,))
        draw_translations(run(probe.walk, hide))
        most = int(np.abs(more[:, at]).argmax())
        st.markdown(
            _(texts.WORDS_FOUND).format(
                change=changes.sentence(hide, probe.walk),
                worth=signed(more[:, at].sum(), 3),
                word=marked(text_at(probe.tokens, most)),
                part=signed(more[most, at], 3),
            )
        )
        draw_open(hide, key="open-hidden")


def _draw_map(probe: Probe, more: np.ndarray, at: int) -> None:
    """Draw the sum of each column, and below it all of it; a click chooses the column."""
    source = [probe.source(i) for i in range(more.shape[1])]
    written = [text_at(probe.tokens, i) for i in range(len(more))]
    total = more.sum(0, keepdims=True)  # (1, S)
    labels = {"col_labels": source, "row_labels": [_(texts.ALL_TOKENS)]}
    draw_board(
        [
            array_grid(total, _(texts.WORDS_SUM), "output", name=SUM, **labels),
            array_grid(
                more,
                _(texts.WORDS_MAP),
                "output",
                name=MAP,
                height=HIGH,
                col_labels=source,
                row_labels=written,
            ),
        ],
        "what-words",
        asked=Cell(SUM, (0, at)),
        on_ask=lambda cell: HIDDEN.set(cell.index[-1]),
        text={name: _(words) for name, words in texts.COLUMNS.items()},
    )
