"""The last update of the training: scores, sigmoids, errors, and what it adds to each vector."""

from collections.abc import Sequence

import streamlit as st

from app.components.board import Grid, Op, board
from app.format import grouped
from app.i18n import _
from app.inspect.arrays import twins
from app.ui.section import section
from app.ui.table import table
from app.views.history.words_as_vectors import texts
from app.views.history.words_as_vectors.data import Report, words


def draw_update(now: Report) -> None:
    """Draw the last update with all its numbers."""
    update = now.last
    section(_(texts.UPDATE_TITLE), _introduced(now))
    st.markdown(_(texts.SCORES))
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
    st.caption(_(texts.LOSS_NOW).format(loss=f"{update.loss:.4f}"))
    st.markdown(_(texts.CHANGES).format(rate=f"{update.rate:.4f}"))
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
        said = _(texts.GIVEN_ONE).format(updates=updates, given=given[0])
    else:
        said = _(texts.GIVEN_MANY).format(updates=updates, given=_quoted(given))
    target, *drawn = names(update.outputs)
    return f"{said} {_(texts.GUESSED).format(target=target, drawn=_quoted(drawn))}"


def _title(name: str, given: Sequence[str]) -> str:
    return f"{name} · {', '.join(given)}"


def _quoted(some: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in some)
