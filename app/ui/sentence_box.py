"""Where a sentence is typed, and the examples to start from."""

from collections.abc import Iterable

import streamlit as st

from app import state
from app.data.moments import examples_of
from app.format import escape
from app.i18n import _
from app.texts.examples import examples
from app.ui.chosen import language_name, pair
from app.ui.pickers import live_text


def offered(model: str) -> tuple[str, ...]:
    """Return sentences to try a model on: its own, or those of its language."""
    return examples_of(model) or examples(pair(model)[0])


def sentence(model: str) -> str:
    """Draw the box and the examples and return the sentence, as it was typed."""
    text = state.TEXT.get()
    shown = offered(model)[0] if text is None else text
    live_text(_label(model), state.TEXT.widget(shown), placeholder=_("Type here"))
    with st.container(horizontal=True, gap="small"):
        for i, example in enumerate(offered(model)):
            st.button(
                escape(example),
                key=f"example-{i}",
                on_click=state.TEXT.set,
                args=(example,),
                type="primary" if example == shown else "secondary",
                wrap=True,
            )
    return shown


def sentence_line(model: str) -> str:
    """Draw the same in one line, the examples in a menu."""
    text = state.TEXT.get()
    shown = offered(model)[0] if text is None else text
    with st.container(horizontal=True, gap="small", wrap=False, key="sentence"):
        settings = {"placeholder": _("Type here"), "label_visibility": "collapsed"}
        live_text(_label(model), state.TEXT.widget(shown), **settings)
        key = "examples"
        st.menu_button(
            _("Examples"),
            offered(model),
            key=key,
            on_click=lambda: state.TEXT.set(st.session_state[key]),
        )
    return shown


def _label(model: str) -> str:
    return _("A sentence in {language}").format(language=language_name(pair(model)[0]))


def offer(texts: Iterable[str], key: str) -> None:
    """Draw sentences that may take the place of the one on the page, from inside of a fragment."""
    with st.container(horizontal=True, gap="small"):
        for i, text in enumerate(texts):
            if st.button(
                escape(text), key=f"{key}-{i}", on_click=state.TEXT.set, args=(text,), wrap=True
            ):
                st.rerun()  # the whole page: the sentence is another one
