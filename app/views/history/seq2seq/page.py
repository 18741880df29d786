"""2014: one recurrent network reads the sentence, another writes the translation."""

import numpy as np

from app.format import number, percent
from app.i18n import N_, _
from app.page.kit import Myth, QuizTask, WalkPage, beside, draw_page, one_by_one
from app.ui import player
from app.views.history.seq2seq import cells, unrolled
from app.views.history.seq2seq.data import remembered
from app.views.history.seq2seq.unrolled import UnrolledStep, moment, pick_step


def myth(moment: UnrolledStep) -> Myth:
    """Refute that gates keep everything, by what is left of the first token."""
    shares = {name: percent(share) for name, share in cells.shares_left(moment).items()}
    n, size = len(remembered(moment.walk).gru) - 1, cells.size_of(moment)
    truth = _(
        "Gates slow forgetting down; they do not stop it. After {n} more tokens, {gru} of "
        "what “{word}” put into the state is left, against {plain} in a plain cell. The state "
        "has {size} numbers for a sentence of any length: to write something new, the cell "
        "must overwrite something old."
    ).format(n=n, word=cells.first_word(moment), size=size, **shares)
    return Myth(_("“A GRU has gates, so it does not forget.”"), truth)


def task(moment: UnrolledStep) -> QuizTask:
    """Ask where a unit of the encoder is overwritten most."""
    walk, unit = moment.walk, moment.unit
    gate = np.asarray(walk.array("encoder.0.forward.update")[:, unit], dtype=float)
    tokens = walk.capture.src

    def told(i: int) -> dict[str, str]:
        z, keep = number(gate[i], 3), percent(gate[i])
        return {"word": tokens[i].text, "z": z, "keep": keep, "take": percent(1 - gate[i])}

    return QuizTask.largest(
        N_(
            "Follow unit {unit} through your sentence: at which token does it let go of most of "
            "its old value (its update gate z is smallest)?"
        ),
        -gate,
        lambda i: _("{n}: {word}").format(n=i + 1, word=tokens[i].text),
        N_("Yes: at “{word}”, z is only {z}: {take} of its new value is the candidate."),
        N_(
            "At “{word}”, z is {z}, so {keep} of the old value stays; at another token, less "
            "does. You see the row z under “One number of the state, token by token”."
        ),
        told,
        unit=unit + 1,
    )


PAGE = WalkPage(
    slug="seq2seq",
    intro=N_(
        "In 2014, two recurrent networks (RNNs) learned to translate: an encoder that reads and a "
        "decoder that writes."
    ),
    select=moment,
    pick=one_by_one(
        beside([0.8, 0.2], pick_step, cells.pick_unit, gap="medium"), cells.pick_copies
    ),
    task_pick=cells.pick_unit,
    sections=(*unrolled.screens, *cells.screens),
    scopes=lambda _moment: (),  # every step of the model is on the page
    task=task,
    myth=myth,
    model="rnn/es-en",
    run_every=player.run_every,
)

if __name__ == "__main__":
    draw_page(PAGE)
