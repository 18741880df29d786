"""What all chapters of the walk share: sentence, text, the question panel, badge, code, task."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import streamlit as st

from app import state
from app.components.diagram import diagram
from app.components.timeline import timeline
from app.data.walk import Cell, Walk, walk
from app.i18n import _
from app.inspect import panel as ask
from app.page import errors as trouble
from app.page import sidebar
from app.page.badge import checked
from app.page.frame import Code, formulas, turn
from app.page.quiz import Task, task
from app.registry import HISTORY, WALK, view_of
from app.ui.sentence_box import sentence


@dataclass(frozen=True)
class Chapter:
    """A page of the walk: `scopes` are the parts of the model that its badge recomputes."""

    slug: str
    intro: str
    body: Callable[[Walk], None]
    scopes: Callable[[Walk], Sequence[str]]
    start: Callable[[Walk], Cell]
    task: Callable[[Walk], Task]
    code: Sequence[Code]
    altered: Callable[[Walk], Sequence[str]] = lambda _walk: ()
    # How often the page runs again by itself, in seconds.
    pace: Callable[[], float | None] = lambda: None
    # The same sentence in another light: all that the page shows is then of what this returns.
    lens: Callable[[Walk], Walk] = lambda opened: opened
    # The one model that the page is about; None: the visitor's choice.
    model: str | None = None


def chapter(page: Chapter) -> None:
    """Draw a chapter, or say in one sentence why there is nothing to draw."""
    view = view_of(page.slug)
    st.title(_(view.title))
    if view.section == HISTORY:
        timeline(page.slug, key="timeline")
    else:
        diagram(page.slug, key="diagram")
    st.markdown(_(page.intro))
    model = trouble.model(page.model)
    if model is None:
        return
    if view.section == WALK and trouble.is_recurrent(model):
        turn(view)
        return
    text = sentence(model)
    with _told():
        opened = walk(model, text, sidebar.decoding())
        st.fragment(_live, run_every=page.pace())(page, opened)
    turn(view)


def _told() -> AbstractContextManager[None]:
    return trouble.told(
        _("There is nothing to show yet: type a sentence or choose an example."),
        _("This sentence could not be shown; the server's log says why."),
    )


def _live(page: Chapter, opened: Walk) -> None:
    """Draw what answers to a click, apart from the rest of the page: that is what makes it fast."""
    state.sync()
    with _told():  # the page's own is not there when this part alone runs again
        _draw(page, page.lens(opened))


def _draw(page: Chapter, opened: Walk) -> None:
    left, right = st.columns([0.64, 0.36], gap="medium")
    with left:
        page.body(opened)
        formulas(page.code)
        task(opened.key, page.task(opened), page.slug)
    with right, st.container(key="side"):
        checked(opened, page.scopes(opened), page.altered(opened))
        ask.panel(opened, page.start(opened))
