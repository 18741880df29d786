"""What positions are for: distances, and a sentence in another order."""

import html
import math
import random
from functools import partial
from typing import Final, Literal

import numpy as np
import streamlit as st

from app.charts.arrange import word_groups
from app.data.translation import Token
from app.format import number, power, short
from app.i18n import N_, _
from app.inspector.picks import pick_word, token_chips
from app.page.kit import Code, QuizTask, Screens, guess, pick, say, show_chart, side_by_side
from app.state import Param, one_of, whole
from app.ui.kept import show_html
from app.ui.table import Columns, numbered
from app.views.walk.positions.charts import dots_heatmap, dots_row, reorder_chart
from app.views.walk.positions.data import Order, Reordered, reordered
from app.views.walk.positions.places import PlacedWord, by_position, pick_place

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


def pick_order() -> None:
    """Draw the choice of the other order."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        about = _("The order in which the model reads your words the second time.")
        pick(ORDER, _("The other order"), ORDER_NAMES, help=about)
        if ORDER.get() == "shuffled":
            label, key = _("Shuffle number"), SHUFFLE.widget()
            hint = _("Another number shuffles the words in another way.")
            st.number_input(label, 0, 9999, key=key, help=hint, width=160)


def pick_reordered(place: PlacedWord) -> None:
    """Draw the choice of an order and of a token of the source."""
    pick_token = partial(pick_word, place.walk.capture.src, _("Token"), place.source_position)
    side_by_side([0.45, 0.55], pick_order, pick_token)


screens = Screens[PlacedWord]()


@screens(
    "dots",
    N_("How near are two positions?"),
    when=lambda place: place.has_positions,
    pick=pick_place,
    was=("dots-row",),
)
def draw_dots(place: PlacedWord) -> None:
    """Draw the dot products of all pairs of positions."""
    a, dots = place.position, place.dots
    own, near = (number(dots[a, other]) for other in (a, a + 1))
    text = _(
        "The dot product tells how much two vectors point the same way. Between a position vector "
        "and itself it is {self}, which is d_model ÷ 2; between positions {a} and {b} it is {near}."
    )
    say(text.format(self=own, near=near, a=a, b=a + 1))
    c = place.length - 2
    asks = N_("And between positions {c} and {d}, much further on?")
    options = [_("smaller"), _("the same"), _("larger")]
    says = N_("Yes: {near} again."), N_("It is {near} again.")
    guess(QuizTask.of(asks, options, [1], *says, c=c, d=c + 1, near=near))
    left, right = st.columns(2, gap="medium")
    with left:
        title = _("p · p of all positions")
        figure = dots_heatmap(dots, a, title)
        show_chart(figure, "dots", title, lambda: by_position(dots, 0))
        text = _(
            "Look along the diagonals: the colour stays the same. The product depends on the "
            "distance alone, so “two tokens back” looks the same at the beginning and at the "
            "end of a sentence."
        )
        st.markdown(text)
    with right:
        p = np.asarray(place.captured, dtype=float)  # (T, D)
        difference = float(np.abs(p @ p.T - dots[: len(p), : len(p)]).max())
        text = _(
            "One row of that picture, the one of “{word}”: the product is largest with its own "
            "position, and falls off with the distance, in waves. The curve is the formula, the "
            "dots are the captured vectors; they differ by {difference} at most."
        )
        say(text.format(word=place.word, difference=power(difference)))
        title = _("The row of “{word}”, position {place}").format(word=place.text, place=a)
        words = [token.text for token in place.tokens]
        figure = dots_row(dots[a], p @ p[a], words, a, title)
        captured = [*(p @ p[a]).tolist(), *[math.nan] * (place.length - len(p))]
        columns = {_("position"): [str(i) for i in range(place.length)]}
        values = {_("formula"): dots[a].tolist(), _("captured"): captured}
        show_chart(figure, "dots-row", title, lambda: columns | values)


@screens(
    "lost",
    N_("What is lost without positions"),
    Code(
        N_("Taking the positions away: a hook that returns zeros"),
        r"p_{pos} \leftarrow 0",
        "model.nn.hooks:Intervention",
    ),
    pick=pick_reordered,
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
    text = (
        N_(
            "Without positions, the encoder's output for each token is the same in both orders: "
            "they differ by {without} at most, which is rounding. With positions, each token's "
            "two outputs differ by {with_least} to {with_most}: now the order counts."
        )
        if place.has_positions
        else N_(
            "This model has no positions, so there is nothing to take away: either way, each "
            "token's output is the same in both orders, up to {without}."
        )
    )
    least, most = (short(value, 2) for value in (moved.min(), moved.max()))
    largest = power(without.max())
    say(_(text).format(without=largest, with_least=least, with_most=most))
    words = [token.text for token in place.walk.capture.src]
    figure = reorder_chart(without, moved, words, place.source_position)
    columns: Columns = {
        _("token"): numbered(words),
        _("its place in the other order"): [str(i + 1) for i in np.argsort(runs.order)],
        _("without positions"): without.tolist(),
        _("with positions"): moved.tolist(),
    }
    alt = _("How far each token's output moves when the order changes")
    show_chart(figure, "order", alt, lambda: columns)


def another_order(tokens: tuple[Token, ...], how: How, seed: int) -> Order:
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


def _runs(place: PlacedWord) -> Reordered:
    walk = place.walk
    return reordered(walk, another_order(walk.capture.src, ORDER.get(), SHUFFLE.get()))


def _draw_translations(runs: Reordered) -> None:
    names = _("Your order"), _("The other order")
    lines = zip(names, runs.outputs[True], runs.outputs[False], strict=True)
    heads = "".join(
        f"<th scope='col'>{html.escape(name)}</th>"
        for name in (_("with positions"), _("without positions"))
    )
    body = "".join(
        f"<tr><th scope='row'>{name}</th><td>{with_positions}</td><td>{without}</td></tr>"
        for name, with_positions, without in (map(html.escape, line) for line in lines)
    )
    show_html(f"{STYLE}<table class='orders'><tr><td></td>{heads}</tr>{body}</table>")
