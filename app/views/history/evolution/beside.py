"""One sentence, translated by an RNN, by RNNsearch and by the Transformer, side by side."""

import html
from collections.abc import Mapping
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.components.board import Grid, board
from app.components.matrix import matrix
from app.data.attention import sharpest
from app.data.translation import Token, Translation, model_info
from app.i18n import _
from app.ui.chosen import decoding, pair
from app.ui.sentence_box import offered, sentence
from app.views.history.evolution import texts as lesson
from app.views.history.evolution.data import MODELS, translations

RECURRENT, SEARCH, TRANSFORMER = MODELS
HEAD: Final = state.Param[str]("ehead", "", str)


def opened() -> dict[str, Translation]:
    """Return the translations of the sentence on the page, by model."""
    text = state.TEXT.get()
    return translations(offered(TRANSFORMER)[0] if text is None else text, decoding())


def head_of(made: Translation) -> tuple[int, int]:
    """Return layer and head that are chosen, from 0; the sharpest where there are none such."""
    layer, dot, head = HEAD.get().partition(".")
    if dot and layer.isdecimal() and head.isdecimal():
        chosen = int(layer) - 1, int(head) - 1
        if chosen in _heads(made):
            return chosen
    return sharpest(made.capture)


def weights_of(made: Translation) -> np.ndarray:
    """Return where a model looks, (T, S): with the chosen head, if it has more than one."""
    layer, head = head_of(made)
    return made.capture.weights("cross", layer, head)


def written(made: Translation) -> tuple[Token, ...]:
    """Return the token that is written at each step, <eos> last."""
    return (*made.target.tokens[1:], made.source.tokens[-1])


def draw_beside() -> dict[str, Translation]:
    """Draw the sentence to type and what the three make of it; return the translations."""
    sentence(TRANSFORMER)
    made = opened()
    missing = [_(lesson.NAMES[name]) for name in MODELS if name not in made]
    if missing:
        st.info(_(lesson.MISSING).format(names=", ".join(missing)))
    for column, one in zip(st.columns(len(made), gap="small"), made.values(), strict=True):
        with column, st.container(border=True):
            _card(one)
    if RECURRENT in made:
        _vector(made[RECURRENT])
    return made


def _card(made: Translation) -> None:
    st.markdown(f"**{_(lesson.NAMES[made.model])}**, {lesson.YEARS[made.model]}")
    language = html.escape(pair(made.model)[1], quote=True)
    st.html(
        f'<div lang="{language}" data-testid="beside" style="overflow-wrap:anywhere;'
        f'font-size:1.2rem">{html.escape(made.output) or "∅"}</div>'
    )
    info = model_info(made.model)
    size = lesson.SIZE_ALONE if info.bleu is None else lesson.SIZE
    st.caption(
        _(size).format(
            millions=f"{info.parameters / 1e6:.1f}", bleu=f"{info.bleu or 0:.1f}",
            tokens=f"{(info.training_tokens or 0) / 1e6:.1f}",
        )
    )  # fmt: skip


def _vector(made: Translation) -> None:
    last = made.capture.arrays["memory"][0]  # (H,)
    n = len(made.source.tokens)
    st.markdown(_(lesson.VECTOR).format(size=last.size, n=n))
    board(
        [Grid("", (None,), last, _(lesson.VECTOR_TITLE), role="value", reach=1.0)],
        key="evolution-vector",
    )


def draw_maps(made: Mapping[str, Translation]) -> None:
    """Draw where each model looks, if there is one that does."""
    looking = [made[name] for name in (SEARCH, TRANSFORMER) if name in made]
    if not looking:
        return
    st.markdown(_(lesson.MAPS))
    if TRANSFORMER in made:
        _pick_head(made[TRANSFORMER])
    text = {"query_axis": _(lesson.WRITTEN), "cell": _(lesson.CELL)}
    for column, one in zip(st.columns(len(looking), gap="medium"), looking, strict=True):
        with column:
            st.markdown(f"**{_(lesson.NAMES[one.model])}**")
            matrix(
                weights_of(one),
                [token.text for token in written(one)],
                [token.text for token in one.source.tokens],
                key=f"map-{one.model.partition('/')[0]}",
                text=text,
            )


def _pick_head(made: Translation) -> None:
    layer, head = head_of(made)
    names = {address: _named(address) for address in (_address(*each) for each in _heads(made))}
    st.selectbox(
        _(lesson.HEAD_LABEL),
        list(names),
        format_func=names.__getitem__,
        key=HEAD.widget(_address(layer, head)),
        help=_(lesson.HEAD_HELP),
        width=360,
    )


def _heads(made: Translation) -> list[tuple[int, int]]:
    capture = made.capture
    return [(i, j) for i in range(capture.n_layers("cross")) for j in range(capture.n_heads)]


def _address(layer: int, head: int) -> str:
    return f"{layer + 1}.{head + 1}"


def _named(address: str) -> str:
    layer, _dot, head = address.partition(".")
    return _(lesson.HEAD).format(layer=layer, head=head)
