"""The one frame that draws every page: title, map, sections, question, badge, code, the way on."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TypeVar

import streamlit as st

from app import state
from app.components.diagram import diagram
from app.components.timeline import timeline
from app.data.walk import Walk, code, walk
from app.i18n import _
from app.inspect.panel import panel
from app.page import errors
from app.page.badge import draw_check, draw_proof
from app.page.declare import Code, HistoryPage, Page, WalkPage, text_of
from app.page.quiz import draw_task
from app.registry import HISTORY, VIEWS, WALK, View, view_of
from app.ui import chosen
from app.ui.error_box import error_box
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
    if isinstance(page, HistoryPage):
        st.fragment(_live_history, run_every=page.run_every())(page)
    else:
        model = errors.model(page.model)
        if model is None:
            return
        if view.section != WALK or not errors.is_recurrent(model):
            text = sentence(model)
            with _errors():
                opened = walk(model, text, chosen.decoding())
                st.fragment(_live_walk, run_every=page.run_every())(page, opened)
    _turn(view)


def _live_walk(page: WalkPage[S], opened: Walk) -> None:
    """Draw what answers to a click, apart from the rest of the page: that is what makes it fast."""
    state.sync()
    with _errors():  # the page's own is not there when this part alone runs again
        shown = page.lens(opened)
        chosen = page.select(shown)
        left, right = st.columns([0.64, 0.36], gap="medium")
        with left:
            _draw_sections(page, chosen)
            draw_task(shown.key, page.task(chosen), page.slug)
        with right, st.container(key="side"):
            draw_check(shown, page.scopes(chosen), page.altered(chosen))
            panel(shown, page.start(chosen))


def _live_history(page: HistoryPage[S]) -> None:
    state.sync()
    with error_box(
        _("There is nothing to show yet: type a sentence or choose an example."),
        _("This page could not be shown; the server's log says why."),
    ):
        chosen = page.select()
        left, right = st.columns([0.7, 0.3], gap="medium")
        with left:
            _draw_sections(page, chosen)
        with right, st.container(key="side"):
            draw_proof(page.proof(chosen))
            task = page.task(chosen)
            draw_task((task.question, *task.options), task, page.slug)


def _errors() -> AbstractContextManager[None]:
    return error_box(
        _("There is nothing to show yet: type a sentence or choose an example."),
        _("This sentence could not be shown; the server's log says why."),
    )


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
        st.code(code(step.module, step.qualname), "python")


def _turn(view: View) -> None:
    """Offer the pages before and after this one, also by Alt and an arrow key."""
    at = VIEWS.index(view)
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        for place, side, icon in (
            (at - 1, "Left", "arrow_back"),
            (at + 1, "Right", "arrow_forward"),
        ):
            if 0 <= place < len(VIEWS):
                other = VIEWS[place]
                if st.button(
                    _(other.title), icon=f":material/{icon}:", shortcut=f"Alt+{side}",
                    key=f"turn-{side.lower()}",
                ):  # fmt: skip
                    st.switch_page(other.path)
