"""The decoder's last vector and the vocabulary matrix: how every piece gets its logit."""

from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.charts.toolbar import plot_config
from app.components.board import Grid, Op
from app.components.chips import Chip, chips
from app.data.walk import Walk
from app.format import grouped
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.naming import quoted
from app.ui import player
from app.ui.chart import theme_mode
from app.ui.section import section
from app.ui.table import fold
from app.views.walk.output import texts
from app.views.walk.output.histogram_chart import logit_histogram

# The piece whose column is looked at, by its id; -1: the one that was written.
PIECE: Final = state.Param[int]("piece", -1, state.whole(-1, 10_000_000))
TOP: Final = 10
MARKED: Final = 3


def place(walk: Walk) -> int:
    """Return the token, from 0, whose vector is looked at: the one read at the chosen step."""
    return player.step_of(len(walk.translation.steps)) - 1


def taken(walk: Walk, at: int) -> int:
    """Return the id of the piece that was written."""
    step = walk.translation.steps[at]
    return step.taken.token.id


def picked(walk: Walk, at: int) -> int:
    """Return the id of the piece that is looked at; the one written where there is none such."""
    piece = PIECE.get()
    return piece if 0 <= piece < walk.config.n_tgt_vocab else taken(walk, at)


def likeliest(walk: Walk, at: int, count: int = TOP) -> list[int]:
    """Return the ids of the likeliest pieces in order, with the one looked at if it is not one."""
    ids: list[int] = np.argsort(-walk.capture.logits[at], kind="stable")[:count].tolist()
    also = picked(walk, at)
    return ids if also in ids else [*ids, also]


def pick_step(walk: Walk) -> None:
    """Draw all that is written, to choose the piece whose making is shown."""
    ids = [taken(walk, at) for at in range(len(walk.translation.steps))]
    tokens = [walk.token(piece) for piece in ids]
    chips(
        [Chip(token.text, token.starts_word, token.special) for token in tokens],
        key="pick-step", label=_(texts.STEPS), role="output", selected=place(walk),
        on_select=_go,
    )  # fmt: skip


def vector(walk: Walk, at: int) -> None:
    """Draw the decoder's last vector at a step."""
    normed = walk.config.norm == "pre"
    text = _(texts.VECTOR_NORMED) if normed else _(texts.VECTOR)
    word = quoted(walk.capture.tgt[at])
    section(_(texts.VECTOR_TITLE), text.format(n=at + 1, word=word, d_model=walk.config.d_model))
    arrays(walk, [_vector(walk, at)], key="vector")


def linear(walk: Walk, at: int) -> None:
    """Draw the vector's product with one column of the matrix, and the row of logits."""
    config, piece = walk.config, picked(walk, at)
    token, size = walk.token(piece), grouped(config.n_tgt_vocab)
    section(_(texts.LINEAR_TITLE), _(texts.LINEAR).format(d_model=config.d_model, size=size))
    if "generator.W" in walk.parameters.tied:
        st.markdown(_(texts.TIED))
    _pick_piece(walk, at)
    x, column = _vector(walk, at), walk.array("param:generator.W", (None, piece))
    products = np.asarray(x.values, dtype=np.float64) * column
    arrays(
        walk,
        [
            x,
            Op("×"),
            grid(
                walk, "param:generator.W", (None, piece),
                _("column of “{word}”").format(word=token.text), role="key",
            ),
            Op("="),
            Grid("", (None,), products, _("products"), role="output"),
        ],
        key="product",
    )  # fmt: skip
    bias = float(walk.array("param:generator.b")[piece])
    logit = float(walk.capture.logits[at, piece])
    st.markdown(
        _(texts.PRODUCTS).format(
            d_model=config.d_model, word=quoted(token), sum=signed(products.sum()),
            bias=signed(bias), logit=signed(logit),
        )
    )  # fmt: skip
    _row(walk, at)


def signed(value: float) -> str:
    """Write a number with two places and a true minus."""
    return f"{value:.2f}".replace("-", "−")


def _go(at: int) -> None:
    PIECE.set(-1)
    state.STEP.set(at + 1)


def _vector(walk: Walk, at: int) -> Grid:
    name = walk.numbers.stages["logits"].inputs[0]
    return grid(walk, name, (at, None), f"x · “{walk.capture.tgt[at].text}”")


def _pick_piece(walk: Walk, at: int) -> None:
    ids = likeliest(walk, at)
    tokens = [walk.token(piece) for piece in ids]
    chips(
        [
            Chip(token.text, special=token.special, note=_("id {id}").format(id=token.id))
            for token in tokens
        ],
        key="pick-piece", label=_(texts.WHICH), role="key", selected=ids.index(picked(walk, at)),
        on_select=lambda i: PIECE.set(ids[i]),
    )  # fmt: skip


def _row(walk: Walk, at: int) -> None:
    """Draw the likeliest pieces' logits as cells, and all logits counted, or as cells on demand."""
    logits, ids, piece = walk.capture.logits[at], likeliest(walk, at), picked(walk, at)
    size, words = grouped(len(logits)), [walk.token(piece).text for piece in ids]
    st.markdown(_(texts.ROW).format(size=size))
    strip = grid(
        walk, "logits", (at, None), "logits", cols=tuple(ids), col_labels=words, role="output"
    )
    arrays(walk, [strip], key="logits")
    title = _("logit")
    figure = logit_histogram(
        logits,
        {walk.token(i).text: float(logits[i]) for i in dict.fromkeys([*ids[:MARKED], piece])},
        value_title=title, count_title=_("how many pieces"), mode=theme_mode(),
    )  # fmt: skip
    st.plotly_chart(
        figure, theme=None, config=plot_config("logits"), key="histogram",
        alt=_("How many pieces have which logit"),
    )  # fmt: skip
    above = int((logits > logits[piece]).sum())
    text = _(texts.HISTOGRAM) if above else _(texts.HIGHEST)
    st.markdown(
        text.format(
            median=signed(float(np.median(logits))), word=quoted(walk.token(piece)),
            logit=signed(float(logits[piece])), above=grouped(above),
        )
    )  # fmt: skip
    fold(
        _("The whole row: {size} logits").format(size=size), "all-logits", ":material/apps:",
        lambda: _all(walk, at),
    )  # fmt: skip


def _all(walk: Walk, at: int) -> None:
    whole = grid(walk, "logits", (at, None), _("all logits, by id"), role="output")
    arrays(walk, [whole], key="all-logits")
