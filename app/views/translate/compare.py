"""Two runs beside each other: what they read and write, and their maps in one of three ways."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import streamlit as st

from app.components.grid import Weights
from app.components.matrix import matrix
from app.data.walk import Walk
from app.format import escape
from app.i18n import N_, _
from app.inspector.attention import (
    KIND_NAMES,
    NO_ATTENTION,
    draw_shown_as,
    kind_of,
    kinds,
    pick_attention,
)
from app.inspector.attention_views import draw_weights_menu
from app.inspector.both import draw_lines
from app.state import Param, one_of
from app.ui.about import about
from app.ui.buttons import button
from app.ui.chosen import model_name
from app.ui.pickers import pick
from app.views.translate.compared_cell import draw_compared_cell
from app.views.translate.comparison import Comparison, Map, Side
from app.views.translate.pins import PAGE, RUN_A, RUN_B, pinned

WAYS: Final = {"side": N_("Side by side"), "overlay": N_("Overlay"), "difference": N_("Difference")}

WAY: Final = Param[str]("compare", "side", one_of(*WAYS))
TITLES: Final = ("A", "B")


def draw_compare(page: Walk) -> None:
    """Draw the choice of both runs, what they write, and their maps."""
    runs = pinned()
    walks = {**{str(i): run.walk() for i, run in enumerate(runs, start=1)}, PAGE: page}
    picked = [one.get() if one.get() in walks else one.default for one in (RUN_A, RUN_B)]
    missing = [title for title, name in zip(TITLES, picked, strict=True) if walks[name] is None]
    a, b = (
        Side(title, walks[name] or page, None if name == PAGE else runs[int(name) - 1].settings)
        for title, name in zip(TITLES, picked, strict=True)
    )
    comparison = None if missing else _comparison(a, b)
    _pick_runs(picked, walks, comparison)
    if missing:
        text = _("Run {run} cannot be shown: its model is not there any more.")
        st.warning(text.format(run=missing[0]))
        return
    _draw_texts(a, b)
    _draw_attention(a, b, comparison)


def _comparison(a: Side, b: Side) -> Comparison | None:
    """Return both runs aligned; None where one of them has no attention of the chosen kind."""
    kind = kind_of(_leading(a, b).translation)
    ours, theirs = a.look(kind), b.look(kind)
    return None if ours is None or theirs is None else Comparison.of(a, b, (ours, theirs))


def _leading(a: Side, b: Side) -> Side:
    """Return the run whose kinds of attention are offered: the page's own, or else B."""
    having = [side for side in (b, a) if kinds(side.translation)] or [b]
    return next((side for side in having if side.settings is None), having[0])


def _pick_runs(
    picked: list[str], walks: Mapping[str, Walk | None], comparison: Comparison | None
) -> None:
    names = {name: _("On the page") if name == PAGE else name for name in walks}
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="two-runs"):
        pick(RUN_A, "A", list(names), value=picked[0], format_func=names.__getitem__)
        button(_("Swap"), "swap", "swap_horiz", _swap, picked, comparison and comparison.map)
        pick(RUN_B, "B", list(names), value=picked[1], format_func=names.__getitem__)
        pick(WAY, _("Compare as"), WAYS)


def _swap(picked: list[str], map_: Map | None) -> None:
    """Exchange A and B; what is pinned stays pinned, by its other name."""
    pin = map_ and map_.pin
    RUN_A.set(picked[1])
    RUN_B.set(picked[0])
    if map_ and pin:
        map_.swapped.set_pin(pin)


def _draw_texts(a: Side, b: Side) -> None:
    """Draw what both runs write, and what they read where that differs, the other words marked."""
    left, right = st.columns(2, gap="medium")
    if a.translation.text != b.translation.text:
        with left:
            read = (side.line(N_("{run} reads"), side.translation.text, 0) for side in (a, b))
            draw_lines("compared-sentences", *read)
    else:
        right = left
    with right:
        written = (side.line(N_("{run} writes"), side.translation.output, 1) for side in (a, b))
        draw_lines("compared-translations", *written)


def _draw_attention(a: Side, b: Side, comparison: Comparison | None) -> None:
    leading = _leading(a, b)
    if not kinds(leading.translation):
        st.info(_(NO_ATTENTION))
        return
    look = pick_attention(leading.translation, one_head=leading.settings is None)
    if comparison is None:
        lacking = next(side for side in (a, b) if side.look(look.kind) is None)
        name, kind = escape(model_name(lacking.translation.model)), _(KIND_NAMES[look.kind])
        text = _(
            "The model of run {run}, {model}, has no attention of the kind “{kind}”: "
            "choose another kind, or another run."
        )
        st.info(text.format(run=lacking.title, model=name, kind=kind))
    elif not (comparison.rows.labels and comparison.cols.labels):
        st.info(_("All tokens here are special ones, and those are hidden."))
    else:
        _draw_comparison(comparison)


def _draw_comparison(comparison: Comparison) -> None:
    """Draw the maps in the chosen way, and what is pinned in them."""
    with about(place=(*comparison.looks[0].place, *comparison.looks[1].place)):
        if WAY.get() == "side":
            for column, run in zip(st.columns(2, gap="medium"), (0, 1), strict=True):
                with column:
                    _draw_side(comparison, run)
            _draw_words(comparison, N_("Both runs side by side, with the same rows and columns."))
            draw_compared_cell(comparison, beside=True)
            return
        left, right = st.columns([3, 2], gap="large")
        with left:
            for run in (0, 1):
                st.markdown(comparison.about(run))
            draw = _draw_overlay if WAY.get() == "overlay" else _draw_difference
            draw(comparison)
        with right:
            draw_compared_cell(comparison, beside=False)


def _draw_side(comparison: Comparison, run: int) -> None:
    side, values = (comparison.a, comparison.b)[run], comparison.weights[run]
    st.markdown(comparison.about(run))
    words = {
        "name": _("Run {run}: rows are queries, columns are keys").format(run=side.title),
        "masked": _("“{query}” → “{key}”: not in this run, or masked"),
        "hatched": _("not in this run, or masked"),
    }
    name = f"compared-{side.title.lower()}"
    _draw_map(comparison, name, comparison.labelled(values), words)
    with about(sentence=side.translation.text, place=(side.title, *comparison.looks[run].place)):
        _draw_menu(comparison, name, comparison.labelled(values), words)


def _draw_overlay(comparison: Comparison) -> None:
    before, after = comparison.weights
    words = {
        "name": _("Runs A and B: rows are queries, columns are keys"),
        "cell": _("“{query}” looks at “{key}”: A {weight}, B {other}"),
        "query": _("“{query}” looks most, in A: {top}; in B: {other}"),
        "masked": _("“{query}” → “{key}”: in none of the runs, or masked"),
        "hatched": _("not in this run, or masked"),
        "halves": _("A above, B below"),
    }
    _draw_map(comparison, "compared", comparison.labelled(before, beside=after), words)
    _draw_words(comparison, N_("Each cell has the weights of both runs: A above, B below."))
    # As a table and as a picture, the two halves of a row are two rows.
    rows = [f"{label} · {run}" for label in comparison.row_names for run in TITLES]
    values = np.stack([before, after], axis=1).reshape(len(rows), -1)
    both = Weights(values, rows, comparison.cols.labels)
    draw_weights_menu("compared", both, ~np.isnan(values), None, words["name"])


def _draw_difference(comparison: Comparison) -> None:
    values = comparison.more
    reach = float(np.nanmax(np.abs(values), initial=0)) or 1.0
    words = {
        "name": _("Run B less run A: rows are queries, columns are keys"),
        "cell": _("“{query}” looks at “{key}”: {weight} more in B than in A"),
        "query": _("“{query}” differs most at {top}"),
        "key": _("Column of “{key}”: how much more each query looks at it in B"),
    }
    weights = comparison.labelled(values, reach=reach)
    _draw_map(comparison, "compared", weights, words)
    _draw_words(comparison, N_("Run B − run A, weight by weight."))
    _draw_menu(comparison, "compared", weights, words)


def _draw_map(
    comparison: Comparison, name: str, weights: Weights, words: Mapping[str, str]
) -> None:
    values = weights.values if weights.beside is None else np.fmax(weights.values, weights.beside)
    matrix(
        weights,
        key=name,
        pinned=comparison.map.pin,
        mask=~np.isnan(values),
        text=words,
        on_pin=comparison.map.set_pin,
    )


def _draw_words(comparison: Comparison, numbers: str) -> None:
    says = [_(numbers)]
    if comparison.rows.differs or comparison.cols.differs:
        text = _(
            "Rows and columns are matched word by word; what only one run has is hatched "
            "in the other."
        )
        says.append(text)
    draw_shown_as(comparison.looks[1].kind, " ".join(says))


def _draw_menu(
    comparison: Comparison, name: str, weights: Weights, words: Mapping[str, str]
) -> None:
    mask = ~np.isnan(weights.values)
    draw_weights_menu(name, weights, mask, comparison.cell, words["name"])
