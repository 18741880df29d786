"""The last update of the training: scores, sigmoids, errors, and what it adds to each vector."""

from collections.abc import Sequence

import streamlit as st

from app.i18n import _
from app.lessons import words_as_vectors as lesson
from app.services_words_as_vectors import Report, words
from app.widgets.arrays import twins
from app.widgets.board import Grid, Op, board
from app.widgets.said import grouped
from app.widgets.section import section
from app.widgets.table import table


def draw_update(now: Report) -> None:
    """Draw the last update with all its numbers."""
    update = now.last
    section(_(lesson.UPDATE_TITLE), _introduced(now))
    st.markdown(_(lesson.SCORES))
    given, outputs = names(update.inputs), names(update.outputs)
    scores: list[Grid | Op] = [
        Grid("", (None,), update.hidden, _title("h", given), "input"),
        Op("×"),
        Grid("", (None, None), update.rows, "u", "output", row_labels=outputs),
        Op("="),
        Grid("", (None,), update.scores, "s", "residual", col_labels=outputs),
    ]
    board(scores, key="words-scores")
    table(
        {
            _("word"): outputs,
            "s = h·u": update.scores.astype(float).tolist(),
            "σ(s)": update.sigmoids.astype(float).tolist(),
            _("should be"): ["1", *["0"] * (len(outputs) - 1)],
            _("error"): update.errors.astype(float).tolist(),
        },
        "update",
    )
    st.caption(_(lesson.LOSS_NOW).format(loss=f"{update.loss:.4f}"))
    st.markdown(_(lesson.CHANGES).format(rate=f"{update.rate:.4f}"))
    changes: list[Grid | Op] = [
        Grid("", (None,), update.input_change / update.rate, _title("Δ", given), "input"),
        Grid(
            "", (None, None), update.output_changes / update.rate, "Δu", "output",
            row_labels=outputs,
        ),
    ]  # fmt: skip
    board(changes, key="words-changes", fold=twins([*scores, *changes], "words-update"))


def names(ids: Sequence[int]) -> list[str]:
    """Return the words of some ids."""
    return [words()[i] for i in ids]


def _introduced(now: Report) -> str:
    update, updates = now.last, grouped(now.updates)
    given = names(update.inputs)
    if len(given) == 1:
        said = _(lesson.GIVEN_ONE).format(updates=updates, given=given[0])
    else:
        said = _(lesson.GIVEN_MANY).format(updates=updates, given=_quoted(given))
    target, *drawn = names(update.outputs)
    return f"{said} {_(lesson.GUESSED).format(target=target, drawn=_quoted(drawn))}"


def _title(name: str, given: Sequence[str]) -> str:
    return f"{name} · {', '.join(given)}"


def _quoted(some: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in some)
