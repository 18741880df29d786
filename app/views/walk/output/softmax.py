"""Softmax over the whole vocabulary, what is drawn from it, and what each layer would have said."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app import state
from app.charts.stage_bars import Column, stage_bars
from app.charts.toolbar import plot_config
from app.data.walk import Walk
from app.format import grouped, probability
from app.i18n import _
from app.inspect.naming import quoted
from app.page.sidebar import SETTINGS
from app.ui.chart import theme_mode
from app.ui.section import section
from app.ui.table import table, table_fold
from app.views.walk.output import texts
from app.views.walk.output.data import (
    Distribution,
    distribution,
    drawn_from,
    lens,
    tex,
    tex_signed,
)
from app.views.walk.output.lens_chart import lens_grid
from app.views.walk.output.vector import likeliest, picked, signed, taken

# On a narrow screen the picture scrolls in its own frame: five columns need their width.
STYLE = """<style>
.st-key-softmax { overflow-x: auto; }
.st-key-softmax > * { min-width: 560px; }
</style>"""
FIRST = 3  # how many words of each layer are named


def softmax(walk: Walk, at: int) -> None:
    """Draw every stage from logits to what a piece is drawn from, with the settings, live."""
    section(_(texts.SOFTMAX_TITLE), _(texts.SOFTMAX))
    st.markdown(f"**{_(texts.CHOICE_TITLE)}**")
    st.markdown(_(texts.CHOICE))
    if state.METHOD.get() == "sample":
        st.info(_(texts.SETTINGS_IN_SIDEBAR))
    else:
        for column, setting in zip(st.columns(3, gap="medium"), SETTINGS, strict=True):
            with column:
                setting()
    temperature, top_k, top_p = state.TEMPERATURE.get(), state.TOP_K.get(), state.TOP_P.get()
    all_ = distribution(walk.capture.logits[at], temperature)
    drawn = drawn_from(walk, at, temperature, top_k, top_p)
    ids = likeliest(walk, at)
    columns = stages(walk.capture.logits[at], all_, drawn, ids)
    others = walk.config.n_tgt_vocab - len(ids)
    labels = [
        *(walk.token(piece).text for piece in ids),
        _("the other {n}").format(n=grouped(others, " ")),
    ]
    _figure(columns, labels, ids.index(picked(walk, at)))
    rest = probability(rest_of(all_.probabilities, ids))
    st.markdown(_(texts.TAIL).format(n=grouped(others), p=rest))
    _plugged(walk, at, all_, temperature)
    kept, size = grouped(int((drawn.final > 0).sum())), grouped(walk.config.n_tgt_vocab)
    word = quoted(walk.token(taken(walk, at)))
    st.markdown(
        f"{_(texts.KEPT).format(kept=kept, size=size)} {_(texts.WRITTEN).format(word=word)}"
    )


def stages(
    logits: np.ndarray, all_: Distribution, drawn: Distribution, ids: Sequence[int]
) -> list[Column]:
    """Return the columns of the picture: the pieces of these ids, then all others together."""
    return [
        _signed_column(_("logit z"), logits, ids),
        _signed_column("z ÷ T", all_.scaled, ids),
        _column("e^(z ÷ T − max)", all_.powers, ids),
        _column(_("÷ Σ = p"), all_.probabilities, ids, top=1.0),
        _column(_("drawn from"), drawn.final, ids, top=1.0),
    ]


def rest_of(values: np.ndarray, ids: Sequence[int]) -> float:
    """Add up what all pieces have but those of some ids."""
    others = np.ones(len(values), dtype=bool)
    others[list(ids)] = False
    return float(values[others].sum())


def layers(walk: Walk, at: int) -> None:
    """Draw the likeliest pieces of each decoder layer's output, and what it gives to one piece."""
    section(_(texts.LENS_TITLE), _(texts.LENS))
    probabilities, piece = lens(walk, at), picked(walk, at)  # (L, V)
    best = np.argsort(-probabilities, axis=-1, kind="stable")[:, :FIRST]
    shown = np.concatenate([best, np.full((len(best), 1), piece)], axis=1)  # (L, 4)
    words = [[walk.token(int(i)).text for i in row] for row in shown]
    names = [_("layer {n}").format(n=layer + 1) for layer in range(len(shown))]
    word = walk.token(piece).text
    heads = [*(_("choice {n}").format(n=i + 1) for i in range(best.shape[1])), f"“{word}”"]
    values = np.take_along_axis(probabilities, shown, axis=1)
    figure = lens_grid(values, words, names, heads, mode=theme_mode())
    st.plotly_chart(
        figure, theme=None, config=plot_config("layers"), key="layers", alt=_(texts.LENS_TITLE)
    )
    said = ", ".join(probability(float(p)) for p in probabilities[:, piece])
    st.markdown(_(texts.LENS_SAID).format(word=quoted(walk.token(piece)), list=said))
    table_fold("layers", lambda: table(_layers_table(names, heads, words, values), "layers"))


def _layers_table(
    names: Sequence[str], heads: Sequence[str], words: Sequence[Sequence[str]], values: np.ndarray
) -> dict[str, list[str | float]]:
    columns: dict[str, list[str | float]] = {_("layer"): list(names)}
    for i, head in enumerate(heads):
        columns[head] = [row[i] for row in words]
        columns[f"p · {head}"] = values[:, i].tolist()
    return columns


def _figure(columns: Sequence[Column], labels: Sequence[str], marked: int) -> None:
    figure = stage_bars(
        columns, labels, marked=marked, quiet=len(labels) - 1,
        mode=theme_mode(),
    )  # fmt: skip
    st.html(STYLE)
    with st.container(key="softmax"):
        st.plotly_chart(
            figure, theme=None, config=plot_config("softmax"), key="softmax-bars",
            alt=_(texts.SOFTMAX_TITLE),
        )  # fmt: skip
    table_fold("softmax", lambda: table(_table(columns, labels), "softmax"))


def _table(columns: Sequence[Column], labels: Sequence[str]) -> dict[str, list[str | float]]:
    named: dict[str, list[str | float]] = {_("token"): list(labels)}
    return named | {column.title: column.values.tolist() for column in columns}


def _signed_column(title: str, values: np.ndarray, ids: Sequence[int]) -> Column:
    """Return a column of numbers that cannot be added up: nothing stands for the others."""
    own = np.asarray(values, dtype=np.float64)[list(ids)]
    return Column(title, np.append(own, np.nan), [*map(signed, own.tolist()), ""])


def _column(title: str, values: np.ndarray, ids: Sequence[int], top: float | None = None) -> Column:
    all_ = np.append(values[list(ids)], rest_of(values, ids))
    return Column(title, all_, [probability(value) for value in all_.tolist()], "output", top)


def _plugged(walk: Walk, at: int, all_: Distribution, temperature: float) -> None:
    """Write the three steps with the numbers of the piece that is looked at."""
    piece = picked(walk, at)
    st.markdown(_(texts.PLUGGED).format(word=quoted(walk.token(piece))))
    stages_ = (walk.capture.logits[at], all_.scaled, all_.powers, all_.probabilities)
    logit, scaled, power, p = (float(values[piece]) for values in stages_)
    st.latex(
        r"\begin{aligned}"
        rf"\tfrac{{z}}{{T}} &= \tfrac{{{tex(logit)}}}{{{temperature:g}}} = {tex(scaled)} \\"
        rf"e^{{z/T - \max}} &= e^{{{tex(scaled)} - {tex_signed(all_.largest)}}} = {tex(power)} \\"
        rf"p &= \tfrac{{{tex(power)}}}{{{tex(all_.total)}}} = {tex(p)}"
        r"\end{aligned}"
    )
