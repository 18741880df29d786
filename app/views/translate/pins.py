"""Runs that are kept to compare others with: which they are, and the strip of their pictures."""

import html
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
import streamlit as st

from app import state
from app.charts.weights_svg import cells_svg
from app.data.atlas import first_head
from app.data.changed import UserError, read, run_walk
from app.data.translation import (
    ModelUnavailableError,
    NothingToTranslateError,
    Translation,
    readable,
)
from app.data.walk import Walk
from app.i18n import N_, _, ngettext
from app.inspector.attention import Look, chosen_look, kinds
from app.lesson import packed, unpacked
from app.state import Param, Settings, one_of
from app.ui import chosen
from app.ui.buttons import quiet_button
from app.ui.chart import theme_mode

FULL: Final = N_("Four runs are pinned, and there is no room for more: remove one first.")

MOST: Final = 4
PAGE: Final = "page"  # the run that is on the page, beside the numbers of the pinned ones
RUN_A: Final = Param[str]("a", "1", one_of(PAGE, *"1234"))
RUN_B: Final = Param[str]("b", PAGE, one_of(PAGE, *"1234"))
# What makes up a run and the look at it.
PARAMS: Final[tuple[Param[Any], ...]] = (
    state.MODEL,
    state.TEXT,
    state.METHOD,
    state.BEAM,
    state.TEMPERATURE,
    state.TOP_K,
    state.TOP_P,
    state.SEED,
    state.KIND,
    state.LAYER,
    state.HEAD,
    state.MERGE,
    state.HIDE,
    state.CHANGES,
)
LARGEST: Final = 24  # cells along a side of a thumbnail


@dataclass(frozen=True)
class PinnedRun:
    """A run and the look at it, as the address writes them; the same run has the same settings.

    Raises ValueError where there is no such run.
    """

    settings: Settings

    @classmethod
    def of(cls, shown: Translation) -> Self:
        """Return the run that is on the page."""
        values = {param: param.get() for param in PARAMS}
        values |= {state.MODEL: shown.model, state.TEXT: shown.text, state.CHANGES: shown.changes}
        if kinds(shown):
            look = chosen_look(shown)
            head = str(look.head + 1) if isinstance(look.head, int) else look.head
            is_first = look.head == first_head(shown.model, look.kind).head
            values |= {state.KIND: look.kind, state.LAYER: str(look.layer + 1)}
            values |= {state.HEAD: "" if is_first else head}
        return cls.read(state.settings_of(values))

    @classmethod
    def read(cls, raw: object) -> Self:
        """Return a run by settings that anybody may have written."""
        if not isinstance(raw, dict) or not all(isinstance(text, str) for text in raw.values()):
            raise ValueError("These are no settings.")
        values = {param: param.get(raw) for param in PARAMS}
        if not values[state.MODEL] or not readable(values[state.TEXT] or ""):
            raise ValueError("Nothing is translated there.")
        way = chosen.decoding(raw)
        values |= {
            state.BEAM: way.beam,
            state.TEMPERATURE: way.temperature,
            state.TOP_K: way.top_k,
            state.TOP_P: way.top_p,
            state.SEED: way.seed,
        }
        try:
            read(values[state.CHANGES])
        except UserError as error:
            raise ValueError("These are no changes.") from error
        return cls(state.settings_of(values))

    @property
    def text(self) -> str:
        """The sentence that was translated."""
        return state.TEXT.get(self.settings) or ""

    def walk(self) -> Walk | None:
        """Return the run with every number; None where its model is not there any more."""
        way, changes = chosen.decoding(self.settings), state.CHANGES.get(self.settings)
        try:
            return run_walk(state.MODEL.get(self.settings), self.text, way, changes)
        except (ModelUnavailableError, NothingToTranslateError):
            return None

    def look(self, walk: Walk) -> Look | None:
        """Return the attention that was looked at, if the model has one."""
        return chosen_look(walk.translation, self.settings) if kinds(walk.translation) else None


def pinned() -> tuple[PinnedRun, ...]:
    """Return the runs that are pinned, each once; an address that makes no sense has none."""
    try:
        raw = unpacked(state.PINS.get()) if state.PINS.get() else []
    except ValueError:
        return ()
    found: list[PinnedRun] = []
    for settings in raw if isinstance(raw, list) else []:
        try:
            run = PinnedRun.read(settings)
        except ValueError:
            continue
        if run not in found:
            found.append(run)
    return tuple(found[:MOST])


def keep(runs: Sequence[PinnedRun]) -> None:
    """Make these the pinned runs."""
    state.PINS.set(packed([dict(run.settings) for run in runs]) if runs else "")


def pin(run: PinnedRun) -> None:
    """Pin a run, unless it is pinned already or there are as many as there may be."""
    runs = pinned()
    if run not in runs and len(runs) < MOST:
        keep((*runs, run))


def remove(at: int) -> None:
    """Pin a run no longer; those after it move up, also where they are compared."""
    runs = pinned()
    for param in (RUN_A, RUN_B):
        value = param.get()
        if value != PAGE and int(value) > at:
            left = int(value) - 1
            param.set(param.default if left == at else str(left))
    keep((*runs[:at], *runs[at + 1 :]))


def draw_pin_button(shown: Translation) -> None:
    """Draw the button that pins the run on the page; its tip says why it cannot be pinned."""
    runs, run = pinned(), PinnedRun.of(shown)
    is_pinned, is_full = run in runs, len(runs) == MOST
    tip = FULL if is_full else N_("Keep this run, to compare other ones with it.")
    tip = N_("This run is pinned already.") if is_pinned else tip
    off = is_pinned or is_full
    quiet_button(_("Pin this run"), "pin-run", "push_pin", pin, run, help=_(tip), disabled=off)


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
        st.caption(_(FULL))


def _draw_card(at: int, run: PinnedRun) -> None:
    walk = run.walk()
    look = None if walk is None else run.look(walk)
    picture = "" if look is None else thumbnail(look)
    says = [_("Its model is not there any more.")] if walk is None else describe(walk, look)
    # Text that a visitor typed never goes through Markdown.
    st.html(
        f'<div class="pinned-run">{picture}<div><b>{at + 1}</b> {html.escape(run.text)}'
        f"<small>{html.escape(' · '.join(says))}</small></div></div>"
    )
    actions = (
        ("compare", _("Compare"), _compare, (at, run)),
        ("open", _("Open"), _take_over, (run,)),
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


def _take_over(run: PinnedRun) -> None:
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
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {cols} {rows}" '
        'preserveAspectRatio="none" shape-rendering="crispEdges">'
        f"{cells_svg(small, mode=theme_mode())}</svg>"
    )
    name = html.escape(_("Attention map: {place}").format(place=", ".join(look.place)), quote=True)
    data = b64encode(svg.encode()).decode()
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{name}">'
