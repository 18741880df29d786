"""The one frame that draws every page: map, title, and a screen for each of its ideas."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

import streamlit as st

from app.components.diagram import diagram
from app.components.shared.kept import keeping
from app.components.timeline import timeline
from app.data.decoding import Decoding
from app.data.walk import code, walk
from app.i18n import _
from app.inspector.panel import draw_panel, forget_stale
from app.page import errors, live_training, moves, tour
from app.page.badge import draw_check
from app.page.changed_run import CHANGED, draw_run, shown_run, what_is_shown
from app.page.contents import drawer_of, now
from app.page.declare import (
    TASK,
    Choices,
    Code,
    Drawer,
    HistoryPage,
    Page,
    Section,
    WalkPage,
    text_of,
)
from app.page.moves import OPEN
from app.page.quiz import draw_task
from app.page.screens import Screen, Unanswered, draw_row
from app.registry import HISTORY, WALK, Address, view_of
from app.ui.about import about
from app.ui.chosen import decoding
from app.ui.error_box import FAILED, error_box
from app.ui.kept import screen_menu
from app.ui.live_part import live_part
from app.ui.section import headed, section
from app.ui.sentence_box import sentence_line
from app.ui.table import fold

S = TypeVar("S")


def draw_page(page: WalkPage[S] | HistoryPage[S]) -> None:
    """Draw a page, or say in one sentence why there is nothing to draw."""
    view = view_of(page.slug)
    here = Address(page.slug, OPEN.get())
    if (there := now(here)) != here:
        if (drawer := drawer_of(here)) is not None:
            st.session_state[f"open-drawer-{drawer.slug}"] = True
        if there.page != page.slug:
            moves.arrive_at(there.screen)
            st.switch_page(view_of(there.page).path)
        OPEN.set(there.screen)
    if view.section == HISTORY:
        timeline(page.slug, key="timeline")
    else:
        diagram(page.slug, key="diagram")
    live = partial(live_part, run_every=page.run_every())
    if isinstance(page, HistoryPage):
        st.title(_(view.title))
        live(lambda: _draw_history(page))
        return
    title, line = st.columns([0.46, 0.54], gap="medium", vertical_alignment="center")
    title.title(_(view.title))
    if (model := errors.model(page.model)) is None:
        return
    if view.section != WALK or not errors.is_recurrent(model):
        with line:
            text = sentence_line(model, page.sentence)
        with error_box():
            way = decoding()
            original = walk(model, text, way)
            if page.changed:
                draw_run(original)
            draw = partial(_draw_walk, page, model, text, way)
            live(draw, failed=_(FAILED), shared=what_is_shown)


def _draw_walk(page: WalkPage[S], model: str, text: str, way: Decoding) -> None:
    """Draw a page of the walk; it is drawn again as long as it is open, and holds no numbers."""
    original = walk(model, text, way)
    run = shown_run(original) if page.changed else original
    forget_stale(page.slug)
    shown = page.lens(run)
    chosen = page.select(shown)

    def prove(also: Callable[[], None]) -> None:
        draw_check(shown, page.scopes(chosen), also)

    def ask() -> None:
        draw_task(shown.key, page.task(chosen), page.slug)

    def beside() -> None:
        draw_panel(shown, shown if run is original else page.lens(original))

    place = page.place(chosen) if run is original else (*page.place(chosen), _(CHANGED))
    translation = shown.translation
    run_of = translation.model, translation.decoding
    with about(sentence=translation.text, place=place, run=run_of):
        _draw(page, chosen, prove, ask, beside)


def _draw_history(page: HistoryPage[S]) -> None:
    chosen = page.select()

    def ask() -> None:
        task = page.task(chosen)
        draw_task((task.question, *task.options), task, page.slug)

    def offer(menu: Callable[[], None]) -> None:
        with st.container(horizontal=True, key="menu"):
            menu()

    _draw(page, chosen, offer, ask)


def _draw(
    page: Page[S],
    chosen: S,
    prove: Callable[[Callable[[], None]], None],
    ask: Callable[[], None],
    beside: Callable[[], None] = lambda: None,
) -> None:
    """Draw the open screen, what proves its numbers and keeps its figures, and what is `beside`.

    Where each of them stands, the style sheet says: the screen has all the width until a number is
    opened.
    """
    parts = [part for part in page.sections if part.when(chosen)]
    screens = [
        Screen(
            part.slug,
            text_of(part.title, chosen) or _(view_of(page.slug).title),
            partial(_draw_section, page.slug, part, chosen, _intro(page, i)),
            _pick_of(part.pick, chosen),
        )
        for i, part in enumerate(parts)
    ]
    draw = partial(_draw_end, page, chosen, ask)
    screens.append(Screen("task", _(TASK), draw, _pick_of(page.task_pick, chosen)))
    shown = draw_row(page.slug, screens)
    every = len(shown) > 1
    own = True if every else shown[0].pick
    pick = own if callable(own) else partial(page.pick, chosen)
    if any(screen.pick for screen in shown):
        with st.container(key="choices"):
            pick()
    name = _(view_of(page.slug).title)
    with about(page=page.slug, title=name), st.container(key="screens" if every else "screen"):
        with st.container(key="drawn"):
            drawn = []
            for screen in shown:
                with keeping() as kept:
                    screen.draw()
                drawn.append((screen.title, kept))
        # What moves on is not what was drawn here.
        prove(partial(screen_menu, [] if live_training.goes_on() else drawn))
        beside()


def _intro(page: Page[S], at: int) -> str:
    """Return what stands before a screen's own words: at the page's first, or in the tour."""
    if (here := tour.stop()) is not None:
        return _(tour.words(here) or page.intro)
    return _(page.intro) if at == 0 else ""


def _pick_of(pick: Choices[S], chosen: S) -> bool | Callable[[], None]:
    return partial(pick, chosen) if callable(pick) else pick


def _draw_section(page: str, part: Section[S], chosen: S, intro: str) -> None:
    """Draw a screen with its drawers, its formulas and code, and in the tour what goes deeper.

    Below a question there is nothing until it is answered, but for a drawer that an address opens.
    """
    answered = True
    below = view_of(page).section == HISTORY  # there the picture comes before all words
    try:
        with headed(text_of(part.title, chosen), "" if below else intro):
            part.draw(chosen)
        if below and intro:
            st.markdown(intro)
    except Unanswered:
        answered = False
    with st.container(horizontal=True, gap="small", key=f"drawers-{part.slug}"):
        for drawer in (drawer for drawer in part.drawers if drawer.when(chosen)):
            name = f"drawer-{drawer.slug}"
            if answered or st.session_state.get(f"open-{name}"):
                fold(_(drawer.title), name, "more_horiz", partial(_draw_drawer, drawer, chosen))
        if not answered:
            return
        if part.code:
            label, draw = _("Formulas and code"), partial(_draw_code, part.code)
            fold(label, f"drawer-code-{part.slug}", "function", draw)
        if (stop := tour.stop()) is not None and tour.deeper(stop):
            draw = partial(tour.draw_deeper, stop)
            fold(_("Go deeper"), f"drawer-deeper-{part.slug}", "arrow_downward", draw)


def _draw_drawer(drawer: Drawer[S], chosen: S) -> None:
    with suppress(Unanswered):
        drawer.draw(chosen)


def _draw_end(page: Page[S], chosen: S, ask: Callable[[], None]) -> None:
    """Draw what many believe, with what the numbers say of it, and the page's question."""
    if page.myth is not None:
        told = page.myth(chosen)
        section(_("A common mistake"), f"> {told.claim}\n\n{told.truth}")
    ask()


def _draw_code(steps: Sequence[Code]) -> None:
    """Draw each step as its formula and as the lines of our own source that compute it."""
    for step in steps:
        st.markdown(f"**{_(step.title)}**")
        st.latex(step.formula)
        st.code(code(step.source), "python")
