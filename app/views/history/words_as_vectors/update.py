"""The last update of the training: scores, sigmoids, errors, and what it adds to each vector."""

from collections.abc import Sequence

import streamlit as st

from app.components.board import Grid, Op, array_grid, board
from app.format import grouped
from app.i18n import _
from app.inspect.arrays import twins
from app.ui.table import table
from app.views.history.words_as_vectors import texts
from app.views.history.words_as_vectors.choice import Choice
from app.views.history.words_as_vectors.data import words


def update_text(choice: Choice) -> str:
    """Say what was given in the last update, and what was to be guessed."""
    report = choice.report
    updates, given = grouped(report.updates), names(report.last.inputs)
    if len(given) == 1:
        text = _(texts.GIVEN_ONE).format(updates=updates, given=given[0])
    else:
        text = _(texts.GIVEN_MANY).format(updates=updates, given=_quoted(given))
    target, *drawn = names(report.last.outputs)
    guessed = _(texts.GUESSED).format(target=target, drawn=_quoted(drawn))
    return f"{text} {guessed}\n\n{_(texts.SCORES)}"


def draw_update(choice: Choice) -> None:
    """Draw the last update with all its numbers."""
    update = choice.report.last
    given, outputs = ", ".join(names(update.inputs)), names(update.outputs)
    scores: list[Grid | Op] = [
        array_grid(update.hidden, f"h · {given}", "input"),
        Op("×"),
        array_grid(update.rows, "u", "output", row_labels=outputs),
        Op("="),
        array_grid(update.scores, "s", col_labels=outputs),
    ]
    board(scores, key="words-scores")
    columns = {
        _("word"): outputs,
        "s = h·u": update.scores.astype(float).tolist(),
        "σ(s)": update.sigmoids.astype(float).tolist(),
        _("should be"): ["1", *["0"] * (len(outputs) - 1)],
        _("error"): update.errors.astype(float).tolist(),
    }
    table(columns, "update")
    st.caption(_(texts.LOSS_NOW).format(loss=f"{update.loss:.4f}"))
    st.markdown(_(texts.CHANGES).format(rate=f"{update.rate:.4f}"))
    change, output_changes = update.input_change / update.rate, update.output_changes / update.rate
    changes: list[Grid | Op] = [
        array_grid(change, f"Δ · {given}", "input"),
        array_grid(output_changes, "Δu", "output", row_labels=outputs),
    ]
    board(changes, key="words-changes", fold=twins([*scores, *changes], "words-update"))


def names(ids: Sequence[int]) -> list[str]:
    """Return the words of some ids."""
    return [words()[i] for i in ids]


def _quoted(some: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in some)
