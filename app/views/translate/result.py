"""The translation itself: its text, what is to be known of it, its tokens, and its files."""

import html
from typing import Final

import streamlit as st

from app import state
from app.components.document import VIEWS
from app.data.translation import Kind, Sentence, Translation
from app.data.walk import ATTENTIONS
from app.i18n import N_, _
from app.inspector.attention import chosen_look, kind_of, kinds
from app.inspector.picks import token_chips
from app.inspector.saved import report, saved
from app.state import Pin
from app.ui.about import file_name
from app.ui.chosen import capital, language_name, pair
from app.ui.table import save_button

NOTICES: Final = {
    "cut": N_("The text is too long for this model: only its beginning was translated."),
    "invisible": N_("Invisible characters were left out."),
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
LONG: Final = 60  # characters of a translation that is written smaller
SIDES: Final = {"source": "src", "target": "tgt"}


def draw_output(translation: Translation) -> None:
    """Draw the text of the translation."""
    target = pair(translation.model)[1]
    size = "1.1rem" if len(translation.output) > LONG else "1.5rem"
    # Text that a visitor typed never goes through Markdown.
    st.html(
        f'<p lang="{html.escape(target, quote=True)}" data-testid="translation" '
        f'style="font-size:{size};line-height:1.3;font-weight:600;margin:0;overflow-wrap:anywhere">'
        f"{html.escape(translation.output) or '∅'}</p>"
    )


def draw_notices(translation: Translation) -> None:
    """Say what has to be known of this translation."""
    for notice in translation.notices:
        st.info(_(NOTICES[notice]), icon=":material/info:")


def draw_tokens(translation: Translation) -> None:
    """Draw the tokens of both sides with their ids; one that is clicked becomes the pinned one."""
    source, target = pair(translation.model)
    kind = kind_of(translation)
    left, right = st.columns(2, gap="medium")
    with left:
        label = _("{language}, as the encoder reads it").format(language=_name(source))
        _draw_chips(translation.source, kind, "source", label)
    with right:
        label = _("{language}, as the decoder reads it").format(language=_name(target))
        _draw_chips(translation.target, kind, "target", label)


def _name(language: str) -> str:
    return capital(language_name(language))


def _draw_chips(sentence: Sentence, kind: Kind, side: str, label: str) -> None:
    token_chips(
        sentence.tokens,
        ids=True,
        key=f"chips-{side}",
        label=label,
        role="input" if side == "source" else "output",
        selected=_selected(kind, side),
        on_select=lambda index: state.PIN.set(_pin(kind, side, index)),
    )


def _is_query(kind: Kind, side: str) -> bool:
    """Whether this sentence stands on the rows of the attention shown."""
    return SIDES[side] == ATTENTIONS[kind].queries


def _selected(kind: Kind, side: str) -> int | None:
    pin = state.PIN.get()
    if pin is None or (ATTENTIONS[kind].own and not _is_query(kind, side)):
        return None
    return pin.query if _is_query(kind, side) else pin.key


def _pin(kind: Kind, side: str, index: int) -> Pin:
    """Pin a token; where its sentence is not in the attention shown, show one where it is."""
    if SIDES[side] not in (ATTENTIONS[kind].queries, ATTENTIONS[kind].keys):
        state.KIND.set("cross")
        kind = "cross"
    return Pin(index, None) if _is_query(kind, side) else Pin(None, index)


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
    page = report(shown, kind, layer, head)
    save_button(_("Save as a report to print"), page, "report", "html", "text/html", "print")
    says = _(
        "All of this translation on A4: its tokens, the head you see, all heads, and what "
        "was likely at each step."
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
