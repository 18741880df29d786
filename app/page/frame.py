"""The one frame that draws every page: title, map, sections, question, badge, code, the way on."""

from collections.abc import Sequence
from functools import partial
from typing import TypeVar

import streamlit as st

from app.components.diagram import diagram
from app.components.timeline import timeline
from app.data.walk import Walk, code, walk
from app.i18n import _
from app.inspect.panel import draw_panel
from app.page import errors
from app.page.badge import draw_check, draw_proof
from app.page.declare import Code, HistoryPage, Page, WalkPage, text_of
from app.page.quiz import draw_task
from app.registry import HISTORY, VIEWS, WALK, View, view_of
from app.ui.chosen import decoding
from app.ui.error_box import error_box
from app.ui.live_part import FAILED, PAGE_FAILED, live_part
from app.ui.section import section
from app.ui.sentence_box import sentence
from app.ui.table import fold

S = TypeVar("S")


def draw_page(page: WalkPage[S] | HistoryPage[S]) -> None:
    """Draw a page, or say in one sentence why there is nothing to draw."""
    view = view_of(page.slug)
    st.title(_(view.title))
    if view.section == HISTORY:
        timeline(page.slug, key="timeline")
    else:
        diagram(page.slug, key="diagram")
    st.markdown(_(page.intro))
    nothing = _("There is nothing to show yet: type a sentence or choose an example.")
    live = partial(live_part, nothing=nothing, run_every=page.run_every())
    if isinstance(page, HistoryPage):
        live(lambda: _draw_history(page), failed=_(PAGE_FAILED))
    elif (model := errors.model(page.model)) is None:
        return
    elif view.section != WALK or not errors.is_recurrent(model):
        text = sentence(model)
        failed = _(FAILED)
        with error_box(nothing, failed):
            opened = walk(model, text, decoding())
            live(lambda: _draw_walk(page, page.lens(opened)), failed=failed)
    _turn(view)


def _draw_walk(page: WalkPage[S], shown: Walk) -> None:
    chosen = page.select(shown)
    left, right = st.columns([0.64, 0.36], gap="medium")
    with left:
        _draw_sections(page, chosen)
        draw_task(shown.key, page.task(chosen), page.slug)
    with right, st.container(key="side"):
        draw_check(shown, page.scopes(chosen), page.altered(chosen))
        draw_panel(shown, page.start(chosen))


def _draw_history(page: HistoryPage[S]) -> None:
    chosen = page.select()
    left, right = st.columns([0.7, 0.3], gap="medium")
    with left:
        _draw_sections(page, chosen)
    with right, st.container(key="side"):
        draw_proof(page.proof(chosen))
        task = page.task(chosen)
        draw_task((task.question, *task.options), task, page.slug)


def _draw_sections(page: Page[S], chosen: S) -> None:
    page.pick(chosen)
    for part in page.sections:
        if not part.when(chosen):
            continue
        title, text = text_of(part.title, chosen), text_of(part.text, chosen)
        if title or text:
            section(title, text)
        part.draw(chosen)
    fold(_("Formulas and code"), "code", ":material/code:", lambda: _draw_code(page.code))


def _draw_code(steps: Sequence[Code]) -> None:
    """Draw each step as its formula and as the lines of our own source that compute it."""
    for step in steps:
        st.markdown(f"**{_(step.title)}**")
        st.latex(step.formula)
        st.code(code(step.source), "python")


def _turn(view: View) -> None:
    """Offer the pages before and after this one, also by Alt and an arrow key."""
    at = VIEWS.index(view)
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        if at > 0:
            _turn_to(VIEWS[at - 1], "back", "Left")
        if at + 1 < len(VIEWS):
            _turn_to(VIEWS[at + 1], "forward", "Right")


def _turn_to(view: View, icon: str, arrow: str) -> None:
    icon, key = f":material/arrow_{icon}:", f"turn-{arrow.lower()}"
    if st.button(_(view.title), icon=icon, shortcut=f"Alt+{arrow}", key=key):
        st.switch_page(view.path)
