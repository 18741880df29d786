"""The pinned runs as a strip: a picture of each, what it is, and what can be done with it."""

import html
from base64 import b64encode
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.charts.theme import Floats, palette
from app.data.changed import read
from app.data.translation import Translation
from app.data.walk import Walk
from app.i18n import _, ngettext
from app.inspector.attention import Look
from app.ui import chosen
from app.ui.chart import theme_mode
from app.views.translate import texts
from app.views.translate.pins import MOST, PAGE, RUN_A, RUN_B, PinnedRun, pin, pinned, remove

LARGEST: Final = 24  # cells along a side of a thumbnail


def draw_pin_button(shown: Translation) -> None:
    """Draw the button that pins the run on the page; its tip says why it cannot be pinned."""
    runs, run = pinned(), PinnedRun.of(shown)
    is_pinned, is_full = run in runs, len(runs) == MOST
    tip = texts.IS_PINNED if is_pinned else texts.FULL if is_full else texts.PIN
    st.button(
        _("Pin this run"),
        key="pin-run",
        icon=":material/push_pin:",
        type="tertiary",
        help=_(tip),
        on_click=pin,
        args=(run,),
        disabled=is_pinned or is_full,
    )


def draw_strip() -> None:
    """Draw a card for each pinned run."""
    runs = pinned()
    if not runs:
        return
    with st.container(horizontal=True, gap="small", key="pinned-runs"):
        for at, run in enumerate(runs):
            with st.container(border=True, gap="small", key=f"pinned-run-{at + 1}"):
                _draw_card(at, run)
    if len(runs) == MOST:
        st.caption(_(texts.FULL))


def _draw_card(at: int, run: PinnedRun) -> None:
    walk = run.walk()
    look = None if walk is None else run.look(walk)
    picture = "" if look is None else thumbnail(look)
    says = [_(texts.NO_MODEL)] if walk is None else describe(walk, look)
    # Text that a visitor typed never goes through Markdown.
    st.html(
        f'<div class="pinned-run">{picture}<div><b>{at + 1}</b> {html.escape(run.text)}'
        f"<small>{html.escape(' · '.join(says))}</small></div></div>"
    )
    actions = (
        ("compare", _("Compare"), _compare, (at, run)),
        ("open", _("Open"), _open, (run,)),
        ("remove", _("Remove"), remove, (at,)),
    )
    with st.container(horizontal=True, gap="small"):
        for name, label, act, args in actions:
            off = walk is None and name != "remove"
            key = f"pinned-{name}-{at + 1}"
            st.button(label, key, on_click=act, args=args, type="tertiary", disabled=off)


def _compare(at: int, run: PinnedRun) -> None:
    """Make a run A, and look at the attention that it was pinned with."""
    state.VIEW.set("compare")
    RUN_A.set(str(at + 1))
    if RUN_B.get() == RUN_A.get():
        RUN_B.set(PAGE)
    kind = state.KIND.get(run.settings)
    if state.KIND.get() != kind:
        state.PIN.set(None)  # the same numbers would be other tokens
        state.KIND.set(kind)


def _open(run: PinnedRun) -> None:
    """Take over a run's settings; a step back in the browser brings back those before."""
    opened = state.settings_of({state.OPENED: state.OPENED.get() + 1})
    state.choose({**run.settings, **opened}, keep=(state.LANGUAGE.name, state.PINS.name))


def describe(run: Walk, look: Look | None) -> list[str]:
    """Return what tells a run from others: model, decoding, attention, number of changes."""
    shown = run.translation
    parts = [chosen.model_name(shown.model), chosen.way_name(shown.decoding)]
    if look is not None:
        parts += look.place
    if count := len(read(shown.changes)):
        parts.append(ngettext("{n} change", "{n} changes", count).format(n=count))
    return parts


def thumbnail(look: Look) -> str:
    """Return the weights of a head as a small picture, a square a cell, in the map's own colours.

    Where there are too many cells, the largest of some neighbours is drawn.
    """
    small = look.weights
    for side, length in enumerate(small.shape):
        if not length:
            return ""
        starts = range(0, length, -(-length // LARGEST))
        small = np.maximum.reduceat(small, starts, axis=side)
    rows, cols = small.shape
    colours = _colours(np.append(small.ravel(), 0))
    squares = "".join(
        f'<rect x="{i % cols}" y="{i // cols}" width="1" height="1" fill="{colour}"/>'
        for i, colour in enumerate(colours[:-1])
        if colour != colours[-1]
    )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {cols} {rows}" '
        'preserveAspectRatio="none" shape-rendering="crispEdges">'
        f'<rect width="{cols}" height="{rows}" fill="{colours[-1]}"/>{squares}</svg>'
    )
    name = html.escape(_(texts.THUMBNAIL).format(place=", ".join(look.place)), quote=True)
    data = b64encode(svg.encode()).decode()
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{name}">'


def _colours(weights: Floats) -> list[str]:
    """Return the colours of weights (N,) on the page's scale."""
    stops = np.array([[*bytes.fromhex(stop[1:])] for stop in palette()[theme_mode()]["weights"]])
    at, places = weights * (len(stops) - 1), np.arange(len(stops))
    parts = np.stack([np.interp(at, places, part) for part in stops.T], axis=-1)
    return [f"#{bytes(part).hex()}" for part in parts.round().astype(np.uint8)]
