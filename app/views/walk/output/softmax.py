"""Softmax over the whole vocabulary, and what is drawn from it."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app import state
from app.charts.stage_bars import Column, stage_bars
from app.format import grouped, number, probability
from app.i18n import _
from app.inspect.naming import quoted
from app.page.sidebar import SETTINGS
from app.ui.chart import show_chart
from app.ui.table import table, table_fold
from app.views.walk.output import texts
from app.views.walk.output.data import Distribution, distribution, drawn_from, tex, tex_signed
from app.views.walk.output.piece import Piece, taken

# On a narrow screen the picture scrolls in its own frame: five columns need their width.
STYLE = """<style>
.st-key-softmax { overflow-x: auto; }
.st-key-softmax > * { min-width: 560px; }
</style>"""


def softmax_text(_piece: Piece) -> str:
    """Say what softmax does, then how a piece is chosen."""
    return f"{_(texts.SOFTMAX)}\n\n**{_(texts.CHOICE_TITLE)}**\n\n{_(texts.CHOICE)}"


def draw_softmax(piece: Piece) -> None:
    """Draw every stage from logits to what a piece is drawn from, with the settings, live."""
    _draw_settings()
    walk, ids = piece.walk, piece.likeliest
    temperature = state.TEMPERATURE.get()
    all_ = distribution(piece.logits, temperature)
    drawn = drawn_from(walk, piece.at, temperature, state.TOP_K.get(), state.TOP_P.get())
    others = walk.config.n_tgt_vocab - len(ids)
    rest = _("the other {n}").format(n=grouped(others, " "))
    labels = [*(walk.token(i).text for i in ids), rest]
    _draw_stages(stages(piece.logits, all_, drawn, ids), labels, ids.index(piece.id))
    p = probability(rest_of(all_.probabilities, ids))
    tail, plugged = _(texts.TAIL).format(n=grouped(others), p=p), _(texts.PLUGGED)
    st.markdown(f"{tail}\n\n{plugged.format(word=piece.word)}")
    _draw_steps(piece, all_, temperature)
    kept, word = grouped(int((drawn.final > 0).sum())), quoted(walk.token(taken(walk, piece.at)))
    can_be_drawn = _(texts.KEPT).format(kept=kept, size=piece.vocabulary)
    st.markdown(f"{can_be_drawn} {_(texts.WRITTEN).format(word=word)}")


def stages(
    logits: np.ndarray, all_: Distribution, drawn: Distribution, ids: Sequence[int]
) -> list[Column]:
    """Return the columns of the picture: the pieces of these ids, then all others together."""
    return [
        _logits(_("logit z"), logits, ids),
        _logits("z ÷ T", all_.scaled, ids),
        _column("e^(z ÷ T − max)", all_.powers, ids),
        _column(_("÷ Σ = p"), all_.probabilities, ids, top=1.0),
        _column(_("drawn from"), drawn.final, ids, top=1.0),
    ]


def rest_of(values: np.ndarray, ids: Sequence[int]) -> float:
    """Add up what all pieces have but those of some ids."""
    return float(np.delete(values, ids).sum())


def _draw_settings() -> None:
    if state.METHOD.get() == "sample":
        st.info(_(texts.SETTINGS_IN_SIDEBAR))
        return
    for column, draw_setting in zip(st.columns(3, gap="medium"), SETTINGS, strict=True):
        with column:
            draw_setting()


def _draw_stages(columns: Sequence[Column], labels: Sequence[str], marked: int) -> None:
    figure = stage_bars(columns, labels, marked=marked, quiet=len(labels) - 1)
    st.html(STYLE)
    with st.container(key="softmax"):
        show_chart(figure, "softmax", _(texts.SOFTMAX_TITLE))
    numbers = {column.title: column.values.tolist() for column in columns}
    table_fold("softmax", lambda: table({_("token"): labels} | numbers, "softmax"))


def _logits(title: str, values: np.ndarray, ids: Sequence[int]) -> Column:
    """Return a column of numbers that cannot be added up: nothing stands for the others."""
    own = np.asarray(values, dtype=np.float64)[list(ids)]
    return Column(title, np.append(own, np.nan), [*map(number, own.tolist()), ""])


def _column(title: str, values: np.ndarray, ids: Sequence[int], top: float | None = None) -> Column:
    all_ = np.append(values[list(ids)], rest_of(values, ids))
    return Column(title, all_, [probability(value) for value in all_.tolist()], "output", top)


def _draw_steps(piece: Piece, all_: Distribution, temperature: float) -> None:
    """Write the three steps with the numbers of the piece that is looked at."""
    stages_ = (piece.logits, all_.scaled, all_.powers, all_.probabilities)
    logit, scaled, power, p = (float(values[piece.id]) for values in stages_)
    st.latex(
        r"\begin{aligned}"
        rf"\tfrac{{z}}{{T}} &= \tfrac{{{tex(logit)}}}{{{temperature:g}}} = {tex(scaled)} \\"
        rf"e^{{z/T - \max}} &= e^{{{tex(scaled)} - {tex_signed(all_.largest)}}} = {tex(power)} \\"
        rf"p &= \tfrac{{{tex(power)}}}{{{tex(all_.total)}}} = {tex(p)}"
        r"\end{aligned}"
    )
