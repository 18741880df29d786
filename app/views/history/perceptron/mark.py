"""An example by hand: a small Mark I, from photocells to responses."""

from typing import Final

from app.components.board import Grid, Op, array_grid, board
from app.format import quoted
from app.i18n import _
from app.state import Param, one_of
from app.ui.pickers import pick
from app.views.history.perceptron import texts
from app.views.history.perceptron.choice import Choice
from app.views.history.perceptron.data import LETTERS, machine, picture_of

LETTER: Final = Param[str]("mletter", "T", one_of(*LETTERS))
LINE: Final = 32  # association units side by side


def pick_letter(_choice: Choice) -> None:
    """Draw the choice of the letter before the camera."""
    pick(LETTER, _("Before the camera"), list(LETTERS))


def mark_text(_choice: Choice) -> str:
    """Say what the machine was made of, and what ours says."""
    made, picture = machine(), picture_of(LETTER.get())
    fires = [
        quoted(letter)
        for letter, sum_of in zip(LETTERS, made.responses(picture), strict=True)
        if sum_of > 0
    ]
    values = {
        "cells": picture.size,
        "units": len(made.wires),
        "responses": len(LETTERS),
        "updates": made.updates,
        "fires": ", ".join(fires),
    }
    text = _(texts.MARK_ONE).format(**values)
    return f"{text} **{_(texts.BY_HAND)}** {_(texts.MARK_OURS).format(**values)}"


def draw_mark(_choice: Choice) -> None:
    """Draw the photocells, the association units and the responses."""
    made, picture = machine(), picture_of(LETTER.get())
    units = made.units(picture).reshape(-1, LINE).astype(float)
    cells, unit_count = _("{n} photocells"), _("{n} association units")
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
            unit_count.format(n=units.size),
            "residual",
            scale="weights",
            square=True,
            height=150.0,
        ),
        Op(_("learned →")),
        array_grid(
            made.responses(picture).astype(float)[:, None],
            _("responses"),
            "output",
            row_labels=list(LETTERS),
            height=136.0,
        ),
    ]
    board(items, key="mark-one")
