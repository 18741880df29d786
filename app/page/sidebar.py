"""The sidebar: which model, how it decodes, and the language of the interface."""

from collections.abc import Callable

import streamlit as st

from app import state
from app.data.moments import OF_RUN, examples_of, languages_of
from app.data.translation import (
    Arch,
    Decoding,
    ModelInfo,
    ModelUnavailableError,
    model_info,
    model_names,
)
from app.i18n import LANGUAGES, N_, _
from app.texts.attention import METHODS
from app.texts.examples import EXAMPLES

LANGUAGE_NAMES = {"es": N_("Spanish"), "en": N_("English"), "fr": N_("French")}
MOMENTS = {
    "untrained": N_("untrained"),
    "early": N_("early in training"),
    "middle": N_("halfway"),
    "late": N_("small, trained"),
}
# Said beside a model's languages; a Transformer is the rule.
ARCH_NAMES: dict[Arch, str] = {"rnn": "RNN", "rnnsearch": "RNNsearch"}
METHOD_NAMES = {"greedy": N_("Greedy"), "beam": N_("Beam"), "sample": N_("Sampling")}


def draw(own: Callable[[], None]) -> None:
    """Draw the sidebar around what a page has there; what is chosen is read from app.state."""
    with st.sidebar:
        st.markdown("##### 💡 Illuminated Transformer")
        own()
        st.divider()
        _language()


def choices() -> None:
    """Draw which model translates, and how it decodes."""
    _model()
    ways()


def model() -> str | None:
    """Return the chosen model, the first one by default, or None if there are none."""
    names = model_names()
    chosen = state.MODEL.get()
    return chosen if chosen in names else next(iter(names), None)


def pair(name: str) -> tuple[str, str]:
    """Return the two languages of a model, by its name: "snapshots/es-en-early" -> ("es", "en").

    Those of one that was trained here are its plan's, "" for symbols.
    """
    if name.startswith(OF_RUN):
        return languages_of(name)
    source, target, *_moment = [*name.rpartition("/")[2].split("-"), ""]
    return source, target


def language_name(code: str) -> str:
    """Return what a language is called; a code that is none is its own name."""
    if not code:
        return _("symbols")
    return _(LANGUAGE_NAMES[code]) if code in LANGUAGE_NAMES else code


def capital(text: str) -> str:
    """Return a text that begins a line: languages have no capital in Spanish and French."""
    return text[:1].upper() + text[1:]


def decoding() -> Decoding:
    """Return the chosen way of decoding; settings of the other ways stay at their defaults."""
    method = state.METHOD.get()
    if method == "greedy":
        return Decoding("greedy")
    if method == "beam":
        return Decoding("beam", beam=state.BEAM.get())
    return Decoding(
        "sample",
        temperature=state.TEMPERATURE.get(),
        top_k=state.TOP_K.get(),
        top_p=state.TOP_P.get(),
        seed=state.SEED.get(),
    )


def _model() -> None:
    names, chosen = model_names(), model()
    if chosen is None:
        return
    st.selectbox(
        _("Model"),
        names,
        format_func=model_name,
        key=state.MODEL.widget(chosen),
        on_change=_model_changed,
    )
    try:
        st.caption(_facts(model_info(chosen)))
    except ModelUnavailableError:
        return  # the page says it, where it is looked for


def _model_changed() -> None:
    """Keep what was typed; an example makes room for one in the new language."""
    state.collect()
    trained = [examples_of(name) for name in model_names() if name.startswith(OF_RUN)]
    if any(state.TEXT.get() in some for some in (*EXAMPLES.values(), *trained)):
        state.TEXT.set(None)


def model_name(name: str) -> str:
    """Return what a model is called: its languages, and the moment of training of a snapshot."""
    if name.startswith(OF_RUN):
        return _("{name}, trained here").format(name=name.removeprefix(OF_RUN))
    source, target = pair(name)
    if not target:
        return name
    languages = f"{capital(language_name(source))} → {language_name(target)}"
    if recurrent := next((ARCH_NAMES[a] for a in ARCH_NAMES if name.startswith(f"{a}/")), None):
        return f"{languages} ({recurrent})"
    moment = name.rpartition(f"{source}-{target}-")[2] if name.startswith("snapshots/") else ""
    return f"{languages} ({_(MOMENTS.get(moment, moment))})" if moment else languages


def _facts(info: ModelInfo) -> str:
    millions = f"{info.parameters / 1e6:.1f}"
    if info.arch == "transformer":
        facts = _("{millions} M parameters, {encoder} + {decoder} layers, {heads} heads").format(
            millions=millions,
            encoder=info.encoder_layers,
            decoder=info.decoder_layers,
            heads=info.heads,
        )
    else:
        facts = _("{architecture}, {millions} M parameters").format(
            architecture=ARCH_NAMES[info.arch], millions=millions
        )
    return facts if info.bleu is None else f"{facts}, BLEU {info.bleu:.1f}"


def ways() -> None:
    """Draw how a model decodes."""
    st.segmented_control(
        _("Decoding"),
        list(METHOD_NAMES),
        format_func=lambda method: _(METHOD_NAMES[method]),
        required=True,
        key=state.METHOD.widget(),
        width="stretch",
    )
    method = state.METHOD.get()
    st.caption(_(METHODS[method]))
    if method == "beam":
        st.slider(_("Hypotheses kept"), 2, 10, key=state.BEAM.widget())
    if method == "sample":
        _sampling()


def _sampling() -> None:
    for draw_setting in SETTINGS:
        draw_setting()
    st.number_input(
        _("Seed"), 0, 2**31 - 1,
        key=state.SEED.widget(),
        help=_("The same seed draws the same translation."),
    )  # fmt: skip


def _temperature() -> None:
    st.slider(
        _("Temperature"), 0.1, 2.0, step=0.1,
        key=state.TEMPERATURE.widget(),
        help=_("Below 1 the likely tokens get likelier, above 1 all get more alike."),
    )  # fmt: skip


def _top_k() -> None:
    st.slider(
        "Top-k", 0, 100,
        key=state.TOP_K.widget(),
        help=_("Draw from the k likeliest tokens only; 0 means all."),
    )  # fmt: skip


def _top_p() -> None:
    st.slider(
        "Top-p", 0.05, 1.0, step=0.05,
        key=state.TOP_P.widget(),
        help=_("Draw from the likeliest tokens that together reach p; 1 means all."),
    )  # fmt: skip


# The sliders that shape what a token is drawn from.
SETTINGS = (_temperature, _top_k, _top_p)


def _language() -> None:
    st.selectbox(
        _("Language of this page"),
        list(LANGUAGES),
        format_func=LANGUAGES.__getitem__,
        key=state.LANGUAGE.widget(state.language()),
    )
