"""The last update of the training: scores, sigmoids, errors, and what it adds to each vector."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.components.board import Grid, Op, array_grid
from app.format import grouped, number, quoted
from app.i18n import _
from app.inspector.arrays import draw_board
from app.views.history.words_as_vectors import texts
from app.views.history.words_as_vectors.choice import Choice
from app.views.history.words_as_vectors.data import words

HIGH: Final = 120  # pixels


def update_text(choice: Choice) -> str:
    """Say what was given in the last update, what was to be guessed, and what moves."""
    report = choice.report
    updates, given = grouped(report.updates), names(report.last.inputs)
    if len(given) == 1:
        text = _(texts.GIVEN_ONE).format(updates=updates, given=given[0])
    else:
        text = _(texts.GIVEN_MANY).format(updates=updates, given=_quoted(given))
    target, *drawn = names(report.last.outputs)
    guessed = _(texts.GUESSED).format(target=target, drawn=_quoted(drawn))
    scores = _(texts.SCORES).format(loss=number(report.last.loss, 4))
    changes = _(texts.CHANGES).format(rate=number(report.last.rate, 4))
    return f"{text} {guessed}\n\n{scores} {changes}"


def draw_update(choice: Choice) -> None:
    """Draw h, the second vectors, their products and errors, and what these add to each vector."""
    update = choice.report.last
    given, outputs = ", ".join(names(update.inputs)), names(update.outputs)
    target = np.eye(len(outputs))[:, :1]
    items: list[Grid | Op] = [
        array_grid(update.hidden, f"h · {given}", "input"),
        Op("×"),
        array_grid(update.rows, "u", "output", row_labels=outputs, height=HIGH),
        Op("="),
        array_grid(update.scores[:, None], "s", height=HIGH),
        Op("→"),
        array_grid(update.sigmoids[:, None], "σ(s)", scale="weights", height=HIGH),
        array_grid(target, _("should be"), scale="weights", height=HIGH),
        array_grid(update.errors[:, None], _("error"), height=HIGH),
    ]
    draw_board(items, "words-scores")
    change, output_changes = update.input_change / update.rate, update.output_changes / update.rate
    items = [
        array_grid(output_changes, "Δu", "output", row_labels=outputs, height=HIGH),
        array_grid(change, f"Δ · {given}", "input"),
    ]
    draw_board(items, "words-changes")


def names(ids: Sequence[int]) -> list[str]:
    """Return the words of some ids."""
    return [words()[i] for i in ids]


def _quoted(some: Sequence[str]) -> str:
    return ", ".join(quoted(word) for word in some)
