"""What can be chosen on the page: the token being written, whose column, and how one is drawn."""

from collections.abc import Callable

import streamlit as st

from app import state
from app.components.chips import Chip, chips
from app.i18n import _
from app.page.sidebar import SETTINGS
from app.ui.token_chips import token_chips
from app.views.walk.output import texts
from app.views.walk.output.piece import PIECE, Piece, taken


def pick_step(piece: Piece) -> None:
    """Draw all that is written, to choose the token whose making is shown."""
    walk = piece.walk
    written = [walk.token(taken(walk, at)) for at in range(len(walk.translation.steps))]
    label = _(texts.STEPS)
    token_chips(
        written, key="pick-step", label=label, role="output", selected=piece.at, on_select=_go
    )


def pick_column(piece: Piece) -> None:
    """Draw what is written, and the likeliest tokens, to choose one to look at."""
    left, right = st.columns([0.42, 0.58], gap="medium")
    with left:
        pick_step(piece)
    with right:
        _pick_likely(piece)


def _pick_likely(piece: Piece) -> None:
    ids = piece.likeliest
    tokens = [piece.walk.token(i) for i in ids]
    chips(
        [Chip(t.text, special=t.special, note=_("id {id}").format(id=t.id)) for t in tokens],
        key="pick-piece",
        label=_(texts.WHICH),
        role="key",
        selected=ids.index(piece.id),
        on_select=lambda i: PIECE.set(ids[i]),
    )


def pick_temperature(piece: Piece) -> None:
    """Draw what is written, and the temperature."""
    _pick_settings(piece, SETTINGS[:1])


def pick_settings(piece: Piece) -> None:
    """Draw what is written, and all that shapes what a token is drawn from."""
    _pick_settings(piece, SETTINGS)


def pick_all(piece: Piece) -> None:
    """Draw all that can be chosen."""
    pick_column(piece)
    if not _sampling():
        for column, draw in zip(st.columns(len(SETTINGS), gap="medium"), SETTINGS, strict=True):
            with column:
                draw()


def _pick_settings(piece: Piece, settings: tuple[Callable[[], None], ...]) -> None:
    if _sampling():
        pick_step(piece)
        st.info(_(texts.SETTINGS_IN_SIDEBAR))
        return
    widths = [1 - 0.19 * len(settings), *[0.19] * len(settings)]
    first, *others = st.columns(widths, gap="medium")
    with first:
        pick_step(piece)
    for column, draw in zip(others, settings, strict=True):
        with column:
            draw()


def _sampling() -> bool:
    """Whether the settings are those of the translation itself, which are in the sidebar."""
    return state.METHOD.get() == "sample"


def _go(at: int) -> None:
    PIECE.set(-1)
    state.STEP.set(at + 1)
