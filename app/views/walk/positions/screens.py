"""Positions as waves, their sum with the embedding, and a sentence in another order."""

import html
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

import numpy as np
import streamlit as st

from app.charts.arrange import word_groups
from app.data.translation import Token
from app.data.walk import Walk
from app.format import escape, grouped, number, power, quoted, short, signed
from app.i18n import N_, _
from app.inspector.arrays import Op, arrays, grid
from app.inspector.picks import SENTENCES, SIDE, Side, pick_word, token_chips, word_of
from app.page.kit import Code, QuizTask, Screens, beside, guess, one_by_one, pick, say, show_chart
from app.state import Param, one_of, whole
from app.ui.kept import show_html
from app.ui.table import Columns, numbered
from app.views.walk.positions import charts, data

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
    def layout(self) -> data.Positions:
        """The model's layout; the paper's for a model without positions."""
        return self.walk.config.positions if self.has_positions else "interleaved"

    @property
    def length(self) -> int:
        """How many positions are drawn."""
        return max(len(self.tokens), SHOWN)


HEIGHT = 66  # of the cells of each matrix, in pixels


def place_of(walk: Walk) -> PlacedWord:
    """Return what is chosen; what the sentence or the model lacks counts as the default."""
    side = SIDE.get()
    pair = min(PAIR.get(), walk.config.d_model // 2 - 1)
    return PlacedWord(walk, side, word_of(walk.capture.tokens(side), DEFAULT), pair)


def _pick_token(place: PlacedWord) -> None:
    pick_word(place.tokens, _("Token"), place.position)


def _pick_sentence(_place: PlacedWord) -> None:
    pick(SIDE, _("Positions of"), SENTENCES)


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


def _draw_no_positions(place: PlacedWord) -> None:
    if not place.has_positions:
        text = _(
            "This model was trained without positions: every p is 0. The waves on this page "
            "are what it could have used."
        )
        st.info(text)


pick_place = one_by_one(beside([0.35, 0.65], _pick_sentence, _pick_token), _draw_no_positions)
pick_waves = one_by_one(beside([0.55, 0.45], _pick_token, pick_pair), _draw_no_positions)
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
    x, p = (place.walk.length(f"{place.side}.{name}", index) for name in ("embed", "pos"))
    text = _(
        "Take “{word}” at position {place} (counted from 0, like ids). Its vector x and its "
        "position vector p have {d} numbers each, and are added number by number. The norm of x "
        "is {x}, that of p is {p}: every p has the same norm, and only its direction differs."
    )
    norms = {"x": number(x, 1), "p": number(p, 1)}
    say(text, word=place.word, place=place.position, d=place.d_model, **norms)
    titles = f"x · {quoted(place.text)}", f"p · {place.position}", "x + p"
    _draw(place, index, titles, "sum")


@screens.drawer("all", N_("The same for the whole sentence"))
def draw_all(place: PlacedWord) -> None:
    """Draw X + P for the whole sentence."""
    text = _(
        "X changes with the tokens, P does not: the row of position {place} is the same in every "
        "sentence that you could type."
    )
    say(text, place=place.position)
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
    fast, slow = (math.tau / data.rate(i, d, place.layout) for i in (0, half - 1))
    text = _(
        "These numbers are not trained, they are a formula: {half} pairs, each the sine and the "
        "cosine of one angle, like the hand of a clock. The first pair turns once every {fast} "
        "positions and tells neighbours apart; the last one, every {slow}, tells the ends of a "
        "long text apart."
    )
    say(text, half=half, fast=number(fast, 1), slow=grouped(round(slow)))
    pair = place.pair
    shown = sorted({0, half // 4, half - 1, pair})
    drawn = [_wave(place, i) for i in shown]
    chosen = shown.index(pair)
    figure = charts.waves(drawn, length=place.length, here=place.position, chosen=chosen)
    own, at = drawn[chosen], place.position
    sine, cosine = signed(own.sines[at], 4), signed(own.cosines[at], 4)
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
    say(text, pair=place.pair, word=place.word)
    # The model's own layout in halves, or the one that is found most.
    halves: data.Positions = place.layout if place.layout in data.HALVES else "half"
    layouts: tuple[data.Positions, ...] = ("interleaved", halves)
    shown = [_encodings(place, layout) for layout in layouts]
    figure = charts.encoding_heatmaps(shown, place.position)

    def tables() -> dict[str, Columns]:
        named = zip(layouts, shown, strict=True)
        return {f"positions-{layout}": by_position(each.values, 1) for layout, each in named}

    alt = " · ".join(each.title for each in shown)
    show_chart(figure, "positions-layouts", alt, tables=tables)


def components(pair: int, d_model: int, layout: data.Positions) -> tuple[int, int]:
    """Return where the sine and the cosine of a pair lie in the vector."""
    waves_of = [data.wave(c, d_model, layout) for c in range(d_model)]
    return waves_of.index((pair, True)), waves_of.index((pair, False))


def _wave(place: PlacedWord, pair: int) -> charts.Wave:
    radians = data.rate(pair, place.d_model, place.layout)
    turn = math.tau / radians
    every = number(turn, 1) if turn < 100 else grouped(round(turn), " ")
    name = _("pair {pair}: {n} positions a turn").format(pair=pair, n=every)
    sine, cosine = components(pair, place.d_model, place.layout)
    return charts.Wave(name, radians, place.captured[:, sine], place.captured[:, cosine])


def _encodings(place: PlacedWord, layout: data.Positions) -> charts.Encodings:
    title = _(LAYOUT_NAMES[layout])
    if place.walk.config.positions == layout:
        title = _("{layout}, this model's").format(layout=title)
    values = data.encodings(place.length, place.d_model, layout)
    return charts.Encodings(title, values, components(place.pair, place.d_model, layout))


def by_position(values: np.ndarray, first: int) -> Columns:
    """Return numbers (N, K) as columns of a table, counted from `first`, one row a position."""
    columns = {str(i): column for i, column in enumerate(values.T.tolist(), first)}
    return {_("position"): [str(i) for i in range(len(values))], **columns}


# A model that goes astray may write one endless word: it must break.
STYLE: Final = """<style>
.orders { width: 100%; table-layout: fixed; border-collapse: collapse; overflow-wrap: anywhere; }
.orders th, .orders td { text-align: start; vertical-align: top; padding: 0.4rem 0.6rem;
  border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
.orders tr > :first-child { width: 22%; }
</style>"""
How = Literal["reversed", "rotated", "shuffled"]
ORDER: Final = Param[How]("order", "reversed", one_of("reversed", "rotated", "shuffled"))
ORDER_NAMES: Final[dict[How, str]] = {
    "reversed": N_("Reversed"),
    "rotated": N_("First word last"),
    "shuffled": N_("Shuffled"),
}
SHUFFLE: Final = Param[int]("shuffle", 1, whole(0, 9999))


def pick_order(_place: PlacedWord) -> None:
    """Draw the choice of the other order."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        about = _("The order in which the model reads your words the second time.")
        pick(ORDER, _("The other order"), ORDER_NAMES, help=about)
        if ORDER.get() == "shuffled":
            label, key = _("Shuffle number"), SHUFFLE.widget()
            hint = _("Another number shuffles the words in another way.")
            st.number_input(label, 0, 9999, key=key, help=hint, width=160)


def pick_source(place: PlacedWord) -> None:
    """Draw the choice of a token of the source."""
    pick_word(place.walk.capture.src, _("Token"), place.source_position)


@screens(
    "dots",
    N_("How near are two positions?"),
    when=lambda place: place.has_positions,
    pick=pick_place,
    was=("dots-row",),
)
def draw_dots(place: PlacedWord) -> None:
    """Draw the dot products of all pairs of positions."""
    a, dots = place.position, data.position_dots(place.length, place.d_model, place.layout)
    own, near = (number(dots[a, other]) for other in (a, a + 1))
    text = _(
        "The dot product tells how much two vectors point the same way. Between a position vector "
        "and itself it is {self}, which is d_model ÷ 2; between positions {a} and {b} it is {near}."
    )
    say(text, self=own, near=near, a=a, b=a + 1)
    c = place.length - 2
    asks = N_("And between positions {c} and {d}, much further on?")
    options = [_("smaller"), _("the same"), _("larger")]
    says = N_("Yes: {near} again."), N_("It is {near} again.")
    guess(QuizTask.of(asks, options, [1], *says, c=c, d=c + 1, near=near))
    left, right = st.columns(2, gap="medium")
    with left:
        title = _("p · p of all positions")
        figure = charts.dots_heatmap(dots, a, title)
        show_chart(figure, "dots", title, lambda: by_position(dots, 0))
        text = _(
            "Look along the diagonals: the colour stays the same. The product depends on the "
            "distance alone, so “two tokens back” looks the same at the beginning and at the "
            "end of a sentence."
        )
        st.markdown(text)
    with right:
        captured = data.likeness(np.asarray(place.captured, dtype=float))  # (T, T)
        T = len(captured)
        difference = float(np.abs(captured - dots[:T, :T]).max())
        text = _(
            "One row of that picture, the one of “{word}”: the product is largest with its own "
            "position, and falls off with the distance, in waves. The curve is the formula, the "
            "dots are the captured vectors; they differ by {difference} at most."
        )
        say(text, word=place.word, difference=power(difference))
        title = _("The row of “{word}”, position {place}").format(word=place.text, place=a)
        words = [token.text for token in place.tokens]
        figure = charts.dots_row(dots[a], captured[a], words, a, title)
        row = [*captured[a].tolist(), *[math.nan] * (place.length - T)]
        columns = {_("position"): [str(i) for i in range(place.length)]}
        values = {_("formula"): dots[a].tolist(), _("captured"): row}
        show_chart(figure, "dots-row", title, lambda: columns | values)


@screens(
    "lost",
    N_("What is lost without positions"),
    Code(
        N_("Taking the positions away: a hook that returns zeros"),
        r"p_{pos} \leftarrow 0",
        "model.nn.hooks:Intervention",
    ),
    pick=beside([0.45, 0.55], pick_order, pick_source),
    was=("strips",),
)
def draw_order(place: PlacedWord) -> None:
    """Draw the tokens in both orders, and what the model writes for each."""
    text = _(
        "Now take the positions away. The model you have used all along translates your tokens in "
        "their order and in another one, first with their positions, then with zeros in the place "
        "of every p."
    )
    say(text)
    asks = N_("Without positions, will it write different translations for the two?")
    says = N_("Right: compare the last column."), N_("Compare the last column.")
    guess(QuizTask.of(asks, [_("yes"), _("no")], [1], *says))
    source, runs = place.walk.capture.src, _runs(place)
    other = [source[i] for i in runs.order]
    left, right = st.columns(2)
    with left:
        token_chips(source, key="order-given", label=_("Your order"), role="input")
    with right:
        token_chips(other, key="order-other", label=_("The other order"), role="input")
    if runs.same_text:
        text = _(
            "These words read the same in the other order. Choose another order, or another "
            "sentence, to see a difference."
        )
        st.info(text)
    _draw_translations(runs)
    if place.has_positions:
        text = _(
            "Without positions, the model cannot tell the two orders apart. It has never seen "
            "a sentence without them, so it may go astray."
        )
        st.markdown(text)


@screens.drawer("outputs", N_("The same outputs in another order"))
def draw_outputs(place: PlacedWord) -> None:
    """Draw how far each token's output moves when the order changes."""
    runs = _runs(place)
    without, moved = runs.moved(False), runs.moved(True)
    text = _(
        "This model has no positions, so there is nothing to take away: either way, each token's "
        "output is the same in both orders, up to {without}."
    )
    if place.has_positions:
        text = _(
            "Without positions, the encoder's output for each token is the same in both orders: "
            "they differ by {without} at most, which is rounding. With positions, each token's "
            "two outputs differ by {with_least} to {with_most}: now the order counts."
        )
    least, most = short(moved.min(), 2), short(moved.max(), 2)
    say(text, without=power(without.max()), with_least=least, with_most=most)
    words = [token.text for token in place.walk.capture.src]
    figure = charts.reorder_chart(without, moved, words, place.source_position)
    columns: Columns = {
        _("token"): numbered(words),
        _("its place in the other order"): [str(i + 1) for i in np.argsort(runs.order)],
        _("without positions"): without.tolist(),
        _("with positions"): moved.tolist(),
    }
    alt = _("How far each token's output moves when the order changes")
    show_chart(figure, "order", alt, lambda: columns)


def another_order(tokens: tuple[Token, ...], how: How, seed: int) -> data.Order:
    """Return the tokens' places in another order: whole words, and the end stays the end.

    Where there is one word only, its pieces change places, or the one piece and the end.
    """
    units = list(word_groups([token.starts_word or token.special for token in tokens]))
    if len(units) < 3:
        units = [(i,) for i in range(len(tokens))]
    end = [units.pop()] if len(units) > 2 else []
    return tuple(i for unit in (*_arranged(units, how, seed), *end) for i in unit)


def _arranged(units: list[tuple[int, ...]], how: How, seed: int) -> list[tuple[int, ...]]:
    if how == "reversed":
        return units[::-1]
    if how == "rotated":
        return [*units[1:], *units[:1]]
    shuffled = random.Random(seed).sample(units, len(units))
    return shuffled if shuffled != units else [*units[1:], *units[:1]]


def _runs(place: PlacedWord) -> data.Reordered:
    walk = place.walk
    return data.reordered(walk, another_order(walk.capture.src, ORDER.get(), SHUFFLE.get()))


def _draw_translations(runs: data.Reordered) -> None:
    names = _("Your order"), _("The other order")
    lines = zip(names, runs.outputs[True], runs.outputs[False], strict=True)
    titles = html.escape(_("with positions")), html.escape(_("without positions"))
    heads = "".join(f"<th scope='col'>{title}</th>" for title in titles)
    body = "".join(
        f"<tr><th scope='row'>{name}</th><td>{with_positions}</td><td>{without}</td></tr>"
        for name, with_positions, without in (map(html.escape, line) for line in lines)
    )
    show_html(f"{STYLE}<table class='orders'><tr><td></td>{heads}</tr>{body}</table>")
