"""Arithmetic with words: what is nearest to their sum."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from app.data.translation import readable
from app.data.walk import Walk
from app.format import escape, grouped, number
from app.i18n import N_, _
from app.state import Param, up_to
from app.ui.about import about
from app.ui.pickers import live_text
from app.views.walk.vectors import texts
from app.views.walk.vectors.data import Neighbour, expected, pieces_of, sums, words
from app.views.walk.vectors.neighbours import draw_bars
from app.views.walk.vectors.piece import LONGEST, Piece

# The words that are added, taken away, added, and expected.
PRESETS: Final = (
    ("husband", "man", "woman", "wife"),
    ("himself", "he", "she", "herself"),
    ("went", "go", "come", "came"),
    ("king", "man", "woman", "queen"),
)
LABELS: Final = (N_("Start from"), N_("− take away"), N_("+ add"), N_("You expect"))
FIELDS: Final = tuple(
    Param[str | None](name, None, up_to(LONGEST)) for name in ("from", "less", "plus", "hope")
)
Words = Sequence[Sequence[int]]


@about(sentence="", place=())
def draw_arithmetic(piece: Piece) -> None:
    """Let the visitor add and take away words, and show what is nearest to the result."""
    walk = piece.walk
    with st.container(horizontal=True, gap="small"):
        for i, preset in enumerate(PRESETS):
            sum_of = "{} − {} + {}".format(*preset)
            st.button(sum_of, key=f"sum-{i}", on_click=_take, args=(preset,))
    start, less, more, hope = _draw_fields(first_preset(walk))
    ids = {word: _ids(walk, word) for word in (start, less, more)}
    _draw_pieces(walk, [word for word in ids if ids[word]])
    plus = [ids[word] for word in (start, more) if ids[word]]
    minus = [ids[less]] if ids[less] else []
    if not plus:
        st.info(_(texts.NOTHING_ADDED))
        return
    nearest = sums(walk, plus, minus)
    if not nearest or not nearest[0].similarity:
        st.info(_(texts.EQUAL))
        return
    draw_bars(walk, nearest, "sum")
    if _ids(walk, hope):
        st.markdown(_hoped(walk, plus, minus, hope, nearest[0]))


def first_preset(walk: Walk) -> Sequence[str]:
    """Return the first preset whose expected word is the nearest one in this model."""
    return next((preset for preset in PRESETS if _succeeds(walk, *preset)), PRESETS[0])


def _succeeds(walk: Walk, *preset: str) -> bool:
    start, less, more, hope = (_ids(walk, word) for word in preset)
    nearest = sums(walk, [start, more], [less])
    return bool(nearest) and [nearest[0].token_id] == hope


def _take(preset: Sequence[str]) -> None:
    for param, word in zip(FIELDS, preset, strict=True):
        param.set(word)


def _draw_fields(preset: Sequence[str]) -> list[str]:
    """Draw the four fields, with a preset to begin with; return what was typed into them."""
    typed = []
    columns = st.columns(4)
    for column, param, label, default in zip(columns, FIELDS, LABELS, preset, strict=True):
        word = param.get()
        key = param.widget(default if word is None else word)
        with column:
            typed.append(readable(live_text(_(label), key, max_chars=LONGEST)))
    return typed


def _ids(walk: Walk, word: str) -> list[int]:
    return [piece.id for piece in pieces_of(walk, word)]


def _draw_pieces(walk: Walk, typed: Sequence[str]) -> None:
    """Say into which tokens the words are cut that the model does not know as one."""
    parts = []
    for word in typed:
        cut = [token.text for token in pieces_of(walk, word)]
        if len(cut) > 1:
            form = _("“{word}”: {n} tokens, {cut}")
            parts.append(form.format(word=word, n=len(cut), cut=" · ".join(cut)))
    if parts:
        st.caption(escape("; ".join(parts)))


def _hoped(walk: Walk, plus: Words, minus: Words, hope: str, best: Neighbour) -> str:
    """Say where the word that the visitor expected stands."""
    ids = _ids(walk, hope)
    stands = expected(walk, plus, minus, ids)
    place = _(texts.EXPECTED if len(ids) == 1 else texts.NOT_ONE).format(
        word=hope,
        value=number(stands.similarity, 3),
        place=grouped(stands.place),
        words=grouped(len(words(walk))),
        cut=" · ".join(walk.token(i).text for i in ids),
    )
    nearest, value = walk.token(best.token_id).text, number(best.similarity, 3)
    end = _(texts.FOUND if ids == [best.token_id] else texts.NOT_FOUND)
    return escape(f"{place} {end.format(nearest=nearest, value=value)}")
