"""Where a sentence is typed, and the examples to start from."""

from collections.abc import Iterable

import streamlit as st

from app import state
from app.data.moments import examples_of
from app.data.translation import target_tokens
from app.format import escape
from app.i18n import _, current, short_code
from app.texts.examples import examples
from app.ui.chosen import capital, language_name, pair
from app.ui.pickers import live_text, pick_from_list


def offered(model: str) -> tuple[str, ...]:
    """Return sentences to try a model on: its own, or those of its language, if there are any."""
    return examples_of(model) or examples(short_code(pair(model)[0]))


def first_sentence(model: str) -> str:
    """Return the sentence that a model begins with; "" in a language that the examples lack."""
    return next(iter(offered(model)), "")


def sentence(model: str) -> str:
    """Draw the box and the examples and return the sentence, as it was typed.

    What a model of several targets is told goes before it.
    """
    text = state.TEXT.get()
    shown = first_sentence(model) if text is None else text
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        live_text(_label(model), state.TEXT.widget(shown), placeholder=_("Type here"))
        into = _pick_target(model)
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
    return _told(into, shown)


def sentence_line(model: str) -> str:
    """Draw the same in one line, the examples in a menu."""
    text = state.TEXT.get()
    shown = first_sentence(model) if text is None else text
    with st.container(horizontal=True, gap="small", wrap=False, key="sentence"):
        settings = {"placeholder": _("Type here"), "label_visibility": "collapsed"}
        live_text(_label(model), state.TEXT.widget(shown), **settings)
        into = _pick_target(model, label_visibility="collapsed")
        key = "examples"
        st.menu_button(
            _("Examples"),
            offered(model),
            key=key,
            on_click=lambda: state.TEXT.set(st.session_state[key]),
        )
    return _told(into, shown)


def _label(model: str) -> str:
    return _("A sentence in {language}").format(language=language_name(pair(model)[0]))


def _pick_target(model: str, **settings: str) -> str:
    """Draw the languages that a model can be told to translate into; return what tells it."""
    tokens = target_tokens(model)
    if not tokens:
        return ""
    titles = {token: capital(language_name(token[2:-2])) for token in tokens}
    titles = dict(sorted(titles.items(), key=lambda one: one[1]))
    chosen = state.INTO.get()
    if chosen not in titles:
        chosen = _likely(tuple(titles))
    pick_from_list(state.INTO, _("Into"), titles, value=chosen, width=180, **settings)
    return chosen


def _likely(tokens: tuple[str, ...]) -> str:
    """Return the reader's own language, if it is among them, or else the first."""
    return next((one for one in tokens if short_code(one[2:-2]) == current()), tokens[0])


def _told(into: str, text: str) -> str:
    """Return a sentence as the model reads it; one that says itself where it goes stays so."""
    return f"{into} {text}" if into and text.strip() and not text.startswith(">>") else text


def offer(texts: Iterable[str], key: str) -> None:
    """Draw sentences that may take the place of the one on the page, from inside of a fragment."""
    with st.container(horizontal=True, gap="small"):
        for i, text in enumerate(texts):
            if st.button(
                escape(text), key=f"{key}-{i}", on_click=state.TEXT.set, args=(text,), wrap=True
            ):
                st.rerun()  # the whole page: the sentence is another one
