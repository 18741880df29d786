"""The page Translate: a sentence, its translation, and all the attention behind it."""

from functools import partial

import streamlit as st

from app import state
from app.components.shared.kept import keeping
from app.data.changed import Changed, changed_walk, difference_of
from app.data.translation import Translation
from app.data.walk import Walk, walk
from app.i18n import N_, _
from app.inspector import attention_views as views
from app.inspector.attention import NO_ATTENTION, chosen_look, kinds, pick_labels
from app.inspector.attention_views import OnEdit, is_editable
from app.inspector.beam import draw_beam
from app.inspector.changes import RUNS, run_of
from app.inspector.stepper import draw_steps
from app.page import errors, sidebar
from app.registry import view_of
from app.ui import chosen, player
from app.ui.about import about
from app.ui.error_box import error_box
from app.ui.kept import screen_menu
from app.ui.pickers import pick
from app.ui.sentence_box import sentence_line
from app.views.translate.bench import (
    draw_both_runs,
    draw_changes,
    draw_opened,
    draw_what_if,
    editing,
)
from app.views.translate.compare import draw_compare
from app.views.translate.pins import draw_pin_button, draw_strip, pinned
from app.views.translate.result import draw_notices, draw_output, draw_save, draw_tokens

TITLES = {
    "matrix": N_("Heatmap"),
    "wall": N_("All heads"),
    "lines": N_("Lines"),
    "steps": N_("Step by step"),
    "beam": N_("Beam"),
    "compare": N_("Compare"),
}
ATTENTION = {"matrix": views.draw_matrix, "wall": views.draw_wall, "lines": views.draw_lines}
DECODING = {"steps": draw_steps, "beam": draw_beam}


def draw() -> None:
    """Draw the page, or say in one sentence why there is nothing to draw."""
    title, line = st.columns([0.16, 0.84], gap="small", vertical_alignment="center")
    title.title(_(view_of("translate").title))
    model = errors.model()
    if model is None:
        return
    with line:
        text = sentence_line(model)
    nothing = _("There is nothing to translate yet: type a sentence or choose an example.")
    failed = _("This sentence could not be translated; the server's log says why.")
    with error_box(nothing, failed):
        original = walk(model, text, chosen.decoding())
        translation = original.translation
        run = translation.model, translation.decoding
        with about(page="translate", sentence=translation.text, run=run):
            _draw_translation(original)


def _draw_translation(original: Walk) -> None:
    """Draw the translation, the tools, and what is looked at; what comes later moves none of it."""
    run, view = run_of(original.translation), _view()
    shown = _shown(original, run, view)
    draw_output(original.translation)
    draw_notices(original.translation)
    page = _run_of_page(original, run)
    on_edit = editing(run) if view == "matrix" else None
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="tools"):
        _pick_view(view)
        draw_what_if(original)
        draw_pin_button(page.translation)
        draw_save(page.translation)
        _draw_more(shown, on_edit)
    if state.in_book():
        sidebar.draw_in_page()
    _draw_view(original, run, shown, on_edit)
    draw_tokens(original.translation)
    draw_strip()


def _draw_more(shown: Translation, on_edit: OnEdit | None) -> None:
    with st.popover(_("More"), icon=":material/tune:", type="tertiary", key="more"):
        pick_labels()
        if on_edit is not None and kinds(shown) and is_editable(chosen_look(shown)):
            tip = _("Set weights by hand and see what the model makes of it.")
            st.toggle(_("Edit weights"), key=state.EDIT.widget(), help=tip)


def _draw_view(
    original: Walk, run: Changed | None, shown: Translation, on_edit: OnEdit | None
) -> None:
    """Draw the chosen view; what was changed stands beside it where there is room, or below."""
    view = _view()
    beside = partial(_draw_beside, original, run)
    place = [] if shown is original.translation else [_("changed run")]
    if view in ATTENTION and kinds(original.translation):
        with about(place=place):
            if view == "matrix":
                views.draw_matrix(shown, beside, on_edit)
            else:
                ATTENTION[view](shown, beside)
        return
    if view in ATTENTION:
        st.info(_(NO_ATTENTION))
        beside()
        return
    if run is not None:
        _pick_run()
    with about(place=place if view in DECODING else []), keeping() as drawn:
        if view == "compare":
            draw_compare(_run_of_page(original, run))
        else:
            DECODING[view](shown)
    # What plays is not what was drawn here.
    if not player.playing():
        screen_menu([(_(TITLES[view]), drawn)])
    beside()


def _draw_beside(original: Walk, run: Changed | None) -> None:
    """Draw the list of changes, what the changed run makes of them, and a number of it asked."""
    draw_changes(original)
    if run is None:
        return
    if _view() in ATTENTION:
        _pick_run()
    draw_both_runs(original, run)
    if _view() != "compare":  # there, a run's own is open
        draw_opened(original, run)


def _pick_run() -> None:
    pick(state.RUN, _("Run"), RUNS, label_visibility="collapsed")


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
