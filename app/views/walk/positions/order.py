"""What is lost without positions: the same words in two orders, read by the real model."""

import html
import random
from typing import Final, Literal

import numpy as np
import streamlit as st

from app.charts.arrange import word_groups
from app.charts.theme import Role
from app.charts.toolbar import plot_config
from app.components.board import Grid
from app.components.chips import Chip, chips
from app.data.translation import Token
from app.data.walk import Walk
from app.format import escape
from app.i18n import _
from app.inspect.arrays import arrays
from app.inspect.side import Side
from app.state import Param, one_of, whole
from app.ui.chart import theme_mode
from app.ui.section import section
from app.ui.table import table, table_fold
from app.views.walk.positions import texts
from app.views.walk.positions.data import Order, Reordered, reordered
from app.views.walk.positions.reorder_chart import moved

# A model that goes astray may write one endless word: it must break.
STYLE: Final = """<style>
.orders { width: 100%; table-layout: fixed; border-collapse: collapse; overflow-wrap: anywhere; }
.orders th, .orders td { text-align: start; vertical-align: top; padding: 0.4rem 0.6rem;
  border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
.orders tr > :first-child { width: 22%; }
</style>"""
How = Literal["reversed", "rotated", "shuffled"]
ORDER: Final = Param[How]("order", "reversed", one_of("reversed", "rotated", "shuffled"))
SHUFFLE: Final = Param[int]("shuffle", 1, whole(0, 9999))


def another_order(tokens: tuple[Token, ...], how: How, seed: int) -> Order:
    """Return the tokens' places in another order: whole words, and the end stays the end.

    Where there is one word only, its pieces change places, or the one piece and the end.
    """
    units = list(word_groups([token.starts_word or token.special for token in tokens]))
    end = units[-1:]
    if len(units) < 3:
        units = [(i,) for i in range(len(tokens))]
        end = units[-1:]
    if len(units) < 3:
        end = []
    given = units[: len(units) - len(end)]
    other = _arranged(given, how, seed)
    return tuple(i for unit in (*other, *end) for i in unit)


def _arranged(units: list[tuple[int, ...]], how: How, seed: int) -> list[tuple[int, ...]]:
    if how == "reversed":
        return units[::-1]
    if how == "rotated":
        return [*units[1:], *units[:1]]
    shuffled = random.Random(seed).sample(units, len(units))
    return shuffled if shuffled != units else [*units[1:], *units[:1]]


def draw_lost(walk: Walk, side: Side, word: int) -> None:
    """Draw the choice of an order, and what the model makes of it with positions and without."""
    section(_("What is lost without positions"), _(texts.LOST))
    _controls()
    found = reordered(walk, another_order(walk.capture.src, ORDER.get(), SHUFFLE.get()))
    chosen = word if side == "src" else 0
    _both(walk, found)
    _moved(walk, found, chosen)
    _strips(walk, found, chosen)
    _translations(walk, found)


def _controls() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            _("The other order"), list(texts.ORDER_NAMES),
            format_func=lambda how: _(texts.ORDER_NAMES[how]), required=True,
            key=ORDER.widget(), help=_(texts.ORDER_HELP),
        )  # fmt: skip
        if ORDER.get() == "shuffled":
            st.number_input(
                _("Shuffle number"), 0, 9999, key=SHUFFLE.widget(), help=_(texts.SEED_HELP),
                width=160,
            )  # fmt: skip


def _both(walk: Walk, found: Reordered) -> None:
    source = walk.capture.src
    for key, name, order in (
        ("order-given", _("Your order"), range(len(source))),
        ("order-other", _("The other order"), found.order),
    ):
        chips(
            [Chip(source[i].text, source[i].starts_word, source[i].special) for i in order],
            key=key, label=name, role="input",
        )  # fmt: skip


def _moved(walk: Walk, found: Reordered, chosen: int) -> None:
    words = [token.text for token in walk.capture.src]
    without, with_positions = found.moved(False), found.moved(True)
    said = texts.LOST_NONE if walk.config.positions == "none" else texts.LOST_READ
    if found.same_text:
        st.info(_(texts.LOST_SAME))
    st.markdown(
        _(said).format(
            without=f"{without.max():.1e}",
            with_least=f"{with_positions.min():.2g}",
            with_most=f"{with_positions.max():.2g}",
        )
    )
    names = (_("without positions"), _("with positions"))
    st.plotly_chart(
        moved(
            without, with_positions, words, names=names, chosen=chosen,
            x_title=_("largest difference between the word's two outputs"),
            mode=theme_mode(),
        ),
        theme=None, config=plot_config("order"), key="order-moved",
        alt=_("How far each word's output moves when the order changes"),
    )  # fmt: skip
    table_fold(
        "order-moved-table",
        lambda: table(
            {
                _("word"): [f"{i} {text}" for i, text in enumerate(words)],
                _("its place in the other order"): [
                    str(place) for place in np.argsort(found.order)
                ],
                names[0]: [f"{value:.3e}" for value in without],
                names[1]: [f"{value:.3e}" for value in with_positions],
            },
            "order",
        ),
    )


def _strips(walk: Walk, found: Reordered, word: int) -> None:
    st.markdown(
        _(texts.LOST_WORD).format(word=escape(walk.capture.src[word].text), d=walk.config.d_model)
    )
    items = [
        Grid(
            name="",
            index=(None,),
            values=memory[word],
            title=title,
            role=role,
            reach=_reach(found, word),
        )
        for memory, title, role in _runs(found)
    ]
    arrays(walk, items, key="order-strips")


def _runs(found: Reordered) -> list[tuple[np.ndarray, str, Role]]:
    return [
        (found.memory[False][0], _("without positions, your order"), "residual"),
        (found.back(False), _("without positions, the other order"), "residual"),
        (found.memory[True][0], _("with positions, your order"), "input"),
        (found.back(True), _("with positions, the other order"), "input"),
    ]


def _reach(found: Reordered, word: int) -> float:
    """Return one colour scale for the four outputs of a word."""
    return max(float(np.abs(memory[word]).max()) for memory, *_look in _runs(found))


def _translations(walk: Walk, found: Reordered) -> None:
    if walk.config.positions != "none":
        st.markdown(_(texts.LOST_MEANING))
    rows = "".join(
        f"<tr><th scope='row'>{html.escape(name)}</th>"
        f"<td>{html.escape(with_positions)}</td><td>{html.escape(without)}</td></tr>"
        for name, with_positions, without in zip(
            (_("Your order"), _("The other order")), found.outputs[True], found.outputs[False],
            strict=True,
        )
    )  # fmt: skip
    heads = "".join(
        f"<th scope='col'>{html.escape(name)}</th>"
        for name in (_("with positions"), _("without positions"))
    )
    st.html(f"{STYLE}<table class='orders'><tr><td></td>{heads}</tr>{rows}</table>")
