"""Two moments, of one run or of two: where the first looks more, and where less."""

from dataclasses import replace
from typing import Final

import numpy as np
import streamlit as st

from app.components.board import Fold, Grid, Op, board
from app.data.moments import Film, film_of
from app.data.runs import RECORDED, runs
from app.format import grouped
from app.i18n import _
from app.state import Param, whole
from app.ui.table import table, twins_name
from app.views.training import texts as lesson
from app.views.training.film import Scene, columns

OTHER: Final = Param[str]("other", "", str)
OTHER_FRAME: Final = Param[int | None]("other-frame", None, whole(0, 10**9))


def compare(now: Scene) -> None:
    """Draw the chosen moment, another one, and the first minus the second."""
    other = _pick(now)
    if other is None:
        st.info(_("That run was not filmed yet."))
        return
    if not _same_sentence(now.film, other):
        st.info(_(lesson.OTHER_SENTENCE))
        return
    capture = other.capture
    if now.layer >= capture.n_layers(now.kind) or now.head >= capture.n_heads:
        st.info(_(lesson.SMALLER))
        return
    step = _moment(other)
    frame = other.frames[other.at(step)].capture
    theirs = frame.weights(now.kind, now.layer, now.head)
    difference = now.weights - theirs
    first = _grid(now, now.weights, _title(now.film.name, now.step))
    second = _grid(now, theirs, _title(other.name, step))
    apart = replace(
        _grid(now, difference, _("first − second")), role="residual", scale="signed", reach=1.0
    )
    board(
        [first, Op("−"), second, Op("="), apart],
        key="difference",
        fold=Fold(twins_name(picture=False), lambda: table(columns(now, difference), "difference")),
    )
    st.caption(_(lesson.COMPARE))


def _grid(now: Scene, weights: np.ndarray, title: str) -> Grid:
    return Grid(
        "", (None, None), weights, title, "output", "weights", row_labels=now.queries,
        col_labels=now.keys,
    )  # fmt: skip


def _pick(now: Scene) -> Film | None:
    names = [one.name for one in runs()]
    chosen = OTHER.get() if OTHER.get() in names else now.film.name
    st.selectbox(
        _("Compare with"), names, key=OTHER.widget(chosen),
        format_func=lambda name: (
            _("another moment of this run") if name == now.film.name
            else name.removeprefix(RECORDED)
        ),
        help=_("A run that was filmed on the same sentence."),
    )  # fmt: skip
    return film_of(chosen)


def _moment(other: Film) -> int:
    """Draw the other film's moments and return the chosen one's step; the first by default."""
    chosen = OTHER_FRAME.get()
    step = other.steps[0 if chosen is None else other.at(chosen)]
    if len(other.steps) > 1:
        st.select_slider(
            _("Its step"), other.steps, key=OTHER_FRAME.widget(step),
            format_func=lambda at: grouped(at), help=_("The second picture is of this moment."),
        )  # fmt: skip
    return step


def _same_sentence(one: Film, other: Film) -> bool:
    a, b = one.capture, other.capture
    texts = [[token.text for token in side] for side in (a.src, a.tgt, b.src, b.tgt)]
    return texts[:2] == texts[2:]


def _title(name: str, step: int) -> str:
    return _("{run}, step {step}").format(run=name.removeprefix(RECORDED), step=grouped(step))
