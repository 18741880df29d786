"""The box for a sentence, with its language and examples to start from."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import streamlit as st

from app import state
from app.components.document import safe
from app.data.moments import examples_of
from app.data.translation import (
    Translation,
    is_strange,
    language_of,
    reading_of,
    sentences_of,
    target_tokens,
    translate,
)
from app.format import escape
from app.i18n import _, current, short_code
from app.texts.examples import EXAMPLES, examples, with_meaning
from app.ui.chosen import (
    capital,
    language_name,
    model_name,
    pair,
    reads,
    switch_back,
    switched,
)
from app.ui.pickers import live_text, pick_from_list

LONG: Final = 60  # characters of a translation that is written smaller
MAX_ON_CHIP: Final = 36  # characters


def offered(model: str) -> tuple[str, ...]:
    """Return example sentences for a model: its own, or those of its language, if there are any."""
    return examples_of(model) or examples(short_code(pair(model)[0]))


def first_sentence(model: str) -> str:
    """Return a model's first example; "" if there are no examples in its language."""
    return next(iter(offered(model)), "")


def sentence_line(model: str, first: str | None = None, title: str = "") -> str:
    """Draw the box with its language and the examples, and return the sentence that is looked into.

    `first` is the one in the box until another was typed, in place of the model's first example. A
    page's `title` stands in the same line. Of several that were typed, one is chosen. For a
    multilingual model, the token of the target language comes before it.
    """
    language = short_code(pair(model)[0])
    shown = typed(model, first)
    label = _("A sentence in {language}").format(language=language_name(language))
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="sentence"):
        if title:
            st.title(title, width="content")
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
    parts = sentences_of(shown)
    if len(parts) > 1:
        _pick_sentence(parts)
    one = chosen_of(parts) or shown
    _draw_switch()
    if language in EXAMPLES:
        _draw_foreign(model, one, language)
    _draw_reading(model, one)
    has_target = not into or not one.strip() or one.startswith(">>")
    return one if has_target else f"{into} {one}"


def typed(model: str, first: str | None = None) -> str:
    """Return the text in the box, or the first one: by default a model's first example."""
    text = state.TEXT.get()
    return (first or first_sentence(model)) if text is None else text


def chosen_of(parts: Sequence[str]) -> str:
    """Return the chosen one of a text's sentences; "" where there is none."""
    return parts[min(state.SENTENCE.get(), len(parts) - 1)] if parts else ""


def headline(translation: Translation) -> str:
    """Return the translation of all that was typed, or a dash where no model here can read it."""
    model, text = translation.model, typed(translation.model)
    found = language_of(text)
    known = found is not None and not is_strange(reads(found.language) or model, text)
    if pair(model)[0] in EXAMPLES and not known:
        return "–"
    parts = sentences_of(text)
    if len(parts) < 2:
        return translation.output
    chosen = chosen_of(parts)
    others = {part: translate(model, part, translation.decoding) for part in {*parts} - {chosen}}
    return " ".join((others | {chosen: translation})[part].output for part in parts)


def _pick_sentence(parts: Sequence[str]) -> None:
    """Draw a chip for each sentence of a text."""
    at = min(state.SENTENCE.get(), len(parts) - 1)
    st.segmented_control(
        _("Sentence to look into"),
        range(len(parts)),
        required=True,
        key=state.SENTENCE.widget(at),
        format_func=lambda i: escape(shortened(parts[i])),
        label_visibility="collapsed",
        help=_("Each sentence is translated by itself; this one is shown below."),
    )


def shortened(text: str) -> str:
    return text if len(text) <= MAX_ON_CHIP else f"{text[: MAX_ON_CHIP - 1].rstrip()}…"


def _draw_switch() -> None:
    """Say in one line that the sentence's language chose the model, with a way back."""
    if (change := switched()) is None:
        return
    says = _("Read as {language}: {model}.").format(
        language=language_name(change.language), model=model_name(change.to)
    )
    label = _("Keep {model}").format(model=model_name(change.model))
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="switched"):
        st.markdown(f":small[:material/translate: {escape(says)}]", width="content")
        icon = ":material/undo:"
        st.button(
            f":small[{escape(label)}]",
            "switch-back",
            on_click=switch_back,
            type="tertiary",
            icon=icon,
        )


def _draw_reading(model: str, text: str) -> None:
    """Say in one short line what of a text was changed or left out before the model read it."""
    reading = reading_of(model, text)
    if reading is None:
        return
    told = []
    if reading.text and reading.text != " ".join(text.split()):
        told.append(_("Read as: {text}").format(text=reading.text))
    if reading.left_out:
        signs = ", ".join(f"“{sign}”" for sign in reading.left_out)
        told.append(_("Left out, as this model has no such signs: {signs}").format(signs=signs))
    if told:
        st.caption(escape(" · ".join(told)))


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

    Another model reads it, if there is one; else there is an example to try.
    """
    found = language_of(text)
    if found is None:
        return
    other = reads(found.language)
    if is_strange(other or model, text):
        other, says = None, _("No model here reads this; this one reads {language}.")
    elif found.is_plainly_not(language):
        says = _("This looks like {found}, but this model reads {language}.")
    else:
        return
    warned = says.format(found=language_name(found.language), language=language_name(language))
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="foreign"):
        st.markdown(f":small[:orange[:material/translate: {warned}]]", width="content")
        if other is not None:
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
