"""Positions as waves, and their sum with the embedding."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

import numpy as np
import streamlit as st

from app.data.translation import Token
from app.data.walk import Walk
from app.format import escape, grouped, number, quoted, signed
from app.i18n import N_, _
from app.inspector.arrays import Op, arrays, grid
from app.inspector.picks import SENTENCES, SIDE, Side, pick_side, pick_word, word_of
from app.page.kit import Code, Screens, say, show_chart, side_by_side
from app.state import Param, whole
from app.ui.table import Columns
from app.views.walk.positions.charts import Encodings, Wave, encoding_heatmaps, waves
from app.views.walk.positions.data import HALVES, Positions, encodings, position_dots, rate, wave

LAYOUT_NAMES: Final = {
    "interleaved": N_("Interleaved"),
    "half": N_("Half and half"),
    "marian": N_("Half and half, the paper's rates"),
}
PAIR: Final = Param[int]("pair", 4, whole(0, 100_000))
SHOWN: Final = 32  # positions drawn at the least: a wave must have room to turn
DEFAULT: Final = 1  # at position 0 all sines are 0 and all cosines 1: a poor example


@dataclass(frozen=True, eq=False)
class PlacedWord:
    """A word of one side at its position, and the pair of components that is marked."""

    walk: Walk
    side: Side
    position: int
    pair: int

    @property
    def tokens(self) -> tuple[Token, ...]:
        return self.walk.capture.tokens(self.side)

    @property
    def text(self) -> str:
        return self.tokens[self.position].text

    @property
    def source_position(self) -> int:
        """The position in the source; the first where a word of the other side is chosen."""
        return self.position if self.side == "src" else 0

    @property
    def word(self) -> str:
        """The word, for Markdown."""
        return escape(self.text)

    @cached_property
    def captured(self) -> np.ndarray:
        """The position vectors that the model added, (T, D)."""
        return self.walk.array(f"{self.side}.pos")

    @property
    def has_positions(self) -> bool:
        return self.walk.config.positions != "none"

    @property
    def d_model(self) -> int:
        return self.walk.config.d_model

    @property
    def layout(self) -> Positions:
        """The model's layout; the paper's for a model without positions."""
        return self.walk.config.positions if self.has_positions else "interleaved"

    @property
    def length(self) -> int:
        """How many positions are drawn."""
        return max(len(self.tokens), SHOWN)

    @cached_property
    def dots(self) -> np.ndarray:
        """The dot product of each pair of positions, by formula, (N, N)."""
        return position_dots(self.length, self.d_model, self.layout)


HEIGHT = 66  # of the cells of each matrix, in pixels


def place_of(walk: Walk) -> PlacedWord:
    """Return what is chosen; what the sentence or the model lacks counts as the default."""
    side = SIDE.get()
    pair = min(PAIR.get(), walk.config.d_model // 2 - 1)
    return PlacedWord(walk, side, word_of(walk.capture.tokens(side), DEFAULT), pair)


def pick_place(place: PlacedWord) -> None:
    """Draw the choice of a side and of a token in it."""
    pick_sentence = partial(pick_side, _("Positions of"), SENTENCES)
    side_by_side([0.35, 0.65], pick_sentence, partial(_pick_token, place))
    draw_no_positions(place)


def pick_waves(place: PlacedWord) -> None:
    """Draw the choice of a token and of a pair of sine and cosine."""
    side_by_side([0.55, 0.45], partial(_pick_token, place), partial(pick_pair, place))
    draw_no_positions(place)


def _pick_token(place: PlacedWord) -> None:
    pick_word(place.tokens, _("Token"), place.position)


screens = Screens[PlacedWord]()


@screens(
    "sum",
    N_("A token and its position, added"),
    Code(
        N_("Embedding plus position"),
        r"x_{pos} = \sqrt{d_\text{model}} \cdot \text{embedding}_{pos} + p_{pos}",
        "model.nn.transformer:Transformer.embed",
    ),
    pick=pick_place,
)
def draw_sum(place: PlacedWord) -> None:
    """Draw x + p for the chosen token."""
    index = (place.position, None)
    x, p = (
        float(np.linalg.norm(place.walk.array(f"{place.side}.{name}", index)))
        for name in ("embed", "pos")
    )
    text = _(
        "Take “{word}” at position {place} (counted from 0, like ids). Its vector x and its "
        "position vector p have {d} numbers each, and are added number by number. The norm of x "
        "is {x}, that of p is {p}: every p has the same norm, and only its direction differs."
    )
    norms = {"x": number(x, 1), "p": number(p, 1)}
    say(text.format(word=place.word, place=place.position, d=place.d_model, **norms))
    titles = f"x · {quoted(place.text)}", f"p · {place.position}", "x + p"
    _draw(place, index, titles, "sum")


@screens.drawer("all", N_("The same for the whole sentence"))
def draw_all(place: PlacedWord) -> None:
    """Draw X + P for the whole sentence."""
    text = _(
        "X changes with the tokens, P does not: the row of position {place} is the same in every "
        "sentence that you could type."
    )
    say(text.format(place=place.position))
    _draw(place, (None, None), ("X", "P", "X + P"), "sums", height=HEIGHT)


def _draw(
    place: PlacedWord,
    index: tuple[int | None, ...],
    titles: tuple[str, str, str],
    key: str,
    **look: float,
) -> None:
    """Draw embedding + position = sum on one scale, so that their colours can be compared."""
    names = [f"{place.side}.{name}" for name in ("embed", "pos", "sum")]
    reach = max(float(np.abs(place.walk.array(name, index)).max()) for name in names)
    x, p, both = (
        grid(place.walk, name, index, title, reach=reach, **look)
        for name, title in zip(names, titles, strict=True)
    )
    arrays(place.walk, [x, Op("+"), p, Op("="), both], key=key)


def draw_no_positions(place: PlacedWord) -> None:
    """Say it where the model has no positions."""
    if not place.has_positions:
        text = _(
            "This model was trained without positions: every p is 0. The waves on this page "
            "are what it could have used."
        )
        st.info(text)


@screens(
    "waves",
    N_("A clock with many hands"),
    Code(
        N_("The position vectors"),
        r"p_{pos,\,2i} = \sin\frac{pos}{10000^{2i/d_\text{model}}} \qquad"
        r" p_{pos,\,2i+1} = \cos\frac{pos}{10000^{2i/d_\text{model}}}",
        "model.nn.positional:positional_encoding",
    ),
    pick=pick_waves,
)
def draw_waves(place: PlacedWord) -> None:
    """Draw pairs of components as waves, the chosen one among them."""
    d, half = place.d_model, place.d_model // 2
    fast, slow = (math.tau / rate(i, d, place.layout) for i in (0, half - 1))
    text = _(
        "These numbers are not trained, they are a formula: {half} pairs, each the sine and the "
        "cosine of one angle, like the hand of a clock. The first pair turns once every {fast} "
        "positions and tells neighbours apart; the last one, every {slow}, tells the ends of a "
        "long text apart."
    )
    say(text.format(half=half, fast=number(fast, 1), slow=grouped(round(slow))))
    pair = place.pair
    shown = sorted({0, half // 4, half - 1, pair})
    drawn = [_wave(place, i) for i in shown]
    chosen = shown.index(pair)
    figure = waves(drawn, length=place.length, here=place.position, chosen=chosen)
    both = drawn[chosen].sines, drawn[chosen].cosines
    sine, cosine = (signed(values[place.position], 4) for values in both)
    read = _(
        "Curves: the formula; dots: what the model added. The dotted line is the p of “{word}”: "
        "pair {pair} has sine {sine}, cosine {cosine}."
    ).format(word=place.word, pair=pair, sine=sine, cosine=cosine)

    columns: dict[str, Sequence[str | float]] = {
        _("position"): [f"{i} {token.text}" for i, token in enumerate(place.tokens)]
    }
    for i, each in zip(shown, drawn, strict=True):
        columns[f"sin {i}"] = each.sines.astype(float).tolist()
        columns[f"cos {i}"] = each.cosines.astype(float).tolist()
    alt = _("Sines and cosines of some pairs, from the fastest to the slowest")
    show_chart(figure, "waves", alt, lambda: columns, caption=read)


@screens.drawer("layouts", N_("Two ways to lay out the same pairs"))
def draw_layouts(place: PlacedWord) -> None:
    """Draw the encodings in both layouts, one below the other."""
    text = _(
        "Interleaved, as in the paper: sine, cosine, sine, cosine … Half and half, as in the first "
        "published code: all the sines, then all the cosines (its slowest pair is exactly 10000 "
        "times as slow as its fastest). Triangles mark pair {pair}, the frame the row of “{word}”."
    )
    say(text.format(pair=place.pair, word=place.word))
    # The model's own layout in halves, or the one that is found most.
    halves: Positions = place.layout if place.layout in HALVES else "half"
    layouts: tuple[Positions, ...] = ("interleaved", halves)
    shown = [_encodings(place, layout) for layout in layouts]
    figure = encoding_heatmaps(shown, place.position)

    def tables() -> dict[str, Columns]:
        named = zip(layouts, shown, strict=True)
        return {f"positions-{layout}": by_position(each.values, 1) for layout, each in named}

    alt = " · ".join(each.title for each in shown)
    show_chart(figure, "positions-layouts", alt, tables=tables)


def pick_pair(place: PlacedWord) -> None:
    """Draw the choice of a pair."""
    half = place.d_model // 2
    if half > 1:
        key = PAIR.widget(place.pair)
        hint = _(
            "Which sine and cosine are marked, from the fastest to the slowest; like the i of "
            "the formula, pairs count from 0."
        )
        st.slider(_("Pair"), 0, half - 1, key=key, help=hint)


def components(pair: int, d_model: int, layout: Positions) -> tuple[int, int]:
    """Return where the sine and the cosine of a pair lie in the vector."""
    waves_of = [wave(c, d_model, layout) for c in range(d_model)]
    return waves_of.index((pair, True)), waves_of.index((pair, False))


def _wave(place: PlacedWord, pair: int) -> Wave:
    radians = rate(pair, place.d_model, place.layout)
    turn = math.tau / radians
    every = number(turn, 1) if turn < 100 else grouped(round(turn), " ")
    name = _("pair {pair}: {n} positions a turn").format(pair=pair, n=every)
    sine, cosine = components(pair, place.d_model, place.layout)
    return Wave(name, radians, place.captured[:, sine], place.captured[:, cosine])


def _encodings(place: PlacedWord, layout: Positions) -> Encodings:
    title = _(LAYOUT_NAMES[layout])
    if place.walk.config.positions == layout:
        title = _("{layout}, this model's").format(layout=title)
    values = encodings(place.length, place.d_model, layout)
    return Encodings(title, values, components(place.pair, place.d_model, layout))


def by_position(values: np.ndarray, first: int) -> Columns:
    """Return numbers (N, K) as columns of a table, counted from `first`, one row a position."""
    columns = {str(i): column for i, column in enumerate(values.T.tolist(), first)}
    return {_("position"): [str(i) for i in range(len(values))], **columns}
