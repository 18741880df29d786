"""One update of the vectors, number by number."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.components.board import Grid, Op, array_grid
from app.format import grouped, number, quoted
from app.i18n import N_, _
from app.inspector.arrays import draw_board
from app.page.declare import Code, Screens
from app.ui.section import say
from app.views.history.words_as_vectors.choice import WordVectorsChoice
from app.views.history.words_as_vectors.data import words

HIGH: Final = 120  # pixels
screens = Screens[WordVectorsChoice]()


def names(ids: Sequence[int]) -> list[str]:
    """Return the words of some ids."""
    return [words()[i] for i in ids]


@screens(
    "update",
    N_("One update: scores, errors, and what changes"),
    pick=False,
    code=(
        Code(
            N_("One update with negative sampling"),
            r"\ell = -\log \sigma(h \cdot u_0) - \sum_{k=1}^{K} \log \sigma(-h \cdot u_k)",
            "model.history.word_vectors:WordVectors.update",
        ),
    ),
    was=("errors", "changes"),
)
def draw_update(choice: WordVectorsChoice) -> None:
    """Draw h, the output vectors, their products and errors, and the changes to each vector."""
    report, update = choice.report, choice.report.last
    updates = grouped(report.updates)
    given, outputs = names(update.inputs), names(update.outputs)
    if len(given) == 1:
        text = _("The last of the {updates} updates: “{given}” is given, h is its vector.").format(
            updates=updates, given=given[0]
        )
    else:
        text = _(
            "The last of the {updates} updates: {given} are given, h is the mean of their vectors."
        ).format(updates=updates, given=_quoted(given))
    target, *drawn = outputs
    guessed = _(
        "“{target}” is to be guessed; {drawn} were drawn at random. Each of these has a second "
        "vector u, for when it is guessed: the dot product h·u is its score s."
    ).format(target=target, drawn=_quoted(drawn))
    scores = _(
        "The sigmoid σ(s) = 1 / (1 + e⁻ˢ) turns each score into a probability. The error is what "
        "should have come, 1 or 0, minus σ(s). The loss of this update was {loss}."
    ).format(loss=number(update.loss, 4))
    changes = _(
        "Every u moves by rate × error × h, every given vector by rate × Σ error × u, divided by "
        "the number of given words: below, without the rate, {rate} now."
    ).format(rate=number(update.rate, 4))
    say(f"{text} {guessed}\n\n{scores} {changes}")
    read = ", ".join(given)
    wanted = np.eye(len(outputs))[:, :1]
    items: list[Grid | Op] = [
        array_grid(update.hidden, f"h · {read}", "input"),
        Op("×"),
        array_grid(update.rows, "u", "output", row_labels=outputs, height=HIGH),
        Op("="),
        array_grid(update.scores[:, None], "s", height=HIGH),
        Op("→"),
        array_grid(update.sigmoids[:, None], "σ(s)", scale="weights", height=HIGH),
        array_grid(wanted, _("should be"), scale="weights", height=HIGH),
        array_grid(update.errors[:, None], _("error"), height=HIGH),
    ]
    draw_board(items, "words-scores")
    change, output_changes = update.input_change / update.rate, update.output_changes / update.rate
    items = [
        array_grid(output_changes, "Δu", "output", row_labels=outputs, height=HIGH),
        array_grid(change, f"Δ · {read}", "input"),
    ]
    draw_board(items, "words-changes")


def _quoted(some: Sequence[str]) -> str:
    return ", ".join(quoted(word) for word in some)
