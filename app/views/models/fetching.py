"""Importing a translator by its name: looked up, fetched in the background, and imported."""

from typing import Final

import streamlit as st

from app.data.errors import worded
from app.data.translation import OF_IMPORT
from app.format import escape, number
from app.i18n import _
from app.page.model_buttons import OUTCOME
from app.ui.buttons import Act, attempt, button, draw_refusal
from app.ui.chosen import capital, language_name
from app.ui.live_part import live_part
from app.ui.pickers import live_text
from app.views.models import data
from app.views.models.card import SHOWN

# From English, to English, and between others; the last one takes a word for its target language.
EXAMPLES: Final = (
    *("en-de", "de-en", "en-fr", "en-es", "es-en", "en-it", "en-ru", "ru-en", "en-zh", "zh-en"),
    *("en-ar", "nl-en", "fr-de", "es-fr", "en-ROMANCE"),
)
NAME: Final = "fetch-name"  # in the session: what is typed
OWNER: Final = "Helsinki-NLP/opus-mt-"
SECONDS: Final = 1.0  # between two updates while fetching
OFFER: Final = "models offer"  # in the session: what the hub has of the model that was looked up
MEGABYTE: Final = 1e6


def draw_fetch() -> None:
    """Draw the field that fetches a translator by its name, if the visitor may fetch any."""
    patterns = data.allowed_names()
    if not patterns:
        return
    st.header(_("Fetch a translator"))
    says = _(
        "Hundreds of translators between two languages are on Hugging Face, most of them by the "
        "project OPUS-MT. Choose one, or type the name of any other Marian model: it is asked for "
        "only when you say so, and nothing else on these pages needs a network."
    )
    st.markdown(says)
    if patterns != ("*",):
        text = _("Here you can fetch: {patterns}.")
        st.caption(text.format(patterns=escape(", ".join(patterns))))
    live_part(
        _draw,
        run_every=SECONDS if data.is_fetching() else None,
        shared=data.is_fetching,
    )


def _draw() -> None:
    draw_refusal("fetch")
    known = data.fetching()
    if known is None:
        _draw_question()
    elif known.status.state in data.ALIVE:
        _draw_progress(known)
    elif known.status.state == "finished":
        _show_model(known)
    else:
        _draw_rest(known)


def _draw_question() -> None:
    """Ask for a name, and say what the hub has under it."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        tip = _(
            "The maker and the model, as in its address: `Helsinki-NLP/opus-mt-de-en` "
            "translates German into English."
        )
        name = live_text(_("Name on Hugging Face"), NAME, placeholder=f"{OWNER}de-en", help=tip)
        st.menu_button(
            _("Examples"),
            [f"{OWNER}{pair}" for pair in EXAMPLES],
            key="fetch-example",
            on_click=lambda: st.session_state.update({NAME: st.session_state["fetch-example"]}),
        )
        help_ = _("Asks the hub for its size, licence and languages; nothing is fetched.")
        if button(_("Look it up"), "look-up", "search", help=help_):
            _try(_look_up, name)
    offer: data.HubOffer | None = st.session_state.get(OFFER)
    if offer is not None:
        _draw_offer(offer)


def _look_up(name: str) -> None:
    st.session_state.pop(OFFER, None)
    st.session_state[OFFER] = data.look_up(name)


def _draw_offer(offer: data.HubOffer) -> None:
    facts = {
        _("Languages"): _languages(offer),
        _("Licence"): offer.licence or "–",
        _("Commit"): offer.commit[:8],
    }
    said = [f"**{escape(offer.repository)}**"]
    said += [f"{name} **{escape(value)}**" for name, value in facts.items()]
    text = _("The version that is fetched, and kept with the model: commit {commit}.")
    st.markdown(" · ".join(said), help=text.format(commit=offer.commit))
    label = _("Fetch {size} MB").format(size=_megabytes(offer.size))
    help_ = _("In the background; it can be stopped, and goes on from where it was.")
    if button(label, "fetch", "download", type="primary", help=help_):
        _try(data.fetch, offer)


def _languages(offer: data.HubOffer) -> str:
    """Return a model's languages, from which to which, if its name says so."""
    if offer.direction is not None:
        source, target = map(language_name, offer.direction)
        return f"{capital(source)} → {target}"
    return ", ".join(map(language_name, offer.languages)) or "–"


def _draw_progress(known: data.Fetching) -> None:
    size, left = known.offer.size, known.status.seconds_left
    values = _values(known)
    if known.status.state == "queued":
        text = _("{name} waits for another model to finish.").format(**values)
    elif known.there >= size:
        text = _("{name} is here, and is being checked and imported.").format(**values)
    elif not left:
        text = _("{name}: {there} of {size} MB").format(**values)
    else:
        rate = number((size - known.status.step) / left / MEGABYTE, 1)
        says = _("{name}: {there} of {size} MB, {rate} MB/s, {left} s left")
        text = says.format(rate=rate, left=number(left, 0), **values)
    st.progress(min(1.0, known.there / max(1, size)), text=text)
    help_ = _("What has been fetched is kept; you can go on later.")
    button(_("Stop"), "fetch-stop", "stop", data.stop_fetching, help=help_)


def _draw_rest(known: data.Fetching) -> None:
    """Say why the model is not here yet, and offer to resume or discard the fetch."""
    values = _values(known)
    if known.status.error:
        st.error(f"{values['name']}: {escape(worded(known.status.error))}")
    elif known.status.state == "stopped":
        st.info(
            _("{name} was stopped at {there} of {size} MB; that part is kept.").format(**values)
        )
    else:
        text = _("Fetching {name} was interrupted at {there} of {size} MB; that part is kept.")
        st.warning(text.format(**values))
    with st.container(horizontal=True, gap="small"):
        if button(_("Go on"), "fetch-on", "play_arrow", type="primary"):
            _try(data.fetch, known.offer)
        help_ = _("Deletes what has been fetched.")
        if button(_("Discard"), "fetch-discard", "delete", help=help_):
            _try(data.discard_fetched)


def _show_model(known: data.Fetching) -> None:
    """Show the card of the model that has arrived."""
    data.discard_fetched()
    st.session_state.pop(OFFER, None)
    SHOWN.set(OF_IMPORT + known.name)
    text = _("“{name}” is here, and every page can use it.").format(name=escape(known.name))
    st.session_state[OUTCOME] = ("fetched", text, True)
    st.rerun()


def _try(act: Act, *args: object) -> None:
    """Do what was clicked, and rerun, with the reason if it was refused."""
    attempt("fetch", act, *args)
    st.rerun()


def _values(known: data.Fetching) -> dict[str, str]:
    sizes = {"there": _megabytes(known.there), "size": _megabytes(known.offer.size)}
    return {"name": escape(known.offer.repository), **sizes}


def _megabytes(size: int) -> str:
    return number(size / MEGABYTE, 0 if size > 10 * MEGABYTE else 1)
