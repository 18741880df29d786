"""Where a sentence is typed, in which language, and the examples to start from."""

from collections.abc import Iterable

import streamlit as st

from app import state
from app.data.moments import examples_of
from app.data.translation import mostly_unknown
from app.format import escape
from app.i18n import _
from app.texts.examples import EXAMPLES, examples, looks_english, with_meaning
from app.ui.chosen import capital, language_name, model_name, pair, reads
from app.ui.pickers import live_text


def offered(model: str) -> tuple[str, ...]:
    """Return sentences to try a model on: its own, or those of its language."""
    return examples_of(model) or examples(pair(model)[0])


def sentence_line(model: str) -> str:
    """Draw the box with its language and the examples, and return the sentence as it was typed."""
    text, language = state.TEXT.get(), pair(model)[0]
    shown = offered(model)[0] if text is None else text
    label = _("A sentence in {language}").format(language=language_name(language))
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="sentence"):
        st.markdown(f":small[**{escape(capital(language_name(language)))}**]", width="content")
        settings = {"placeholder": _("Type here"), "label_visibility": "collapsed"}
        live_text(label, state.TEXT.widget(shown), **settings)
        key = "examples"
        st.menu_button(
            _("Examples"),
            offered(model),
            key=key,
            format_func=with_meaning,
            on_click=lambda: state.TEXT.set(st.session_state[key]),
        )
    if language in EXAMPLES:
        _draw_foreign(model, shown, language)
    return shown


def _draw_foreign(model: str, text: str, language: str) -> None:
    """If a sentence is not in the model's language, say so and offer one that is."""
    english = language != "en" and looks_english(text)
    if not english and not mostly_unknown(model, text):
        return
    says = _("This looks like English, but this model reads {language}. Choose an example:")
    if not english:
        says = _("This model reads {language}, and knows little of this. Choose an example:")
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="foreign"):
        warned = says.format(language=language_name(language))
        st.markdown(f":small[:orange[:material/translate: {warned}]]", width="content")
        example = offered(model)[0]
        label, act = f":small[{escape(with_meaning(example))}]", state.TEXT.set
        st.button(label, "foreign-example", on_click=act, args=(example,), type="tertiary")
        if english and (other := reads("en")) is not None:
            label = _("Open {model}").format(model=escape(model_name(other)))
            st.button(label, "foreign-model", on_click=state.MODEL.set, args=(other,))


def offer(texts: Iterable[str], key: str) -> None:
    """Draw sentences that may take the place of the one on the page, from inside of a fragment."""
    with st.container(horizontal=True, gap="small"):
        for i, text in enumerate(texts):
            if st.button(
                escape(text), key=f"{key}-{i}", on_click=state.TEXT.set, args=(text,), wrap=True
            ):
                st.rerun()  # the whole page: the sentence is another one
