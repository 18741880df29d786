"""Chapter 9: the decoder at work, one token at a time."""

import numpy as np

from app.format import probability
from app.i18n import N_, _
from app.page.declare import WalkPage
from app.page.frame import draw_page
from app.page.quiz import OPTIONS, QuizTask
from app.ui import player
from app.views.walk.decoding import steps, ways
from app.views.walk.decoding.steps import DecoderStep, moment_of, pick_head, pick_time
from app.views.walk.decoding.ways import lens, myth


def pick_all(moment: DecoderStep) -> None:
    """Draw all that can be chosen."""
    pick_time(moment)
    pick_head(moment)


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
    sure = [probability(taken[i].probability) for i in shown]
    lowest = probability(taken[least].probability)
    named = [{"n": i + 1, "word": taken[i].token.text} for i in shown]
    return QuizTask(
        _(
            "At which of these steps was the model least sure of the token that it wrote? Go "
            "through “What goes in, and what comes out” and compare the marked bars."
        ),
        [_("step {n}: “{word}”").format(**each) for each in named],
        frozenset(place for place, p in enumerate(sure) if p == lowest),
        _("Yes: at step {n}, “{word}” had a probability of only {p}.").format(
            n=least + 1, word=taken[least].token.text, p=lowest
        ),
        _("Another token had a lower probability when it was taken."),
        [
            _("At step {n}, “{word}” had {p}. Another of these tokens had less.").format(
                p=p, **each
            )
            for p, each in zip(sure, named, strict=True)
        ],
    )


PAGE = WalkPage(
    slug="decoding",
    intro=N_(
        "You have met every part; now watch them work. The encoder reads your sentence once. The "
        "decoder writes one token at a time: before each one, it reads all that it has written so "
        "far. A model that reads its own output is called *autoregressive*. Press Play, or move "
        "the slider."
    ),
    lens=lens,
    select=moment_of,
    pick=pick_all,
    task_pick=False,
    sections=(*steps.screens, *ways.screens),
    myth=myth,
    scopes=scopes,
    task=task,
    run_every=player.run_every,
)

if __name__ == "__main__":
    draw_page(PAGE)
