"""Where the position vectors come from: pairs of a sine and a cosine, in two layouts."""

import math
from collections.abc import Sequence

import streamlit as st

from app.format import grouped, number, signed
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.table import Columns
from app.views.walk.positions import texts
from app.views.walk.positions.data import HALVES, Positions, encodings, rate, wave
from app.views.walk.positions.dots import by_position
from app.views.walk.positions.layout_chart import Encodings, encoding_heatmaps
from app.views.walk.positions.place import PAIR, Place
from app.views.walk.positions.waves_chart import Wave, waves


def waves_text(place: Place) -> str:
    """Say how fast the first and the last pair turn."""
    d, half = place.d_model, place.d_model // 2
    fast, slow = (math.tau / rate(i, d, place.layout) for i in (0, half - 1))
    return _(texts.WAVES).format(half=half, fast=number(fast, 1), slow=grouped(round(slow)))


def pick_pair(place: Place) -> None:
    """Draw the choice of a pair."""
    half = place.d_model // 2
    if half > 1:
        key, hint = PAIR.widget(place.pair), _(texts.PAIR_HELP)
        st.slider(_("Pair"), 0, half - 1, key=key, help=hint)


def draw_waves(place: Place) -> None:
    """Draw pairs of components as waves, the chosen one among them."""
    half, pair = place.d_model // 2, place.pair
    shown = sorted({0, half // 4, half - 1, pair})
    drawn = [_wave(place, i) for i in shown]
    chosen = shown.index(pair)
    figure = waves(drawn, length=place.length, here=place.position, chosen=chosen)
    both = drawn[chosen].sines, drawn[chosen].cosines
    sine, cosine = (signed(values[place.position], 4) for values in both)
    read = _(texts.WAVES_READ).format(word=place.word, pair=pair, sine=sine, cosine=cosine)

    columns: dict[str, Sequence[str | float]] = {
        _("position"): [f"{i} {token.text}" for i, token in enumerate(place.tokens)]
    }
    for i, each in zip(shown, drawn, strict=True):
        columns[f"sin {i}"] = each.sines.astype(float).tolist()
        columns[f"cos {i}"] = each.cosines.astype(float).tolist()
    alt = _("Sines and cosines of some pairs, from the fastest to the slowest")
    show_chart(figure, "waves", alt, lambda: columns, caption=read)


def components(pair: int, d_model: int, layout: Positions) -> tuple[int, int]:
    """Return where the sine and the cosine of a pair lie in the vector."""
    waves_of = [wave(c, d_model, layout) for c in range(d_model)]
    return waves_of.index((pair, True)), waves_of.index((pair, False))


def layouts_text(place: Place) -> str:
    """Say how the two layouts differ."""
    return _(texts.LAYOUTS).format(pair=place.pair, word=place.word)


def draw_layouts(place: Place) -> None:
    """Draw the encodings in both layouts, one below the other."""
    layouts: tuple[Positions, ...] = ("interleaved", _halves(place))
    shown = [_encodings(place, layout) for layout in layouts]
    figure = encoding_heatmaps(shown, place.position)

    def tables() -> dict[str, Columns]:
        named = zip(layouts, shown, strict=True)
        return {f"positions-{layout}": by_position(each.values, 1) for layout, each in named}

    alt = " · ".join(each.title for each in shown)
    show_chart(figure, "positions-layouts", alt, tables=tables)


def _halves(place: Place) -> Positions:
    """Return the model's own layout in halves, or the one that is found most."""
    return place.layout if place.layout in HALVES else "half"


def _wave(place: Place, pair: int) -> Wave:
    radians = rate(pair, place.d_model, place.layout)
    turn = math.tau / radians
    every = number(turn, 1) if turn < 100 else grouped(round(turn), " ")
    name = _("pair {pair}: {n} positions a turn").format(pair=pair, n=every)
    sine, cosine = components(pair, place.d_model, place.layout)
    return Wave(name, radians, place.captured[:, sine], place.captured[:, cosine])


def _encodings(place: Place, layout: Positions) -> Encodings:
    title = _(texts.LAYOUT_NAMES[layout])
    if place.walk.config.positions == layout:
        title = _(texts.THIS_MODEL).format(layout=title)
    values = encodings(place.length, place.d_model, layout)
    return Encodings(title, values, components(place.pair, place.d_model, layout))
