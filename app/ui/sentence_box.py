"""The box for a sentence, with its language and examples to start from."""

from collections.abc import Callable, Iterable
from typing import Final

import streamlit as st

from app import state
from app.components.document import safe
from app.data.moments import examples_of
from app.data.translation import mostly_unknown, target_tokens
from app.format import escape
from app.i18n import _, current, short_code
from app.texts.examples import EXAMPLES, TOLD_APART, examples, looks_english, with_meaning
from app.ui.chosen import capital, language_name, model_name, pair, reads
from app.ui.pickers import live_text, pick_from_list

LONG: Final = 60  # characters of a translation that is written smaller


def offered(model: str) -> tuple[str, ...]:
    """Return example sentences for a model: its own, or those of its language, if there are any."""
    return examples_of(model) or examples(short_code(pair(model)[0]))


def first_sentence(model: str) -> str:
    """Return a model's first example; "" if there are no examples in its language."""
    return next(iter(offered(model)), "")


def sentence_line(model: str) -> str:
    """Draw the box with its language and the examples, and return the sentence as it was typed.

    For a multilingual model, the token of the target language comes before it.
    """
    text, language = state.TEXT.get(), short_code(pair(model)[0])
    shown = first_sentence(model) if text is None else text
    label = _("A sentence in {language}").format(language=language_name(language))
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="sentence"):
        name = f"<strong>{safe(capital(language_name(language)))}</strong>"
        st.html(f'<small data-reads="{safe(language)}">{name}</small>', width="content")
        settings = {"placeholder": _("Type here"), "label_visibility": "collapsed"}
        live_text(label, state.TEXT.widget(shown), **settings)
        into = _pick_target(model, label_visibility="collapsed")
        if texts := offered(model):
            st.menu_button(
                _("Examples"),
                texts,
                key="examples",
                format_func=with_meaning,
                on_click=lambda: state.TEXT.set(st.session_state["examples"]),
            )
    if language in EXAMPLES:
        _draw_foreign(model, shown, language)
    has_target = not into or not shown.strip() or shown.startswith(">>")
    return shown if has_target else f"{into} {shown}"


def draw_output(model: str, output: str) -> None:
    """Draw the text of a model's translation, which no browser is to translate further."""
    language, size = short_code(pair(model)[1]), "1.1rem" if len(output) > LONG else "1.5rem"
    # Text that a visitor typed never goes through Markdown.
    st.html(
        f'<p lang="{safe(language)}" translate="no" data-testid="translation" '
        f'style="font-size:{size};line-height:1.3;font-weight:600;margin:0;overflow-wrap:anywhere">'
        f"{safe(output) or '∅'}</p>"
    )


def _draw_foreign(model: str, text: str, language: str) -> None:
    """If a sentence is not in the model's language, say so in one line, and what to do.

    English is read by another model, if there is one; else there is an example to try.
    """
    english = language in TOLD_APART and looks_english(text)
    if not english and not mostly_unknown(model, text):
        return
    says = _("This looks like English, but this model reads {language}.")
    if not english:
        says = _("This model reads {language}, and knows little of this.")
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="foreign"):
        warned = says.format(language=language_name(language))
        st.markdown(f":small[:orange[:material/translate: {warned}]]", width="content")
        if english and (other := reads("en")) is not None:
            _way(_("Open {model}").format(model=model_name(other)), state.MODEL.set, other)
        else:
            example = first_sentence(model)
            _way(_("Try: {example}").format(example=with_meaning(example)), state.TEXT.set, example)


def _way(label: str, act: Callable[[str], None], value: str) -> None:
    """Draw a button that chooses another sentence or model."""
    label, icon = f":small[{escape(label)}]", ":material/arrow_forward:"
    st.button(label, "foreign-way", on_click=act, args=(value,), type="tertiary", icon=icon)


def _pick_target(model: str, **settings: str) -> str:
    """Draw the target languages that a model offers; return the token of the chosen one."""
    tokens = target_tokens(model)
    if not tokens:
        return ""
    titles = {token: capital(language_name(token[2:-2])) for token in tokens}
    titles = dict(sorted(titles.items(), key=lambda one: one[1]))
    chosen = state.INTO.get()
    if chosen not in titles:  # the visitor's own language, if it is there
        own = (one for one in titles if short_code(one[2:-2]) == current())
        chosen = next(own, next(iter(titles)))
    pick_from_list(state.INTO, _("Into"), titles, value=chosen, width=180, **settings)
    return chosen


def offer(texts: Iterable[str], key: str) -> None:
    """Draw sentences that can replace the one on the page, from inside a fragment."""
    with st.container(horizontal=True, gap="small"):
        for i, text in enumerate(texts):
            if st.button(
                escape(text), key=f"{key}-{i}", on_click=state.TEXT.set, args=(text,), wrap=True
            ):
                st.rerun()  # the whole page, as the sentence has changed
