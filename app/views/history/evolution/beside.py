"""One sentence, translated by an RNN, by RNNsearch and by the Transformer, and where they look."""

import html
from collections.abc import Mapping
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.components.board import array_grid
from app.data.atlas import first_head
from app.data.translation import Token, Translation, model_info
from app.format import number
from app.i18n import _
from app.inspector.arrays import STATE_FOLD, draw_board, weights_grid
from app.inspector.naming import row_names
from app.ui.chosen import pair
from app.ui.pickers import pick_from_list
from app.ui.sentence_box import sentence_line
from app.views.history.evolution import texts
from app.views.history.evolution.choice import Choice
from app.views.history.evolution.data import MODELS, RECURRENT, SEARCH, TRANSFORMER

MAP: Final = 200  # the height of a map's cells, in pixels
HEAD: Final = state.Param[str]("ehead", "", str)


def head_of(translation: Translation) -> tuple[int, int]:
    """Return layer and head that are chosen, from 0; the best where there are none such."""
    return _heads(translation).get(HEAD.get()) or first_head(translation.model, "cross")


def weights_of(translation: Translation) -> np.ndarray:
    """Return where a model looks, (T, S): with the chosen head, if it has more than one."""
    layer, head = head_of(translation)
    return translation.capture.weights("cross", layer, head)


def written(translation: Translation) -> tuple[Token, ...]:
    """Return the token that is written at each step, <eos> last."""
    return (*translation.target.tokens[1:], translation.source.tokens[-1])


def pick_sentence(_choice: Choice) -> None:
    """Draw the sentence to type."""
    sentence_line(TRANSFORMER)


def draw_beside(choice: Choice) -> None:
    """Draw what the three make of the sentence."""
    translations = choice.translations
    missing = [_(texts.NAMES[name]) for name in MODELS if name not in translations]
    if missing:
        st.info(_(texts.MISSING).format(names=", ".join(missing)))
    columns = st.columns(len(translations), gap="small")
    for column, translation in zip(columns, translations.values(), strict=True):
        with column, st.container(border=True, height="stretch"):
            _draw_card(translation)


def _draw_card(translation: Translation) -> None:
    st.markdown(f"**{_(texts.NAMES[translation.model])}**, {texts.YEARS[translation.model]}")
    language = html.escape(pair(translation.model)[1], quote=True)
    st.html(
        f'<div lang="{language}" data-testid="beside" style="overflow-wrap:anywhere;'
        f'font-size:1.2rem">{html.escape(translation.output) or "∅"}</div>'
    )
    info = model_info(translation.model)
    size = texts.SIZE_ALONE if info.bleu is None else texts.SIZE
    counts = {"millions": info.parameters, "tokens": info.training_tokens or 0}
    millions = {name: number(count / 1e6, 1) for name, count in counts.items()}
    st.caption(_(size).format(bleu=number(info.bleu or 0, 1), **millions))


def maps_text(choice: Choice) -> str:
    """Say where the later two look, and what the first one has in its place."""
    if (recurrent := choice.translations.get(RECURRENT)) is None:
        return _(texts.MAPS)
    size, n = recurrent.capture.arrays["memory"][0].size, len(recurrent.source.tokens)
    return f"{_(texts.MAPS)} {_(texts.VECTOR).format(size=size, n=n)}"


def draw_maps(choice: Choice) -> None:
    """Draw the vector that the RNN has, and where each model looks that does."""
    grids = []
    if (recurrent := choice.translations.get(RECURRENT)) is not None:
        last, title = recurrent.capture.arrays["memory"][0], _("c, the encoder's last state")
        grids.append(array_grid(last, title, "value", reach=1.0, fold=STATE_FOLD))
    for one in looking_of(choice.translations):
        title = _(texts.MAP).format(name=_(texts.NAMES[one.model]))
        written, read = ([token.text for token in side.tokens] for side in (one.target, one.source))
        grids.append(weights_grid(weights_of(one), title, row_names(written), read, height=MAP))
    draw_board(grids, "maps")


def looking_of(translations: Mapping[str, Translation]) -> list[Translation]:
    """Return the translations of the models that have an attention."""
    return [translations[name] for name in (SEARCH, TRANSFORMER) if name in translations]


def pick_head(choice: Choice) -> None:
    """Draw the choice of the Transformer's layer and head, if it is there."""
    if TRANSFORMER not in choice.translations:
        return
    translation = choice.translations[TRANSFORMER]
    name, heads, chosen = _("Layer {layer}, head {head}"), _heads(translation), head_of(translation)
    titles = {at: name.format(layer=i + 1, head=j + 1) for at, (i, j) in heads.items()}
    value = next(at for at, head in heads.items() if head == chosen)
    label, tip = _("Layer and head of the Transformer"), _(texts.HEAD_HELP)
    pick_from_list(HEAD, label, titles, value=value, help=tip)


def _heads(translation: Translation) -> dict[str, tuple[int, int]]:
    """Return layer and head, from 0, of all that look at the source, by their place in the URL."""
    places = np.ndindex(translation.capture.n_layers("cross"), translation.capture.n_heads)
    return {f"{layer + 1}.{head + 1}": (layer, head) for layer, head in places}
