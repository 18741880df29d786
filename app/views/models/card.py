"""What is known about the models, and what can be done with each: use, rename, download, delete."""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, BinaryIO, Final

import streamlit as st

from app import state
from app.components.board import array_grid, board
from app.data.moments import OF_RUN
from app.data.translation import OF_IMPORT
from app.data.visitors import may_keep
from app.format import escape, number, short
from app.i18n import N_, _
from app.page.model_buttons import do, draw_atlas_link, draw_button, draw_outcome, draw_use
from app.state import Param
from app.ui.buttons import button
from app.ui.chosen import ARCH_NAMES, language_name, model_name, pair
from app.ui.error_box import error_box
from app.ui.pickers import uploader
from app.ui.sentence_box import draw_output, first_sentence
from app.ui.serving import draw_serving
from app.ui.table import Columns, fold, table
from app.views.models import data

KINDS: Final = {"shipped": N_("shipped"), "trained": N_("trained here"), "imported": N_("imported")}
NO_CARD: Final = N_("There is no description yet.")

MEGABYTE = 1e6
MILLION = 1e6
HEAD = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)  # a card's metadata for machines
SHOWN: Final = Param[str]("shown", "", str)
UPLOADED: Final = "models file"  # in the session: the file that was loaded last
UNDO: Final = "models deleted"  # in the session: the model that was deleted last
MEGABYTES: Final = 400  # a zip of OPUS-MT has 290; server.maxUploadSize is the same


def draw_list(cards: Sequence[data.Card]) -> None:
    """Draw all models as a table, without the details that only their cards show."""
    rows = [facts_of(card) for card in cards]
    aside = {_("Kind"), _("Heads × d_k"), "d_model", _("Vocabulary")}
    columns: Columns = {name: [row[name] for row in rows] for name in rows[0] if name not in aside}
    table(columns, "models")


def facts_of(card: data.Card) -> dict[str, str]:
    """Return what is known about a model, by label."""
    config = card.config
    if config.arch == "transformer":
        arch, layers = "Transformer", f"{config.n_encoder_layers} + {config.n_decoder_layers}"
        heads = f"{config.n_heads} × {config.d_k}"
    else:
        arch, layers, heads = ARCH_NAMES[config.arch], "1 + 1", "–"
    languages = " → ".join(language_name(code) for code in pair(card.name) if code)
    return {
        _("Model"): model_name(card.name),
        _("From"): _(KINDS[card.kind]),
        _("Languages"): languages or "–",
        _("Kind"): arch,
        _("Parameters, M"): number(card.parameters / MILLION, 1),
        _("Layers"): layers,
        _("Heads × d_k"): heads,
        "d_model": str(config.d_model),
        _("Vocabulary"): short(config.vocab_size, 7),
        "BLEU": "–" if card.bleu is None else number(card.bleu, 1),
        "chrF": "–" if card.chrf is None else number(card.chrf, 1),
        _("Licence"): card.licence or "–",
        _("On the disk, MB"): number(card.disk_bytes / MEGABYTE, 1),
    }


def draw_facts(card: data.Card) -> None:
    """Draw a model's shape, what opening it takes, and its own description."""
    facts = facts_of(card)
    shape = (_("Kind"), _("Layers"), _("Heads × d_k"), "d_model", _("Vocabulary"))
    st.markdown(" · ".join(f"{name} **{facts[name]}**" for name in shape))
    memory, seconds = number(card.memory_bytes / MEGABYTE, 0), number(card.seconds, 1)
    text = _(
        "Opening it here takes an estimated {memory} MB of memory and {seconds} s; on a busy "
        "machine it takes longer."
    )
    st.caption(text.format(memory=memory, seconds=seconds))
    fold(_("About this model"), f"card-{card.name}", "description", lambda: _draw_card(card))


def _draw_card(card: data.Card) -> None:
    """Draw a description: the project's as Markdown, others as plain text that can be edited."""
    text = data.readme_of(card.name)
    if card.kind == "shipped":
        st.markdown(HEAD.sub("", text) or _(NO_CARD))
        return
    if not data.can_change(card.name):
        st.text(text or _(NO_CARD))
        return
    label, tip = _("Description"), _("What others should know of it; it goes into its zip.")
    written = st.text_area(
        label, text, key=f"about-{card.name}", height=200, max_chars=data.LONGEST_CARD, help=tip
    )
    if button(_("Save the description"), "describe", "save"):
        data.describe(card.name, written[: data.LONGEST_CARD])
        st.rerun()


def draw_comparison(card: data.Card, there: Mapping[str, data.Card]) -> None:
    """Draw two models side by side."""
    others = [name for name in there if name != card.name]
    if not others:
        st.caption(_("There is no other model yet."))
        return
    left, right = st.columns(2)
    sentence = first_sentence(card.name)
    help_ = _("Both models translate it with greedy decoding.")
    text = left.text_input(_("Sentence"), sentence, key=f"versus-{card.name}", help=help_)
    other = right.selectbox(
        _("Second model"),
        others,
        format_func=model_name,
        key="versus-other",
        help=_("Any model of the list."),
    )
    first, second = facts_of(card), facts_of(there[other])
    columns: Columns = {
        _("about"): list(first),
        _("first"): list(first.values()),
        _("second"): list(second.values()),
    }
    table(columns, "versus")
    with error_box(_("Type a sentence to compare on."), _("The two could not be compared.")):
        _draw_side_by_side(data.versus(card.name, other, text))


def _draw_side_by_side(both: data.Versus) -> None:
    for translation, column in zip((both.first, both.second), st.columns(2), strict=True):
        with column:
            st.caption(escape(model_name(translation.model)))
            draw_output(translation.model, translation.output)
    if both.difference is None:
        says = _(
            "There is nothing to subtract: one of them has no attention, or they cut or "
            "translated the sentence differently."
        )
        st.caption(says)
        return
    capture = both.first.capture
    rows, columns = ([token.text for token in side] for side in (capture.tgt, capture.src))
    labels: dict[str, Any] = {"row_labels": rows, "col_labels": columns}
    grid = array_grid(both.difference, _("second − first"), reach=1.0, **labels)
    board([grid], key="versus-difference")
    told = _(
        "Encoder-decoder attention in the last layer, mean over heads: second minus first. Blue "
        "cells get more weight from the second model, red ones less; each row adds up to 0."
    )
    st.caption(told)


def draw_undo() -> None:
    """Offer to undo the last deletion."""
    deleted: data.Deleted | None = st.session_state.get(UNDO)
    if deleted is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        text = _("“{name}” is deleted.")
        st.markdown(text.format(name=escape(_short(deleted.name))), width="content")
        help_ = _("Brings the model back as it was, until you delete another.")
        draw_button(_("Undo"), "undo", "undo", help_, _restore)
    draw_outcome("undo")


def draw_actions(card: data.Card) -> None:
    """Draw what can be done with a model; those that ship with the project cannot be changed."""
    with st.container(horizontal=True, gap="small"):
        draw_use(card.name)
        if card.config.arch == "transformer":
            draw_atlas_link(card.name)
        st.download_button(
            _("Download"),
            data.packing(card.name),
            f"{_short(card.name).replace('/', '-')}.zip",
            "application/zip",
            key="zip",
            icon=":material/download:",
            on_click="ignore",
            help=_(
                "Its folder as a zip: weights, tokenizer, configuration and scores. If it is "
                "at most {most} MB, it can be loaded here again."
            ).format(most=MEGABYTES),
        )
        if data.can_change(card.name):
            help_ = _("With the run that it was trained in. You can undo it.")
            draw_button(_("Delete"), "delete", "delete", help_, lambda: _delete(card.name))
    draw_outcome("delete")
    if not data.can_change(card.name):
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        text = _("Letters, digits, spaces, hyphens and underscores: at most {most}.")
        help_, key = text.format(most=data.LONGEST_NAME), f"name-{card.name}"
        wanted = st.text_input(_("Name"), _short(card.name), key=key, help=help_)
        help_ = _("Only its name changes.")
        draw_button(_("Rename"), "edit", "rename", help_, lambda: _rename(card.name, wanted))
    draw_outcome("rename")


def draw_load() -> None:
    """Draw the field that loads a model from a zip."""
    if not may_keep():
        draw_serving()
        return
    tip = _(
        "A zip saved on this page, here or on another machine; or the files of a Marian model, "
        "such as those of OPUS-MT: `config.json`, `model.safetensors` or `pytorch_model.bin`, "
        "`source.spm`, `target.spm` and `vocab.json`. Nothing in it is ever run."
    )
    file = uploader(_("Load a model from a zip"), ["zip"], key="load-zip", most=MEGABYTES, help=tip)
    if file is not None and st.session_state.get(UPLOADED) != file.file_id:
        st.session_state[UPLOADED] = file.file_id
        do("load", lambda: _load(file, PurePosixPath(file.name).stem))
    draw_outcome("load")


def _load(file: BinaryIO, stem: str) -> str:
    stem = re.sub(r" ?\(\d+\)$", "", stem)  # what a browser adds to a name that exists already
    plain_stem = "".join(c if c.isalnum() or c in " -_" else "-" for c in stem)
    name = data.load_zip(file, plain_stem[: data.LONGEST_NAME].strip(" -") or _("loaded"))
    SHOWN.set(name)
    return _("“{name}” is loaded, and every page can use it.").format(name=escape(_short(name)))


def _rename(name: str, wanted: str) -> None:
    new = data.rename_model(name, wanted)
    SHOWN.set(new)
    if state.MODEL.get() == name:
        state.MODEL.set(new)


def _delete(name: str) -> None:
    deleted = data.delete_model(name)
    if (former := st.session_state.get(UNDO)) is not None:
        data.forget(former)
    st.session_state[UNDO] = deleted


def _restore() -> str:
    deleted: data.Deleted = st.session_state[UNDO]
    data.restore(deleted)
    del st.session_state[UNDO]
    SHOWN.set(deleted.name)
    return _("“{name}” is back.").format(name=escape(_short(deleted.name)))


def _short(name: str) -> str:
    """Return a model's name without its folder."""
    return name.removeprefix(OF_RUN).removeprefix(OF_IMPORT)
