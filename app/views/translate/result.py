"""The translation itself: its text, what has to be said about it, and the tokens of both sides."""

import html
from typing import Final

import streamlit as st

from app import state
from app.data.translation import Kind, Sentence, Translation
from app.i18n import _
from app.inspector.attention import kind_of
from app.inspector.picks import token_chips
from app.state import Pin
from app.texts.attention import NOTICES
from app.ui.chosen import capital, language_name, pair

LONG: Final = 60  # characters of a translation that is written smaller


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
    return side == ("source" if kind == "encoder" else "target")


def _selected(kind: Kind, side: str) -> int | None:
    pin = state.PIN.get()
    if pin is None or (kind != "cross" and not _is_query(kind, side)):
        return None
    return pin.query if _is_query(kind, side) else pin.key


def _pin(kind: Kind, side: str, index: int) -> Pin:
    """Pin a token; where its sentence is not in the attention shown, show one where it is."""
    if (kind, side) in (("encoder", "target"), ("decoder", "source")):
        state.KIND.set("cross")
        kind = "cross"
    return Pin(index, None) if _is_query(kind, side) else Pin(None, index)
