"""Other attention with the same output: a search that one watches, and the run with what it found.

H heads, S source tokens.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from app.components.board import Grid
from app.format import number, percent
from app.i18n import _
from app.inspector.arrays import draw_board, weights_grid
from app.inspector.naming import head_names
from app.inspector.probe import Probe, marked
from app.inspector.translations import draw_translations
from app.page.changed_run import draw_open
from app.views.walk.explanation import texts
from app.views.walk.explanation.data import (
    LEAST,
    MOST,
    STEPS,
    Found,
    Other,
    other,
    search,
)

KEPT: Final = "explanation-search"
SHOWN: Final = 6  # tokens of the output
HIGH: Final = 150  # pixels of a map's cells, so that both fit a laptop's screen


@dataclass
class Kept:
    """The best so far of the search of one row; it is over at its last step, or when stopped."""

    key: tuple[object, ...]
    found: Found | None = None
    over: bool = False


def search_text(probe: Probe) -> str:
    """Say what is looked for."""
    return _(texts.SEARCH).format(layer=probe.layer + 1, word=marked(probe.word), most=number(MOST))


def draw_search(probe: Probe) -> None:
    """Search, as far as it was not done; then draw both maps."""
    made = _made(probe)
    if made is None:
        st.button(_(texts.AGAIN), "search-again", on_click=_forget)
        return
    st.markdown(_found(probe, made))
    source = [probe.source(i) for i in range(made.rows.shape[-1])]
    heads = head_names(made.rows.shape[1])
    names = (texts.OWN_MAP, texts.OTHER_MAP)
    maps = [
        weights_grid(rows, _(name), heads, source, height=HIGH)
        for name, rows in zip(names, made.rows, strict=True)
    ]
    draw_board(maps, "explanation-search")


def draw_same(probe: Probe) -> None:
    """Draw the probabilities and the translation of both runs; search, if it was not done."""
    made = _made(probe)
    if made is None:
        return
    draw_board([_outputs(probe, made)], "explanation-same")
    draw_translations(made.run)
    draw_open(*made.changes, key="open-other")


def _made(probe: Probe) -> Other | None:
    """Return the run with what the search found, or say that nothing was found."""
    found = _searched(probe)
    if found is not None and found.distance >= LEAST:
        return other(probe.walk, probe.layer, probe.at, found)
    st.info(_(texts.NOT_FOUND))
    return None


def _searched(probe: Probe) -> Found | None:
    """Search with a bar of progress; a click on Stop leaves the best so far."""
    key = probe.walk.key, probe.layer, probe.at
    kept: Kept | None = st.session_state.get(KEPT)
    if kept is not None and kept.key == key and kept.over:
        return kept.found
    kept = st.session_state[KEPT] = Kept(key)
    place = st.empty()
    with place.container(horizontal=True, vertical_alignment="center"):
        st.button(
            _(texts.STOP), "search-stop", icon=":material/stop:", on_click=_stop, args=(kept,)
        )
        bar = st.progress(0.0)
    for step, found in enumerate(search(probe.walk, probe.layer, probe.at), start=1):
        kept.found = found
        text = _(texts.SEARCHING).format(step=step, all=STEPS, distance=number(found.distance))
        bar.progress(step / STEPS, text=text)
    kept.over = True
    place.empty()
    return kept.found


def _stop(kept: Kept) -> None:
    kept.over = True


def _forget() -> None:
    del st.session_state[KEPT]


def _found(probe: Probe, made: Other) -> str:
    before, after = made.rows.mean(1)  # (S,) each
    key = int(before.argmax())
    return _(texts.FOUND).format(
        distance=number(made.distance),
        moved=number(made.moved, 4),
        key=marked(probe.source(key)),
        before=percent(before[key]),
        after=percent(after[key]),
    )


def _outputs(probe: Probe, made: Other) -> Grid:
    """Return the probabilities of the tokens that the model finds likeliest, in both runs."""
    top = np.argsort(-made.outputs[0])[:SHOWN]
    tokens = [probe.walk.token(int(i)).text for i in top]
    rows = [_(texts.OWN), _(texts.OTHER)]
    return weights_grid(made.outputs[:, top], _(texts.OUTPUT_MAP), rows, tokens)
