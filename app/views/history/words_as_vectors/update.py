"""The last update of the training: scores, sigmoids, errors, and what it adds to each vector."""

from collections.abc import Sequence

from app.components.board import Grid, Op, array_grid
from app.format import grouped, number, quoted
from app.i18n import _
from app.inspect.arrays import draw_board
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
    return f"{text} {_(texts.GUESSED).format(target=target, drawn=_quoted(drawn))}"


def draw_update(choice: Choice) -> None:
    """Draw h, the second vectors and their products."""
    items = _scores(choice)
    draw_board(items, "words-scores")


def errors_text(choice: Choice) -> str:
    """Say what an error is, and how large the loss was."""
    return _(texts.SCORES).format(loss=number(choice.report.last.loss, 4))


def draw_errors(choice: Choice) -> None:
    """Draw scores, sigmoids and errors as a table."""
    update = choice.report.last
    outputs = names(update.outputs)
    columns = {
        _("word"): outputs,
        "s = h·u": update.scores.astype(float).tolist(),
        "σ(s)": update.sigmoids.astype(float).tolist(),
        _("should be"): ["1", *["0"] * (len(outputs) - 1)],
        _("error"): update.errors.astype(float).tolist(),
    }
    table(columns, "update")


def changes_text(choice: Choice) -> str:
    """Say by how much each vector moves."""
    return _(texts.CHANGES).format(rate=number(choice.report.last.rate, 4))


def draw_changes(choice: Choice) -> None:
    """Draw what the update adds to the given vectors and to those of the guessed words."""
    update = choice.report.last
    given, outputs = ", ".join(names(update.inputs)), names(update.outputs)
    change, output_changes = update.input_change / update.rate, update.output_changes / update.rate
    items: list[Grid | Op] = [
        array_grid(output_changes, "Δu", "output", row_labels=outputs, height=150),
        array_grid(change, f"Δ · {given}", "input"),
    ]
    draw_board(items, "words-changes")


def _scores(choice: Choice) -> list[Grid | Op]:
    update = choice.report.last
    given, outputs = ", ".join(names(update.inputs)), names(update.outputs)
    return [
        array_grid(update.hidden, f"h · {given}", "input"),
        Op("×"),
        array_grid(update.rows, "u", "output", row_labels=outputs, height=130),
        Op("="),
        array_grid(update.scores[:, None], "s", height=130),
    ]


def names(ids: Sequence[int]) -> list[str]:
    """Return the words of some ids."""
    return [words()[i] for i in ids]


def _quoted(some: Sequence[str]) -> str:
    return ", ".join(quoted(word) for word in some)
