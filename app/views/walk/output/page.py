"""Chapter 10: from the decoder's last vector to a token."""

from typing import Final

from app.format import number, probability
from app.i18n import N_, _
from app.page.kit import QuizTask, WalkPage, draw_page
from app.views.walk.output import screens as output
from app.views.walk.output.data import distribution, powers

RIGHT: Final = N_(
    "Yes: e^{difference} = {ratio}. The sum over the vocabulary is the same for both and cancels, "
    "so a difference of logits is a ratio of probabilities: {p} and {q}."
)


def task(piece: output.VocabularyPiece) -> QuizTask:
    """Ask what a difference of logits is as a ratio of probabilities."""
    all_ = distribution(piece.logits)
    first, second = (int(i) for i in all_.order[:2])
    difference = float(piece.logits[first]) - float(piece.logits[second])
    squared = N_("{x} is the difference squared; the softmax raises e to each logit.")
    twice = N_("{x} is twice the difference; the softmax raises e to each logit.")
    itself = N_("{x} is the difference of the logits itself; the softmax raises e to it.")
    products = [difference**2, 2 * difference, difference, float(powers(difference))]
    reasons = dict(zip(map(_times, products), (squared, twice, itself), strict=False))
    ratio = _times(products[-1])
    times = list(dict.fromkeys(map(_times, sorted(products))))
    values = {
        "first": piece.walk.token(first).text,
        "second": piece.walk.token(second).text,
        "difference": number(difference),
        "ratio": ratio,
        "p": probability(all_.probabilities[first]),
        "q": probability(all_.probabilities[second]),
    }
    return QuizTask(
        _(
            "At T = 1, the two likeliest tokens here are “{first}” and “{second}”. Their logits "
            "are {difference} apart. How many times as likely is the first?"
        ).format(**values),
        [_("{x} times").format(x=x) for x in times],
        frozenset([times.index(ratio)]),
        _(RIGHT).format(**values),
        "",
        [_(reasons.get(x, RIGHT)).format(x=x, **values) for x in times],
    )


def _times(x: float) -> str:
    return number(x) if x < 100 else f"{x:.0f}"


PAGE = WalkPage(
    slug="output",
    intro=N_(
        "The decoder ends with a vector, and we want a token. Two blocks are left: the final "
        "linear layer scores every token of the vocabulary, and the softmax turns the scores into "
        "probabilities."
    ),
    select=output.piece_of,
    pick=output.pick_all,
    task_pick=output.pick_step,
    sections=output.screens,
    scopes=lambda piece: (piece.walk.inputs("logits")[0], "logits"),
    task=task,
    myth=output.myth,
)

if __name__ == "__main__":
    draw_page(PAGE)
