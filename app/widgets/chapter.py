"""What all chapters of the walk share: sentence, text, the question panel, badge, code, task."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import streamlit as st

from app import state
from app.i18n import _
from app.registry import VIEWS, View
from app.services_walk import Cell, Walk, code, walk
from app.widgets import ask, sidebar, trouble
from app.widgets.checked import checked
from app.widgets.diagram import diagram
from app.widgets.source import sentence
from app.widgets.table import fold
from app.widgets.task import Task, task

# The panel stays in sight: beside the page on a wide screen, at the bottom of a narrow one.
STYLE = """<style>
.st-key-ask .katex, .st-key-ask-open .katex { font-size: 1em; }
[class*="st-key-ask-up-"] p { text-align: start; }
@media (min-width: 641px) {
  /* Streamlit wraps a container in a box of its own height, in which nothing can stick. */
  [data-testid="stLayoutWrapper"]:has(> .st-key-side) { position: sticky; top: 4rem; }
  .st-key-side { max-height: calc(100vh - 5rem); overflow-y: auto; }
}
@media (max-width: 640px) {
  .st-key-ask-open {
    position: fixed; left: 0; right: 0; bottom: 0; z-index: 99; max-height: 45vh;
    overflow-y: auto; background: var(--background-color, Canvas); border-radius: 0.8rem 0.8rem 0 0;
    box-shadow: 0 -4px 24px rgb(0 0 0 / 0.3); padding-bottom: 1rem;
  }
}
</style>"""


@dataclass(frozen=True)
class Code:
    """One step: its formula (LaTeX), and where our code does it."""

    title: str
    formula: str
    module: str
    qualname: str


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


def chapter(page: Chapter) -> None:
    """Draw a chapter, or say in one sentence why there is nothing to draw."""
    st.html(STYLE)
    view = _view(page.slug)
    st.title(_(view.title))
    diagram(page.slug, key="diagram")
    st.markdown(_(page.intro))
    model = trouble.model()
    if model is None:
        return
    text = sentence(model)
    with _told():
        opened = walk(model, text, sidebar.decoding())
        st.fragment(_live, run_every=page.pace())(page, opened)
    _turn(view)


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
        _code(opened, page.code)
        task(opened, page.task(opened), page.slug)
    with right, st.container(key="side"):
        checked(opened, page.scopes(opened), page.altered(opened))
        ask.panel(opened, page.start(opened))


def _code(opened: Walk, steps: Sequence[Code]) -> None:
    """Offer each step as its formula and as the lines of our own source that compute it."""
    fold(_("Formulas and code"), "code", ":material/code:", lambda: _steps(steps))


def _steps(steps: Sequence[Code]) -> None:
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


def _view(slug: str) -> View:
    return next(view for view in VIEWS if view.file == slug)
