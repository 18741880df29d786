"""The page Translate: a sentence, its translation, and all the attention behind it."""

import streamlit as st

from app import state
from app.components.shared.kept import keeping
from app.data.changed import Changed, changed_walk, difference_of
from app.data.translation import Translation
from app.data.walk import Walk, walk
from app.i18n import N_, _
from app.inspect import attention_views as views
from app.inspect.attention import kinds
from app.inspect.beam import draw_beam
from app.inspect.changes import run_of
from app.inspect.stepper import draw_steps
from app.page import errors
from app.texts.attention import NO_ATTENTION
from app.texts.changes import RUNS
from app.ui import chosen, player
from app.ui.about import about
from app.ui.error_box import error_box
from app.ui.kept import screen_menu
from app.ui.pickers import pick
from app.ui.sentence_box import sentence
from app.views.translate.bench import draw_bench
from app.views.translate.both_runs import draw_both_runs
from app.views.translate.compare import draw_compare
from app.views.translate.edit import editing
from app.views.translate.pins import pinned
from app.views.translate.result import draw_result
from app.views.translate.strip import draw_strip

TITLES = {
    "matrix": N_("Heatmap"),
    "wall": N_("All heads"),
    "lines": N_("Lines"),
    "steps": N_("Step by step"),
    "beam": N_("Beam"),
    "compare": N_("Compare"),
}
DRAW = {
    "wall": views.draw_wall,
    "lines": views.draw_lines,
    "steps": draw_steps,
    "beam": draw_beam,
}
ATTENTION = ("matrix", "wall", "lines")


def draw() -> None:
    """Draw the page, or say in one sentence why there is nothing to draw."""
    st.title(_("Translate, and see what every head looks at"))
    model = errors.model()
    if model is None:
        return
    text = sentence(model)
    nothing = _("There is nothing to translate yet: type a sentence or choose an example.")
    failed = _("This sentence could not be translated; the server's log says why.")
    with error_box(nothing, failed):
        original = walk(model, text, chosen.decoding())
        translation = original.translation
        run = translation.model, translation.decoding
        with about(page="translate", sentence=translation.text, run=run):
            _draw_translation(original)


def _draw_translation(original: Walk) -> None:
    draw_result(original.translation)
    run = run_of(original.translation)
    # Containers of their own: what is below stays where it is when changes come and go, and so
    # does the focus of who set a weight by keys.
    page = _run_of_page(original, run)
    with st.container():
        draw_bench(original, page.translation)
        if run is not None:
            draw_both_runs(original, run)
        draw_strip()
    view = _view()
    with st.container(horizontal=True, gap="medium"):
        if run is not None:
            pick(state.RUN, _("Run"), RUNS, label_visibility="collapsed")
        _pick_view(view)
    if view == "compare":
        with keeping() as drawn:
            draw_compare(page)
        screen_menu([(_(TITLES[view]), drawn)])
        return
    if view in ATTENTION and not kinds(original.translation):
        st.info(_(NO_ATTENTION))
        return
    shown = _shown(original, run, view)
    place = [] if shown is original.translation else [_("changed run")]
    with about(place=place), keeping() as drawn:
        if view == "matrix":
            views.draw_matrix(shown, editing(run))
        else:
            DRAW[view](shown)
        # The file of all heads has these; and what plays is not what was drawn here.
        if view not in ATTENTION and not player.playing():
            screen_menu([(_(TITLES[view]), drawn)])


def _view() -> str:
    """Return the chosen view; there is nothing to compare with before a run is pinned."""
    view = state.VIEW.get()
    return view if view != "compare" or pinned() else state.VIEW.default


def _pick_view(view: str) -> None:
    pick(
        state.VIEW,
        _("Look inside"),
        {name: title for name, title in TITLES.items() if name != "compare" or pinned()},
        value=view,
        on_change=player.stop,
        width="stretch",
        label_visibility="collapsed",
    )


def _run_of_page(original: Walk, run: Changed | None) -> Walk:
    """Return the run that is on the page: the changed one, unless the original is chosen."""
    return original if run is None or state.RUN.get() == "before" else changed_walk(original, run)


def _shown(original: Walk, run: Changed | None, view: str) -> Translation:
    """Return the run to look into; steps of decoding and beams have no difference."""
    which = state.RUN.get()
    if run is None or which == "before":
        return original.translation
    if which == "difference" and view in ATTENTION:
        return difference_of(original, run)
    return run.translation


draw()
