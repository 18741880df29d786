"""Where the position vectors come from: waves, their two layouts, and their dot products."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from app.charts.toolbar import plot_config
from app.data.walk import ModelConfig, Walk
from app.format import escape, grouped, maths
from app.i18n import _
from app.inspect.side import Side, tokens
from app.state import Param, whole
from app.ui.chart import theme_mode
from app.ui.section import section
from app.ui.table import table, table_fold
from app.views.walk.positions import texts
from app.views.walk.positions.data import Positions, encodings, position_dots, rate, wave
from app.views.walk.positions.layout_chart import (
    Encodings,
    dots_heatmap,
    dots_row,
    encoding_heatmaps,
)
from app.views.walk.positions.waves_chart import Wave, waves

PAIR: Final = Param[int]("pair", 4, whole(0, 100_000))
SHOWN: Final = 32  # positions drawn at the least: a wave must have room to turn


def layout_of(config: ModelConfig) -> Positions:
    """Return the model's layout; the paper's for a model without positions."""
    return "interleaved" if config.positions == "none" else config.positions


def draw_waves(walk: Walk, side: Side, word: int) -> None:
    """Draw pairs of components as waves, the chosen one among them."""
    config, half = walk.config, walk.config.d_model // 2
    layout, pair = layout_of(config), _pair(walk.config)
    turns = [math.tau / rate(i, config.d_model, layout) for i in (0, half - 1)]
    section(
        _("A clock with many hands"),
        _(texts.WAVES).format(
            d=config.d_model, half=half, fast=f"{turns[0]:.1f}", slow=grouped(round(turns[1]))
        ),
    )
    if half > 1:
        st.slider(
            _("Pair"), 0, half - 1, key=PAIR.widget(pair),
            help=_("Which sine and cosine are marked, from the fastest (0) to the slowest."),
        )  # fmt: skip
    chosen = sorted({0, half // 8, half // 4, 3 * half // 8, half // 2, half - 1, pair})
    captured = walk.array(f"{side}.pos")  # (T, D)
    drawn = [_wave(config, layout, captured, i) for i in chosen]
    figure = waves(
        drawn,
        length=max(len(captured), SHOWN),
        here=word,
        chosen=chosen.index(pair),
        names=(_("sine"), _("cosine")),
        x_title=_("position"),
        mode=theme_mode(),
    )
    st.plotly_chart(
        figure, theme=None, config=plot_config("waves"), key="waves",
        alt=_("Sines and cosines of some pairs, from the fastest to the slowest"),
    )  # fmt: skip
    mine = drawn[chosen.index(pair)]
    st.caption(
        _(texts.WAVES_READ).format(
            word=escape(tokens(walk, side)[word].text), pair=pair,
            sine=f"{mine.sines[word]:+.4f}", cosine=f"{mine.cosines[word]:+.4f}",
        )
    )  # fmt: skip
    table_fold("waves", lambda: _waves_table(walk, side, drawn, chosen))


def _wave(config: ModelConfig, layout: Positions, captured: np.ndarray, pair: int) -> Wave:
    turning = rate(pair, config.d_model, layout)
    sine, cosine = components(pair, config.d_model, layout)
    turn = math.tau / turning
    every = f"{turn:.1f}" if turn < 100 else grouped(round(turn), " ")
    name = _("pair {pair}: {n} words a turn").format(pair=pair, n=every)
    return Wave(name, turning, captured[:, sine], captured[:, cosine])


def components(pair: int, d_model: int, layout: Positions) -> tuple[int, int]:
    """Return where the sine and the cosine of a pair lie in the vector."""
    sine, cosine = (
        next(c for c in range(d_model) if wave(c, d_model, layout) == (pair, is_sine))
        for is_sine in (True, False)
    )
    return sine, cosine


def draw_layouts(walk: Walk, side: Side, word: int) -> None:
    """Draw the encodings in both layouts, one below the other."""
    config, pair = walk.config, _pair(walk.config)
    read = tokens(walk, side)
    section(
        _("Two ways to lay out the same pairs"),
        _(texts.LAYOUTS).format(pair=pair, word=escape(read[word].text)),
    )
    both: tuple[Positions, Positions] = ("interleaved", "half")
    length = max(len(read), SHOWN)
    shown = []
    for layout in both:
        name = _(texts.LAYOUT_NAMES[layout])
        title = _(texts.THIS_MODEL).format(layout=name) if config.positions == layout else name
        values = encodings(length, config.d_model, layout)
        shown.append(Encodings(title, values, components(pair, config.d_model, layout)))
    figure = encoding_heatmaps(
        shown, here=word, x_title=_("component"), y_title=_("position"),
        mode=theme_mode(),
    )  # fmt: skip
    st.plotly_chart(
        figure, theme=None, config=plot_config("positions-layouts"), key="layouts",
        alt=" · ".join(each.title for each in shown),
    )  # fmt: skip
    table_fold("layouts", lambda: _layout_tables(length, config.d_model, both))


def draw_dots(walk: Walk, side: Side, word: int) -> None:
    """Draw the dot products of all pairs of positions, and one position's row."""
    config, mode = walk.config, theme_mode()
    read = [token.text for token in tokens(walk, side)]
    p = np.asarray(walk.array(f"{side}.pos"), dtype=float)  # (T, D)
    dots = position_dots(max(len(p), SHOWN), config.d_model, layout_of(config))
    own, near = (f"{dots[word, other]:.2f}" for other in (word, word + 1))
    section(_("How near are two positions?"), maths(_(texts.DOTS).format(self=own, near=near)))
    difference = float(np.abs(p @ p.T - dots[: len(p), : len(p)]).max())
    left, right = st.columns(2)
    with left:
        title = _("p · p of all positions")
        figure = dots_heatmap(
            dots, here=word, title=title, x_title=_("position"), y_title=_("position"), mode=mode
        )
        st.plotly_chart(figure, theme=None, config=plot_config("dots"), key="dots", alt=title)
    with right:
        title = _("The row of “{word}”, position {place}").format(word=read[word], place=word)
        figure = dots_row(
            dots[word], p @ p[word], read, here=word, title=title,
            x_title=_("position"), y_title=_("dot product"), mode=mode,
        )  # fmt: skip
        st.plotly_chart(figure, theme=None, config=plot_config("dots-row"), key="row", alt=title)
    st.caption(_(texts.DOTS_READ).format(difference=f"{difference:.1e}"))
    table_fold("dots", lambda: _matrix(dots, _("position"), "position-dots"))


def _pair(config: ModelConfig) -> int:
    return min(PAIR.get(), config.d_model // 2 - 1)


def _waves_table(walk: Walk, side: Side, drawn: Sequence[Wave], pairs: Sequence[int]) -> None:
    words = [f"{i} {token.text}" for i, token in enumerate(tokens(walk, side))]
    columns: dict[str, list[str | float]] = {_("position"): [*words]}
    for pair, one in zip(pairs, drawn, strict=True):
        columns[f"sin {pair}"] = [float(value) for value in one.sines]
        columns[f"cos {pair}"] = [float(value) for value in one.cosines]
    table(columns, "waves")


def _layout_tables(length: int, d_model: int, layouts: Sequence[Positions]) -> None:
    for layout in layouts:
        st.markdown(f"**{_(texts.LAYOUT_NAMES[layout])}**")
        _matrix(encodings(length, d_model, layout), _("position"), f"positions-{layout}")


def _matrix(values: np.ndarray, corner: str, name: str) -> None:
    columns: dict[str, list[str | float]] = {corner: [str(i) for i in range(len(values))]}
    columns |= {str(j): values[:, j].tolist() for j in range(values.shape[1])}
    table(columns, name)
