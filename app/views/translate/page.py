"""The page Translate: a sentence, its translation, its files, and all the attention behind it."""

from collections.abc import Hashable
from functools import partial
from typing import Final

import streamlit as st

from app import state
from app.components.document import VIEWS
from app.components.shared.kept import keeping
from app.data.changed import Changed, difference_of
from app.data.translation import Kind, ModelConfig, Translation
from app.data.walk import ATTENTIONS, Walk, walk
from app.i18n import N_, _, short_code
from app.inspector.attention import (
    NO_ATTENTION,
    chosen_look,
    kind_of,
    kinds,
    kinds_of,
    pick_attention,
    pick_labels,
)
from app.inspector.attention_views import VIEWS as ATTENTION_VIEWS
from app.inspector.attention_views import OnEdit, draw_attention, is_editable
from app.inspector.beam import draw_beam
from app.inspector.changes import RUNS, run_of
from app.inspector.picks import Side, token_chips
from app.inspector.saved import saved
from app.inspector.stepper import draw_steps
from app.page import errors, sidebar
from app.page.changed_run import shown_run
from app.registry import view_of
from app.state import Pin
from app.ui import chosen, player
from app.ui.about import about, file_name
from app.ui.chosen import capital, language_name, pair
from app.ui.error_box import error_box
from app.ui.kept import screen_menu
from app.ui.live_part import live_part
from app.ui.pickers import pick
from app.ui.sentence_box import draw_output, headline, sentence_line
from app.ui.table import save_button
from app.views.translate.bench import (
    draw_both_runs,
    draw_changes,
    draw_opened,
    draw_what_if,
    editing,
)
from app.views.translate.compare import draw_compare
from app.views.translate.pins import draw_pin_button, draw_strip, pinned

TITLES = {
    "matrix": N_("Heatmap"),
    "wall": N_("All heads"),
    "lines": N_("Lines"),
    "steps": N_("Step by step"),
    "beam": N_("Beam"),
    "compare": N_("Compare"),
}
DECODING = {"steps": draw_steps, "beam": draw_beam}
# What has to be known of a translation.
NOTICES: Final = {
    "cut": N_("The text is too long for this model: only its beginning was translated."),
    "long": N_(
        "This sentence is longer than nearly all that this model learned from: its translation may "
        "lose a part. Shorter sentences fare better."
    ),
    "unknown": N_(
        "Some characters are new to this model, which reads them byte by byte: "
        "the translation may make no sense."
    ),
    "unfinished": N_("The model did not end its sentence: it was stopped at the maximum length."),
    "repeats": N_(
        "The translation repeats itself: the model has lost its place. That happens with sentences "
        "longer than those it was trained on; try a shorter one."
    ),
}


def draw() -> None:
    """Draw the choices in the sidebar, and the page, which an Enter or a click draws alone.

    Compared runs may be of several models, and a book has no sidebar: there, all is drawn at once.
    """
    if state.in_book() or _view() == "compare":
        _draw_page()
        return
    model = chosen.model()
    if model is not None and (info := chosen.info_of(model)) is not None:
        _pick_attention(model, info.config)
    live_part(_draw_page, shared=_what_the_sidebar_shows)


def _what_the_sidebar_shows() -> Hashable:
    chosen.follow_text()
    return (chosen.model(), _view(), *(one.get() for one in (state.KIND, state.LAYER, state.HEAD)))


def _pick_attention(model: str, config: ModelConfig) -> None:
    view = _view()
    if kinds_of(config) and view != "beam":
        pick_attention(model, config, one_head=view != "wall", steps=view == "steps")


def _draw_page() -> None:
    """Draw the page, or say in one sentence why there is nothing to draw."""
    title = _(view_of("translate").title)
    if chosen.model() is None:
        st.title(title)
    if (model := errors.model()) is None:
        return
    text = sentence_line(model, title=title)
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
    page = shown_run(original)
    draw_output(page.translation.model, headline(page.translation))
    for notice in page.translation.notices:
        st.info(_(NOTICES[notice]), icon=":material/info:")
    on_edit = editing(run) if view == "matrix" else None
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="tools"):
        _pick_view(view)
        draw_what_if(original)
        draw_pin_button(page.translation)
        draw_save(page.translation)
        _draw_more(shown, can_edit=on_edit is not None)
    if state.in_book():
        sidebar.draw_in_page()
        if view != "compare":
            _pick_attention(original.translation.model, original.translation.capture.config)
    _draw_view(original, run, shown, on_edit)
    draw_tokens(original.translation)
    draw_strip()


def _draw_more(shown: Translation, *, can_edit: bool) -> None:
    """Draw the menu of what is seldom chosen; as long as it is shut, it costs nothing."""
    icon = ":material/tune:"
    menu = st.popover(_("More"), icon=icon, type="tertiary", key="more", on_change="rerun")
    if not menu.open and not state.in_book():
        return
    with menu:
        pick_labels()
        if can_edit and kinds(shown) and is_editable(chosen_look(shown)):
            tip = _("Set weights by hand and see what the model makes of it.")
            st.toggle(_("Edit weights"), key=state.EDIT.widget(), help=tip)


def _draw_view(
    original: Walk, run: Changed | None, shown: Translation, on_edit: OnEdit | None
) -> None:
    """Draw the chosen view; what was changed stands beside it where there is room, or below."""
    view = _view()
    beside = partial(_draw_beside, original, run)
    place = [] if shown is original.translation else [_("changed run")]
    if view in ATTENTION_VIEWS and kinds(original.translation):
        with about(place=place):
            draw_attention(view, shown, beside, on_edit)
        return
    if view in ATTENTION_VIEWS:
        st.info(_(NO_ATTENTION))
        beside()
        return
    if run is not None:
        _pick_run()
    with about(place=place if view in DECODING else []), keeping() as drawn:
        if view == "compare":
            draw_compare(shown_run(original))
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
    if _view() in ATTENTION_VIEWS:
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


def _shown(original: Walk, run: Changed | None, view: str) -> Translation:
    """Return the run to look into; steps of decoding and beams have no difference."""
    which = state.RUN.get()
    if run is None or which == "before":
        return original.translation
    if which == "difference" and view in ATTENTION_VIEWS:
        return difference_of(original, run)
    return run.translation


def draw_tokens(translation: Translation) -> None:
    """Draw the tokens of both sides with their ids; one that is clicked becomes the pinned one."""
    kind, pin = kind_of(translation), state.PIN.get()
    sides: tuple[Side, ...] = ("src", "tgt")
    row = st.container(horizontal=True, gap="medium", key="tokens")
    for language, side in zip(pair(translation.model), sides, strict=True):
        source, selected = side == "src", None
        if pin is not None and side in (ATTENTIONS[kind].queries, ATTENTIONS[kind].keys):
            selected = pin.query if side == ATTENTIONS[kind].queries else pin.key
        reads = _("{language}, as the decoder reads it")
        if source:
            reads = _("{language}, as the encoder reads it")
        with row:
            token_chips(
                (translation.source if source else translation.target).tokens,
                ids=True,
                key="chips-source" if source else "chips-target",
                label=reads.format(language=capital(language_name(language))),
                role="input" if source else "output",
                language=short_code(language),
                selected=selected,
                on_select=partial(_pin, kind, side),
            )


def _pin(kind: Kind, side: Side, index: int) -> None:
    """Pin a token; where its sentence is not in the attention shown, show one where it is."""
    if side not in (ATTENTIONS[kind].queries, ATTENTIONS[kind].keys):
        state.KIND.set("cross")
        kind = "cross"
    state.PIN.set(Pin(index, None) if side == ATTENTIONS[kind].queries else Pin(None, index))


def draw_save(shown: Translation) -> None:
    """Draw the menu of files; as long as it is shut, it costs nothing."""
    label, icon, tip = _("Save"), ":material/save:", _("Keep what you see, as a file")
    menu = st.popover(label, type="tertiary", icon=icon, help=tip, key="save", on_change="rerun")
    if menu.open:
        with menu:
            _draw_menu(shown)


def _draw_menu(shown: Translation) -> None:
    kind, layer, head = _place(shown)
    if kinds(shown):
        view = state.VIEW.get() if state.VIEW.get() in VIEWS else "matrix"
        page = saved(shown, view, kind, layer, head)
        save_button(_("Save as a web page"), page, "attention", "html", "text/html", "web")
        says = _(
            "One HTML file with all layers and heads, to point at and to choose from. It "
            "needs no network and no server, and says how to make it again."
        )
        st.caption(says)
    if shown.changes:
        says = _("A changed run is not saved as a trace: the file would not say what was changed.")
        st.caption(says)
        return
    st.download_button(
        _("Save as a trace"),
        shown.capture.to_bytes(),
        f"{file_name('trace')}.safetensors",
        "application/octet-stream",
        key="save-trace",
        icon=":material/data_array:",
        on_click="ignore",
    )
    says = _("Every array of this run, as a safetensors file: for “Open a trace”, or for Python.")
    st.caption(says)


def _place(shown: Translation) -> tuple[Kind, int, int]:
    """Return the attention that is chosen; of what several heads come to, the first head."""
    if not kinds(shown):
        return "cross", 0, 0
    look = chosen_look(shown)
    return look.kind, look.layer, look.head if isinstance(look.head, int) else 0


draw()
