"""Every head muted in turn: a wall of what each is worth, and the run without one of them."""

from collections.abc import Mapping
from time import monotonic, sleep
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.components.board import array_grid
from app.data.walk import Cell, Walk
from app.format import signed
from app.i18n import _
from app.inspector import changes
from app.inspector.arrays import draw_board
from app.inspector.probe import Probe, marked
from app.inspector.translations import draw_translations
from app.page.changed_run import draw_open
from app.views.walk.what_if import texts
from app.views.walk.what_if.data import Change, Layer, layers, muted, of, read_mute, run
from app.views.walk.what_if.heads import BESIDE, numbers
from app.views.walk.what_if.picks import ABOUT

Found = Mapping[Layer, np.ndarray]
MUTED: Final = state.Param[str]("muted", "", str)
WALL: Final = "muted"  # no array of the model: a click opens a run
HIGH: Final = 256  # pixels of the wall's cells, so that no head is below the window
AT_ONCE: Final = 1.0  # seconds: what takes longer shows how far it is
SEEN: Final = 0.15  # seconds: what is drawn goes to the browser before the page runs again
FOUND: Final = "what-if-swept"
STOPPED: Final = "what-if-stopped"


def sweep_text(probe: Probe) -> str:
    """Say what each cell of the wall is."""
    word = marked(probe.word)
    about = _(texts.OF_SENTENCE) if ABOUT.get() == "sentence" else _(texts.OF_WORD)
    count = len(layers(probe.walk)) * probe.walk.config.n_heads
    return _(texts.SWEEP).format(n=count, about=about.format(word=word))


def draw_sweep(probe: Probe) -> None:
    """Draw the wall as far as it was computed, and the run without the chosen head."""
    walk = probe.walk
    stopped = st.session_state.get(STOPPED) == walk.key
    found = _swept(walk, 0.0 if stopped else AT_ONCE)
    underway = len(found) < len(layers(walk))
    if underway:
        _draw_progress(walk, len(found), stopped)
    if not found:
        return
    wall = {at: _of_word(probe, rows) for at, rows in found.items()}  # (H,) each
    chosen = read_mute(MUTED.get(), walk)
    if chosen is None or chosen[0] not in wall:
        chosen = _worst(wall)
    mute = _mute(chosen)
    left, right = st.columns(BESIDE, gap="medium")
    with left:
        _draw_wall(walk, wall, chosen)
    if underway and not stopped:
        sleep(SEEN)
        st.rerun()  # goes on; a click on Stop comes between
    with right:
        draw_translations(run(walk, mute))
        st.markdown(_found(probe, wall, chosen, mute))
        draw_open(mute, key="open-muted")


def _swept(walk: Walk, seconds: float) -> Found:
    """Mute head after head, a layer at once, for some seconds; what was found before is kept."""
    known, found = st.session_state.get(FOUND, (None, {}))
    if known != walk.key:
        found = {}
        st.session_state[FOUND] = walk.key, found
    end = monotonic() + seconds
    for at in layers(walk):
        if at not in found and monotonic() < end:
            found[at] = muted(walk, at)
    return found


def _draw_progress(walk: Walk, done: int, stopped: bool) -> None:
    """Draw how far the sweep is, and the button that stops it or lets it go on."""
    count = len(layers(walk))
    text = _("Stopped after {n} of {all} layers.") if stopped else _("{n} of {all} layers")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(done / count, text=text.format(n=done, all=count))
        if stopped:
            st.button(_("Go on"), "sweep-on", icon=":material/play_arrow:", on_click=_stop)
        else:
            icon = ":material/stop:"
            st.button(_("Stop"), "sweep-stop", icon=icon, on_click=_stop, args=(walk.key,))


def _stop(key: object = None) -> None:
    st.session_state[STOPPED] = key


def _of_word(probe: Probe, rows: np.ndarray) -> np.ndarray:
    """Return what counts of each head's changes (H, T): their sum, or one token's, (H,)."""
    return rows.sum(-1) if ABOUT.get() == "sentence" else rows[:, probe.at]


def _worst(wall: Found) -> tuple[Layer, int]:
    at = min(wall, key=lambda at: float(wall[at].min()))
    return at, int(wall[at].argmin())


def _draw_wall(walk: Walk, wall: Found, chosen: tuple[Layer, int]) -> None:
    """Draw a row an attention and a cell a head; a click chooses one."""
    places, heads = layers(walk), walk.config.n_heads
    values = np.stack([wall.get(at, np.full(heads, np.nan)) for at in places])
    rows = [_(texts.ROWS[at.kind]).format(n=at.layer + 1) for at in places]
    look = {
        "name": WALL,
        "height": HIGH,
        "mask": None if len(wall) == len(places) else ~np.isnan(values),
    }
    labels = {"row_labels": rows, "col_labels": numbers(heads)}
    title = _("Δ log p without one head")
    at, head = chosen
    draw_board(
        [array_grid(values, title, "output", **look, **labels)],
        "what-sweep",
        asked=Cell(WALL, (places.index(at), head)),
        on_ask=lambda cell: MUTED.set(_mute((places[cell.index[0]], cell.index[1])).text),
        text={name: _(words) for name, words in texts.WALL.items()},
    )


def _mute(chosen: tuple[Layer, int]) -> Change:
    at, head = chosen
    return of.MuteHeads(at.kind, at.layer, (head,))


def _found(probe: Probe, wall: Found, chosen: tuple[Layer, int], mute: Change) -> str:
    """Say what the chosen head is worth, and how many of all count for anything."""
    at, head = chosen
    all_ = np.concatenate(list(wall.values()))
    said = changes.sentence(mute, probe.walk)
    values = {"change": said, "worth": signed(wall[at][head], 3)}
    numbers = {"more": int((all_ > 0).sum()), "n": all_.size, "least": signed(all_.min(), 3)}
    return _(texts.SWEEP_FOUND).format(**values, **numbers)
