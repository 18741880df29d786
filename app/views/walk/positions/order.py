"""What is lost without positions: the same words in two orders, read by the real model."""

import html
import random
from typing import Final, Literal

import numpy as np
import streamlit as st

from app.charts.arrange import word_groups
from app.data.translation import Token
from app.format import power, short
from app.i18n import N_, _
from app.page.quiz import Task
from app.state import Param, one_of, whole
from app.ui.chart import show_chart
from app.ui.kept import show_html
from app.ui.pickers import pick
from app.ui.table import Columns, numbered
from app.ui.token_chips import token_chips
from app.views.walk.positions import texts
from app.views.walk.positions.data import Order, Reordered, reordered
from app.views.walk.positions.place import Place
from app.views.walk.positions.reorder_chart import reorder_chart

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


def pick_order() -> None:
    """Draw the choice of the other order."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pick(ORDER, _("The other order"), ORDER_NAMES, help=_(texts.ORDER_HELP))
        if ORDER.get() == "shuffled":
            label, key, hint = _("Shuffle number"), SHUFFLE.widget(), _(texts.SEED_HELP)
            st.number_input(label, 0, 9999, key=key, help=hint, width=160)


def guess_order(_place: Place) -> Task:
    """Ask whether the model can tell two orders apart without positions."""
    options, right, wrong = [_(texts.YES), _(texts.NO)], texts.LOST_RIGHT, texts.LOST_WRONG
    return Task.of(texts.LOST_GUESS, options, [1], right, wrong)


def draw_order(place: Place) -> None:
    """Draw the tokens in both orders, and what the model writes for each."""
    walk, runs = place.walk, _runs(place)
    source = walk.capture.src
    other = [source[i] for i in runs.order]
    left, right = st.columns(2)
    with left:
        token_chips(source, key="order-given", label=_("Your order"), role="input")
    with right:
        token_chips(other, key="order-other", label=_("The other order"), role="input")
    if runs.same_text:
        st.info(_(texts.LOST_SAME))
    _draw_translations(runs)
    if place.has_positions:
        st.markdown(_(texts.LOST_MEANING))


def outputs_text(place: Place) -> str:
    """Say how far the outputs move, with positions and without."""
    runs = _runs(place)
    without, moved = runs.moved(False), runs.moved(True)
    text = texts.LOST_READ if place.has_positions else texts.LOST_NONE
    least, most = (short(value, 2) for value in (moved.min(), moved.max()))
    largest = power(without.max())
    return _(text).format(without=largest, with_least=least, with_most=most)


def draw_outputs(place: Place) -> None:
    """Draw how far each token's output moves when the order changes."""
    runs = _runs(place)
    without, moved = runs.moved(False), runs.moved(True)
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


def _runs(place: Place) -> Reordered:
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
