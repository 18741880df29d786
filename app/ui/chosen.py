"""The visitor's model and decoding, and the names of models and languages."""

from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from app import i18n, state
from app.data.moments import OF_RUN, languages_of
from app.data.translation import (
    OF_IMPORT,
    Arch,
    Decoding,
    ModelInfo,
    ModelUnavailableError,
    imported_languages,
    is_strange,
    language_of,
    model_info,
    model_names,
    sentences_of,
)
from app.format import number
from app.i18n import N_, _, language_called

MOMENTS = {
    "untrained": N_("untrained"),
    "early": N_("early in training"),
    "middle": N_("halfway"),
    "late": N_("small, trained"),
}
# Shown beside a model's languages; a Transformer, the usual case, is not named.
ARCH_NAMES: dict[Arch, str] = {"rnn": "RNN", "rnnsearch": "RNNsearch"}
METHOD_NAMES = {"greedy": N_("Greedy"), "beam": N_("Beam"), "sample": N_("Sampling")}
USUAL: Final = "es-en"  # the model if the address names none
OF_LANGUAGE: Final = "model-of-language"
FOLLOWED: Final = "followed-text"
SWITCHED: Final = "switched-model"


@dataclass(frozen=True)
class Switched:
    """A sentence's language chose the model `to` in the place of `model`."""

    model: str
    to: str
    language: str
    undone: bool = False


def model() -> str | None:
    """Return the chosen model, or else a default; None if there are no models."""
    names = model_names()
    wanted = state.MODEL.get(), st.session_state.get(OF_LANGUAGE), USUAL
    return next((name for name in wanted if name in names), next(iter(names), None))


def info_of(name: str | None) -> ModelInfo | None:
    """Return a model's size and settings; None for one that is missing or cannot be used."""
    try:
        return None if name is None else model_info(name)
    except ModelUnavailableError:
        return None


def follow_language() -> None:
    """Let the language of the interface choose the model until the visitor has a sentence.

    In English, the first one writes English, so that everybody can judge what it writes.
    From then on the address names the model, so that opening it in another language shows the same.
    """
    if state.MODEL.get():
        return
    if state.TEXT.get() is None and not state.CHANGES.get():
        own = i18n.current()
        st.session_state[OF_LANGUAGE] = None if own == "en" else reads(own)
    elif (name := st.session_state.pop(OF_LANGUAGE, None)) not in (None, USUAL):
        state.MODEL.set(name)


def follow_text() -> None:
    """Let a typed sentence choose the model that reads its language, where that is plain.

    The model that a link names stays, and so does one that the visitor went back to.
    """
    text, before = state.TEXT.get(), st.session_state.get(FOLLOWED)
    st.session_state[FOLLOWED] = text
    current, found = model(), language_of(text or "")
    if text is None or text == before or current is None:
        return
    if before is not None and sentences_of(text)[:1] != sentences_of(before)[:1]:
        state.SENTENCE.set(0)
    by_link = before is None and state.MODEL.get() == current
    last: Switched | None = st.session_state.get(SWITCHED)
    if found is None or "/" in current or by_link or not found.is_plainly_not(pair(current)[0]):
        return
    if last is not None and last.undone and last.language == found.language:
        return
    other = reads(found.language)
    if other is not None and not is_strange(other, text):
        st.session_state[SWITCHED] = Switched(current, other, found.language)
        state.MODEL.set(other)


def switched() -> Switched | None:
    """Return how the sentence on the page chose its model, if it did and still has it."""
    found: Switched | None = st.session_state.get(SWITCHED)
    return found if found is not None and not found.undone and found.to == model() else None


def switch_back() -> None:
    """Take the model from before, for all that follows in this language."""
    found: Switched = st.session_state[SWITCHED]
    st.session_state[SWITCHED] = replace(found, undone=True)
    state.MODEL.set(found.model)


def reads(language: str) -> str | None:
    """Return the project's own translator from a language; None if there is none."""
    names = (name for name in model_names() if "/" not in name)
    return next((name for name in names if pair(name)[0] == language), None)


def pair(name: str) -> tuple[str, str]:
    """Return the two languages of a model, given its name: "snapshots/es-en-early" -> ("es", "en").

    For a model trained here, its plan names them, with "" for symbols; for an imported model, its
    files do.
    """
    if name.startswith(OF_RUN):
        return languages_of(name)
    if name.startswith(OF_IMPORT):
        return imported_languages(name)
    source, target, *_moment = [*name.rpartition("/")[2].split("-"), ""]
    return source, target


def language_name(code: str) -> str:
    """Return the name of a language; an unknown code is its own name."""
    if not code:
        return _("symbols")
    return language_called(code) or code


def capital(text: str) -> str:
    """Capitalize a text at the start of a line: Spanish and French write languages in lowercase."""
    return text[:1].upper() + text[1:]


def model_name(name: str) -> str:
    """Return a model's display name: its languages and, for a snapshot, its moment in training."""
    if name.startswith(OF_RUN):
        return _("{name}, trained here").format(name=name.removeprefix(OF_RUN))
    if name.startswith(OF_IMPORT):
        return _("{name}, imported").format(name=name.removeprefix(OF_IMPORT))
    source, target = pair(name)
    if not target:
        return name
    languages = f"{capital(language_name(source))} → {language_name(target)}"
    if recurrent := next((ARCH_NAMES[a] for a in ARCH_NAMES if name.startswith(f"{a}/")), None):
        return f"{languages} ({recurrent})"
    moment = name.rpartition(f"{source}-{target}-")[2] if name.startswith("snapshots/") else ""
    return f"{languages} ({_(MOMENTS.get(moment, moment))})" if moment else languages


def model_line(info: ModelInfo) -> str:
    """Return a model's size and score in one line."""
    millions = number(info.parameters / 1e6, 1)
    if info.config.arch == "transformer":
        text = _("{millions} M parameters, {encoder} + {decoder} layers, {heads} heads").format(
            millions=millions,
            encoder=info.config.n_encoder_layers,
            decoder=info.config.n_decoder_layers,
            heads=info.config.n_heads,
        )
    else:
        text = _("{architecture}, {millions} M parameters").format(
            architecture=ARCH_NAMES[info.config.arch], millions=millions
        )
    return text if info.bleu is None else f"{text}, BLEU {number(info.bleu, 1)}"


def decoding(settings: state.Settings | None = None) -> Decoding:
    """Return the decoding method that is chosen on the page or in `settings`.

    The parameters of the other methods keep their defaults.
    """
    method = state.METHOD.get(settings)
    if method == "greedy":
        return Decoding("greedy")
    if method == "beam":
        return Decoding("beam", beam=state.BEAM.get(settings))
    return Decoding(
        "sample",
        temperature=state.TEMPERATURE.get(settings),
        top_k=state.TOP_K.get(settings),
        top_p=state.TOP_P.get(settings),
        seed=state.SEED.get(settings),
    )


def way_name(way: Decoding) -> str:
    """Return the display name of a decoding method, with its settings."""
    name = _(METHOD_NAMES[way.method])
    if way.method == "greedy":
        return name
    if way.method == "beam":
        return f"{name} {way.beam}"
    shaped = {"temperature": number(way.temperature, 1), "p": number(way.top_p, 2)}
    text = _("{name}, temperature {temperature}, top-k {k}, top-p {p}, seed {seed}")
    return text.format(name=name, k=way.top_k, seed=way.seed, **shaped)
