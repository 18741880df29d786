"""Softmax over the whole vocabulary, and what is drawn from it."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.charts.stage_bars import Column, stage_bars
from app.format import grouped, number, probability, tex
from app.i18n import _
from app.inspector.naming import quoted_token
from app.page.declare import Myth
from app.page.quiz import Task
from app.ui.chart import show_chart
from app.views.walk.output import texts
from app.views.walk.output.data import Distribution, distribution, drawn_from, latex
from app.views.walk.output.piece import TOP, Piece, taken

ROW: Final = 21  # pixels a token
FEW: Final = 7  # tokens that have a bar where there are four columns of them
# On a narrow screen the picture scrolls in its own frame: its columns need their width.
STYLE = """<style>
[class*="st-key-stages-"] { overflow-x: auto; }
[class*="st-key-stages-"] > * { min-width: 480px; }
</style>"""


def softmax_text(piece: Piece) -> str:
    """Say what the softmax does, and what is left for those that have no bar."""
    ids = piece.likeliest
    p = probability(rest_of(distribution(piece.logits).probabilities, ids))
    others = grouped(piece.walk.config.n_tgt_vocab - len(ids))
    return f"{_(texts.SOFTMAX)} {_(texts.TAIL).format(n=others, p=p)}"


def draw_softmax(piece: Piece) -> None:
    """Draw the three stages from logits to probabilities."""
    all_, ids = distribution(piece.logits), piece.likeliest
    columns = [
        _logits(_("logit z"), piece.logits, ids),
        _column("e^(z − max)", all_.powers, ids),
        _column(_("÷ Σ = p"), all_.probabilities, ids, top=1.0),
    ]
    _draw_stages(piece, ids, columns, "softmax", _(texts.SOFTMAX_TITLE))


def guess_temperature(piece: Piece) -> Task:
    """Ask what halving all logits does to the likeliest token."""
    one, two = (distribution(piece.logits, temperature) for temperature in (1.0, 2.0))
    best = int(one.order[0])
    p, q = float(two.probabilities[best]), float(one.probabilities[best])
    options = [_(texts.GROWS), _(texts.STAYS), _(texts.SHRINKS)]
    says, word = texts.TEMPERATURE_SAYS, piece.walk.token(best).text
    values = {"word": word, "p": probability(p), "q": probability(q)}
    return Task.of(texts.TEMPERATURE_ASK, options, [2 if p < q else 1], says, says, **values)


def draw_temperature(piece: Piece) -> None:
    """Draw all stages from logits to probabilities, with the division by T."""
    all_, first = distribution(piece.logits, state.TEMPERATURE.get()), piece.likeliest[:FEW]
    ids = first if piece.id in first else [*first, piece.id]
    columns = [
        _logits(_("logit z"), piece.logits, ids),
        _logits("z ÷ T", all_.scaled, ids),
        _column("e^(z ÷ T − max)", all_.powers, ids),
        _column(_("÷ Σ = p"), all_.probabilities, ids, top=1.0),
    ]
    _draw_stages(piece, ids, columns, "temperature", _(texts.TEMPERATURE_TITLE))


def numbers_text(piece: Piece) -> str:
    """Say whose numbers are written."""
    return _(texts.NUMBERS).format(word=piece.word, size=piece.vocabulary)


def draw_numbers(piece: Piece) -> None:
    """Write the three steps with the numbers of the token that is looked at."""
    temperature = state.TEMPERATURE.get()
    all_ = distribution(piece.logits, temperature)
    stages = (piece.logits, all_.scaled, all_.powers, all_.probabilities)
    logit, scaled, power, p = (float(values[piece.id]) for values in stages)
    z, z_t, e, total = map(latex.number, (logit, scaled, power, all_.total))
    formula = (
        r"\large\begin{aligned}"
        rf"\dfrac{{z}}{{T}} &= \dfrac{{{z}}}{{{temperature:g}}} = {z_t} \\[10pt]"
        rf"e^{{z/T - \max}} &= e^{{{z_t} - {latex.signed(all_.largest)}}} = {e} \\[10pt]"
        rf"p &= \dfrac{{{e}}}{{{total}}} = {latex.number(p)}"
        r"\end{aligned}"
    )
    st.latex(tex(formula))


def choice_text(piece: Piece) -> str:
    """Say how a token is chosen, and among how many."""
    kept, written = int((_drawn(piece).final > 0).sum()), taken(piece.walk, piece.at)
    word = quoted_token(piece.walk.token(written))
    return _(texts.CHOICE).format(kept=grouped(kept), size=piece.vocabulary, word=word)


def draw_choice(piece: Piece) -> None:
    """Draw the probabilities, and what a token is drawn from."""
    all_, ids = distribution(piece.logits, state.TEMPERATURE.get()), piece.likeliest
    columns = [
        _column("p", all_.probabilities, ids, top=1.0),
        _column(_("drawn from"), _drawn(piece).final, ids, top=1.0),
    ]
    _draw_stages(piece, ids, columns, "choice", _(texts.CHOICE_TITLE))


def myth(piece: Piece) -> Myth:
    """Give the likeliest token, and all outside of the first few, at three temperatures."""
    sharp, usual, flat = (distribution(piece.logits, t).probabilities for t in (0.5, 1.0, 2.0))
    top = distribution(piece.logits).order[:TOP].tolist()
    truth = _(texts.MYTH_TRUTH).format(
        size=piece.vocabulary,
        word=quoted_token(piece.walk.token(top[0]))[1:-1],
        p=probability(float(usual[top[0]])),
        flat=probability(float(flat[top[0]])),
        sharp=probability(float(sharp[top[0]])),
        n=grouped(len(usual) - len(top)),
        top=len(top),
        rest=probability(rest_of(usual, top)),
        more=probability(rest_of(flat, top)),
    )
    return Myth(_(texts.MYTH), truth)


def rest_of(values: np.ndarray, ids: Sequence[int]) -> float:
    """Add up what all tokens have but those of some ids."""
    return float(np.delete(values, ids).sum())


def _drawn(piece: Piece) -> Distribution:
    temperature, top_k = state.TEMPERATURE.get(), state.TOP_K.get()
    return drawn_from(piece.walk, piece.at, temperature, top_k, state.TOP_P.get())


def _draw_stages(
    piece: Piece, ids: Sequence[int], columns: Sequence[Column], key: str, title: str
) -> None:
    """Draw a column of bars for each stage: of some tokens, then of all others."""
    rest = _("the other {n}").format(n=grouped(piece.walk.config.n_tgt_vocab - len(ids), " "))
    labels = [*(piece.walk.token(i).text for i in ids), rest]
    figure = stage_bars(columns, labels, marked=ids.index(piece.id), quiet=len(labels) - 1)
    figure["layout"]["height"] = ROW * len(labels) + 60
    st.html(STYLE)
    with st.container(key=f"stages-{key}"):
        numbers = {column.title: column.values.tolist() for column in columns}
        show_chart(figure, key, title, lambda: {_("token"): labels} | numbers)


def _logits(title: str, values: np.ndarray, ids: Sequence[int]) -> Column:
    """Return a column of numbers that cannot be added up: nothing stands for the others."""
    own = np.asarray(values, dtype=np.float64)[list(ids)]
    return Column(title, np.append(own, np.nan), [*map(number, own.tolist()), ""])


def _column(title: str, values: np.ndarray, ids: Sequence[int], top: float | None = None) -> Column:
    all_ = np.append(values[list(ids)], rest_of(values, ids))
    return Column(title, all_, [probability(value) for value in all_.tolist()], "output", top)
