"""Chapter 9: the decoder at work, one token at a time."""

import numpy as np

from app.format import probability
from app.i18n import N_, _
from app.page.kit import QuizTask, WalkPage, draw_page, one_by_one
from app.page.quiz import OPTIONS
from app.ui import player
from app.views.walk.decoding import greedy_and_beam, steps, ways
from app.views.walk.decoding.steps import DecoderStep, moment_of, pick_head, pick_time


def scopes(moment: DecoderStep) -> list[str]:
    """Return the arrays of every step: they are the same whichever is on the page."""
    looks = [
        f"decoder.{layer}.{look}"
        for layer in range(moment.walk.config.n_decoder_layers)
        for look in ("self_attn", "cross_attn")
    ]
    return ["memory", "tgt", *looks, "logits"]


def task(moment: DecoderStep) -> QuizTask:
    """Ask for the step at which the model was least sure."""
    taken = [decoded.taken for decoded in moment.walk.translation.steps]
    least = min(range(len(taken)), key=lambda i: taken[i].probability)
    spread = np.linspace(0, len(taken) - 1, min(len(taken), OPTIONS)).round().astype(int)
    shown = sorted({least, *spread.tolist()})
    if len(shown) > OPTIONS:
        shown.remove(next(i for i in shown if i != least))
    told = [
        {"n": i + 1, "word": taken[i].token.text, "p": probability(taken[i].probability)}
        for i in shown
    ]
    lowest = told[shown.index(least)]
    return QuizTask.each(
        N_(
            "At which of these steps was the model least sure of the token that it wrote? Go "
            "through “What goes in, and what comes out” and compare the marked bars."
        ),
        [_("step {n}: “{word}”").format(**each) for each in told],
        [place for place, each in enumerate(told) if each["p"] == lowest["p"]],
        N_("Yes: at step {n}, “{word}” had a probability of only {p}."),
        N_("At step {n}, “{word}” had {p}. Another of these tokens had less."),
        told,
        lowest,
    )


PAGE = WalkPage(
    slug="decoding",
    intro=N_(
        "You have met every part; now watch them work. The encoder reads your sentence once. The "
        "decoder writes one token at a time: before each one, it reads all that it has written so "
        "far. A model that reads its own output is called *autoregressive*. Press Play, or move "
        "the slider."
    ),
    lens=ways.lens,
    select=moment_of,
    pick=one_by_one(pick_time, pick_head),
    task_pick=False,
    sections=(*steps.screens, *greedy_and_beam.screens, *ways.screens),
    myth=greedy_and_beam.myth,
    scopes=scopes,
    task=task,
    run_every=player.run_every,
)

if __name__ == "__main__":
    draw_page(PAGE)
