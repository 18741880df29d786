"""The table as a space: neighbours by their angle, arithmetic with words, and a flat map."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.charts.similarity import similarity_bars
from app.charts.toolbar import plot_config
from app.charts.word_map import word_map as drawn_map
from app.data.translation import readable
from app.data.walk import Walk
from app.format import escape, grouped
from app.i18n import _
from app.state import Param
from app.ui.chart import theme_mode
from app.ui.section import section
from app.ui.table import Columns, table, table_fold
from app.views.walk.vectors import texts
from app.views.walk.vectors.data import (
    Neighbour,
    WordMap,
    by_chance,
    expected,
    near,
    pieces_of,
    sums,
    word_map,
    words,
)
from app.views.walk.vectors.table import chosen

# The words that are added, taken away, added, and expected.
PRESETS = (
    ("king", "man", "woman", "queen"),
    ("father", "man", "woman", "mother"),
    ("walked", "walk", "play", "played"),
    ("he", "him", "them", "they"),
)
LONGEST = 40
Words = Sequence[Sequence[int]]
FROM, LESS, PLUS, HOPE = (
    Param[str | None](name, None, lambda raw: raw[:LONGEST])
    for name in ("from", "less", "plus", "hope")
)


def neighbours(walk: Walk) -> None:
    """Draw the words whose rows point most nearly the same way as the chosen piece's."""
    section(_(texts.NEAR_TITLE), _(texts.NEAR))
    token = walk.capture.src[chosen(walk)]
    found = near(walk, token.id)
    if not found:
        st.info(_(texts.TOO_FEW))
        return
    nearest = walk.token(found[0].token_id).text
    st.markdown(
        _(texts.NEAR_RESULT).format(
            piece=escape(token.text), nearest=escape(nearest), value=f"{found[0].similarity:.3f}"
        )
    )
    _bars(walk, found, "neighbours")
    chance = by_chance(walk)
    above = sum(one.similarity > chance for one in found)
    facts = _(texts.CHANCE).format(chance=f"{chance:.2f}", words=grouped(len(words(walk))))
    st.caption(f"{facts} {_(texts.ABOVE).format(shown=len(found), above=above)}")


def arithmetic(walk: Walk) -> None:
    """Let the visitor add and take away words, and show what is nearest to the result."""
    section(_(texts.SUM_TITLE), _(texts.SUM))
    with st.container(horizontal=True, gap="small"):
        for i, preset in enumerate(PRESETS):
            st.button(
                "{} − {} + {}".format(*preset[:3]), key=f"sum-{i}", on_click=_take, args=(preset,)
            )
    start, less, more, hope = _fields()
    known = [word for word in (start, less, more) if pieces_of(walk, word)]
    _pieces(walk, known)
    plus = [word for word in (start, more) if word in known]
    minus = [word for word in (less,) if word in known]
    if not plus:
        st.info(_(texts.NOTHING_ADDED))
        return
    added, taken = (
        [[piece.id for piece in pieces_of(walk, word)] for word in some] for some in (plus, minus)
    )
    found = sums(walk, added, taken)
    if not found or not found[0].similarity:
        st.info(_(texts.EQUAL))
        return
    _bars(walk, found, "sum")
    if pieces_of(walk, hope):
        st.markdown(_hoped(walk, added, taken, hope, found[0]))


def flat_map(walk: Walk) -> None:
    """Draw the table's best known words on a flat map, with the sentence's tokens on it."""
    st.header(_(texts.MAP_TITLE), anchor=False)
    made = word_map(walk)
    if made is None:
        st.info(_(texts.TOO_FEW))
        return
    st.markdown(_(texts.MAP).format(words=len(made.words)))
    tokens = list(dict.fromkeys(walk.capture.src))
    places = [walk.capture.src.index(token) for token in tokens]
    first, second = (f"{share:.1%}" for share in made.explained)
    st.plotly_chart(
        drawn_map(
            made.points, [word.text for word in made.words],
            made.sentence[places], [token.text for token in tokens],
            x_title=_("first axis ({share} of the spread)").format(share=first),
            y_title=_("second axis ({share})").format(share=second),
            mode=theme_mode(),
        ),
        theme=None, config=plot_config("map"), key="vectors-map", alt=_(texts.MAP_TITLE),
    )  # fmt: skip
    st.caption(
        _(texts.MAP_HONEST).format(d_model=walk.config.d_model, share=f"{made.explained.sum():.1%}")
    )
    table_fold("map", lambda: table(_map_columns(walk, made), "map"))


def _take(preset: Sequence[str]) -> None:
    for param, word in zip((FROM, LESS, PLUS, HOPE), preset, strict=True):
        param.set(word)


def _fields() -> tuple[str, str, str, str]:
    """Draw the four fields; return what was typed into them."""
    labels = (
        _("Start from"), _("− take away"), _("+ add"), _("You expect"),
    )  # fmt: skip
    typed = []
    for column, param, name, default in zip(
        st.columns(4), (FROM, LESS, PLUS, HOPE), labels, PRESETS[0], strict=True
    ):
        word = param.get()
        with column:
            typed.append(
                st.text_input(
                    name, key=param.widget(default if word is None else word), max_chars=LONGEST,
                    live="250ms", autocomplete="off",
                )
            )  # fmt: skip
    start, less, more, hope = (readable(word) for word in typed)
    return start, less, more, hope


def _pieces(walk: Walk, typed: Sequence[str]) -> None:
    """Say which words the model knows as one piece."""
    said = []
    for word in dict.fromkeys(typed):
        cut = [piece.text for piece in pieces_of(walk, word)]
        form = _("“{word}”: one piece") if len(cut) == 1 else _("“{word}”: {n} pieces, {cut}")
        said.append(form.format(word=word, n=len(cut), cut=" · ".join(cut)))
    st.caption(escape("; ".join(said)))


def _hoped(
    walk: Walk, plus: Words, minus: Words, hope: str, best: Neighbour
) -> str:  # fmt: skip
    """Say where the word that the visitor expected stands."""
    ids = [piece.id for piece in pieces_of(walk, hope)]
    place = expected(walk, plus, minus, ids)
    form = _(texts.EXPECTED) if len(ids) == 1 else _(texts.NOT_ONE)
    said = form.format(
        word=hope, value=f"{place.similarity:.3f}", place=grouped(place.place),
        words=grouped(len(words(walk))), cut=" · ".join(p.text for p in pieces_of(walk, hope)),
    )  # fmt: skip
    end = _(texts.FOUND) if ids == [best.token_id] else _(texts.NOT_FOUND)
    nearest = walk.token(best.token_id).text
    return escape(f"{said} {end.format(nearest=nearest, value=f'{best.similarity:.3f}')}")


def _bars(walk: Walk, found: Sequence[Neighbour], name: str) -> None:
    labels = [walk.token(one.token_id).text for one in found]
    cosines = np.array([one.similarity for one in found])
    st.plotly_chart(
        similarity_bars(
            cosines, labels, chance=by_chance(walk), chance_title=_("chance"),
            value_title=_("cosine"), mode=theme_mode(),
        ),
        theme=None, config=plot_config(name), key=f"vectors-{name}",
        alt=_("Cosines with the nearest words"),
    )  # fmt: skip
    columns = {_("word"): labels, _("cosine"): cosines.tolist()}
    table_fold(name, lambda: table(columns, name))


def _map_columns(walk: Walk, made: WordMap) -> Columns:
    rows = [*zip(walk.capture.src, made.sentence, strict=True)]
    rows += [*zip(made.words, made.points, strict=True)]
    return {
        _("word"): [token.text for token, _point in rows],
        _("first axis"): [float(point[0]) for _token, point in rows],
        _("second axis"): [float(point[1]) for _token, point in rows],
        _("in your sentence"): ["✓"] * len(walk.capture.src) + [""] * len(made.words),
    }
