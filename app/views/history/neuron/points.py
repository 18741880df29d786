"""1957: the perceptron at work on points in the plane, and the machine that it became."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.plane import Dots, Line, plane
from app.components.board import Grid, Op, array_grid, board
from app.format import quoted, short
from app.i18n import N_, _
from app.page.kit import Code, Screens, pick, say, show_chart
from app.page.live_training import draw_live
from app.state import Param, one_of
from app.ui.table import Columns
from app.views.history.neuron.data import SET, Correction, NeuronChoice, mark_one, perceptron

SET_NAMES: Final = {
    "wide": N_("Wide margin"),
    "narrow": N_("Narrow margin"),
    "nearly": N_("One stray point"),
    "xor": N_("XOR"),
}
SPAN = (-5.6, 5.6)
LETTER: Final = Param[str]("mletter", "T", one_of(*mark_one.LETTERS))
LINE: Final = 32  # association units side by side
# The rule is too fast for the eye: seconds to wait after an update, and at most after all of them.
PAUSE_SECONDS, MAX_PAUSE_SECONDS = 0.06, 12.0
screens = Screens[NeuronChoice]()


def pick_set(_choice: NeuronChoice) -> None:
    tip = _("Which points the perceptron learns from.")
    pick(SET, _("Points"), SET_NAMES, help=tip, wrap=True)


@screens(
    "points",
    N_("1957: the perceptron learns from its mistakes"),
    Code(
        N_("The rule: on a mistake, w becomes w + y x"),
        r"y\,(w \cdot x) \le 0 \;\Rightarrow\; w \leftarrow w + y\,x",
        "model.history.perceptron:train",
    ),
    pick=pick_set,
    was=("rule", "own", "margin", "bound"),
)
def draw_training(choice: NeuronChoice) -> None:
    """Draw the training, and the line as it moves."""
    say()
    total = len(choice.updates)
    pause = min(PAUSE_SECONDS, MAX_PAUSE_SECONDS / total)
    draw_live(choice.training, total, partial(_draw_update, choice), pause=lambda _count: pause)
    text = _(
        "Frank Rosenblatt let a neuron find its own weights. The 1 in x = (x₁, x₂, 1) makes the "
        "threshold a weight like the others; y is a point's class. If a line separates the "
        "classes, the rule finds one: the wider the margin between them, the sooner."
    )
    say(text)


@screens.drawer("mark", N_("1960: a machine that learned to see"))
def draw_mark(_choice: NeuronChoice) -> None:
    """Draw the photocells, the association units and the responses."""
    say()
    pick(LETTER, _("Before the camera"), list(mark_one.LETTERS))
    made, picture = mark_one.machine(), mark_one.picture_of(LETTER.get())
    sums, units = made.responses(picture), made.units(picture).reshape(-1, LINE).astype(float)
    cells, associations = _("{n} photocells"), _("{n} association units")
    items: list[Grid | Op] = [
        array_grid(
            255.0 * picture,
            cells.format(n=picture.size),
            "input",
            scale="greys",
            reach=255.0,
            square=True,
            height=160.0,
        ),
        Op(_("at random →")),
        array_grid(
            units,
            associations.format(n=units.size),
            "residual",
            scale="weights",
            square=True,
            height=150.0,
        ),
        Op(_("learned →")),
        array_grid(
            sums.astype(float)[:, None],
            _("responses"),
            "output",
            row_labels=list(mark_one.LETTERS),
            height=136.0,
        ),
    ]
    board(items, key="mark-one")
    text = _(
        "The perceptron became a machine, the Mark I: {cells} photocells, {units} association "
        "units wired to them at random, {responses} responses. Motors turned the knobs of its "
        "weights, those of the last layer only."
    )
    mark_ours = _(
        "Ours has as many of each, with random wires of its own. It learned {responses} "
        "letters in {updates} updates. Now above 0: {fires}."
    )
    fires = [
        quoted(letter) for letter, x in zip(mark_one.LETTERS, sums.tolist(), strict=True) if x > 0
    ]
    values = {"cells": picture.size, "units": units.size, "responses": len(mark_one.LETTERS)}
    say(f"{text} {mark_ours}", updates=made.updates, fires=", ".join(fires), **values)


def _draw_update(choice: NeuronChoice, so_far: Sequence[Correction]) -> None:
    left, right = st.columns([0.62, 0.38], gap="medium", vertical_alignment="center")
    with left:
        weights = so_far[-1].after if so_far else (0, 0, 0)
        lines = [Line(_("w·x = 0"), weights, "input", filled=bool(so_far))]
        dots = [
            Dots("+1", _places(choice, 1), "input", "circle", size=12),
            Dots("−1", _places(choice, -1), "key", "square-open", size=12),
        ]
        for last in so_far[-1:]:
            lines.append(Line(_("before"), last.before, "residual", "dot"))
            place = np.array([(last.point.x1, last.point.x2)])
            dots.append(Dots(_("last mistake"), place, "residual", "circle-open", (), 24))
        figure = plane(dots, lines, x_title="x₁", y_title="x₂", across=SPAN, height=340)
        alt = _("The points, and the line that the perceptron finds")
        numbers = partial(_columns, so_far) if so_far else None
        show_chart(figure, "perceptron", alt, numbers, file="updates")
    with right:
        st.latex(r"y\,(w \cdot x) \le 0 \;\Rightarrow\; w \leftarrow w + y\,x")
        if so_far:
            st.markdown(_update(so_far))
            st.latex(_sum(so_far[-1]))
        st.markdown(_left(choice, so_far))


def _places(choice: NeuronChoice, kind: int) -> np.ndarray:
    return np.array([(p.x1, p.x2) for p in choice.points if p.side == kind], float)


def _update(so_far: Sequence[Correction]) -> str:
    """Say which point was wrong, and how."""
    update = so_far[-1]
    point = update.point
    where = _("on the wrong side") if update.score else _("on the line itself")
    numbers = {"x1": short(point.x1), "x2": short(point.x2), "score": short(update.score)}
    numbers |= {"side": side(point.side), "where": where}
    return _(
        "**Update {n}**, pass {passes}: the point ({x1}, {x2}) is a {side}, but w·x = {score}, "
        "which is {where}. So:"
    ).format(n=len(so_far), passes=update.passes + 1, **numbers)


def _sum(update: Correction) -> str:
    """Write the update as a sum of columns, in LaTeX."""
    sign = "+" if update.point.side > 0 else "-"
    return (
        rf"\underset{{w}}{{{_column(update.before)}}} {sign}"
        rf" \underset{{x}}{{{_column(update.point.x)}}} = \underset{{w}}{{{_column(update.after)}}}"
    )


def _left(choice: NeuronChoice, so_far: Sequence[Correction]) -> str:
    """Say how many points are still wrong."""
    if not so_far:
        return _("The weights begin at w = (0, 0, 0). No update has been made yet.")
    n = len(so_far)
    left = perceptron.mistakes(so_far[-1].after, choice.points)
    text = (
        N_("Now {left} of the {n} points are wrong.")
        if left
        else N_("Every point is on its correct side: it has learned. Updates made: {made}.")
    )
    if left and n == len(choice.updates):
        text = N_(
            "We stopped after {made} updates. {left} of the {n} points are still wrong, and it "
            "would go on for ever: no line separates these points."
        )
    return _(text).format(left=left, n=len(choice.points), made=n)


def _columns(so_far: Sequence[Correction]) -> Columns:
    return {
        _("update"): [str(n) for n in range(1, len(so_far) + 1)],
        _("pass"): [str(update.passes + 1) for update in so_far],
        "x": [vector(update.point.x) for update in so_far],
        "y": [side(update.point.side) for update in so_far],
        "w·x": [short(update.score) for update in so_far],
        _("w before"): [vector(update.before) for update in so_far],
        _("w after"): [vector(update.after) for update in so_far],
    }


def side(kind: int) -> str:
    return "+1" if kind > 0 else "−1"


def vector(numbers: Iterable[int]) -> str:
    return f"({', '.join(map(short, numbers))})"


def _column(numbers: Sequence[int]) -> str:
    rows = r" \\ ".join(map(str, numbers))
    return rf"\begin{{pmatrix}}{rows}\end{{pmatrix}}"
