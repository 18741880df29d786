"""Chapter 9: the decoder at work, one piece at a time."""

from collections.abc import Sequence

import numpy as np

from app.data.walk import Cell, Walk
from app.format import probability
from app.i18n import N_, _
from app.inspect.decoding_step import came_out, encoded, looked, strongest, went_in
from app.inspect.decoding_ways import ways
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task
from app.texts import decoding as texts
from app.ui import player
from app.views.walk.decoding.flow import flow

MOST_OPTIONS = 8


def body(walk: Walk) -> None:
    """Draw the moment that is chosen, then both ways of decoding."""
    count = len(walk.translation.steps)
    player.tick(count, first=0)
    player.controls(count, first=0)
    step = player.step_of(count, first=0)
    flow(walk, step)
    if step == 0:
        encoded(walk)
    else:
        went_in(walk, step - 1)
        looked(walk, step - 1)
        came_out(walk, step - 1)
    ways(walk)


def scopes(walk: Walk) -> Sequence[str]:
    """Return the arrays of every step: they are the same whichever is on the page."""
    looks = [
        f"decoder.{layer}.{look}"
        for layer in range(walk.config.n_decoder_layers)
        for look in ("self_attn", "cross_attn")
    ]
    return ["memory", "tgt", *looks, "logits"]


def start(walk: Walk) -> Cell:
    """Return the strongest look at the source, or a number of the memory before the first step."""
    step = player.step_of(len(walk.translation.steps), first=0)
    return strongest(walk, step - 1) if step else Cell("memory", (0, 0))


def task(walk: Walk) -> Task:
    """Ask for the step at which the model was least sure."""
    taken = [step.candidates[step.chosen] for step in walk.translation.steps]
    least = min(range(len(taken)), key=lambda i: taken[i].probability)
    spread = np.linspace(0, len(taken) - 1, min(len(taken), MOST_OPTIONS)).round().astype(int)
    shown = sorted({least, *spread.tolist()})
    if len(shown) > MOST_OPTIONS:
        shown.remove(next(i for i in shown if i != least))
    lowest = probability(taken[least].probability)
    return Task(
        question=_(texts.TASK),
        options=[_(texts.OPTION).format(n=i + 1, word=taken[i].token.text) for i in shown],
        answers=frozenset(
            place for place, i in enumerate(shown) if probability(taken[i].probability) == lowest
        ),
        right=_(texts.RIGHT).format(n=least + 1, word=taken[least].token.text, p=lowest),
        wrong=_(texts.WRONG),
    )


CODE = (
    Code(
        N_("One step: read a piece, score what follows"),
        r"p(y_t \mid y_{<t}, x) = \mathrm{softmax}(\mathrm{logits}_t)",
        "model.nn.transformer",
        "Transformer.decode_step",
    ),
    Code(
        N_("Greedy: take the likeliest"),
        r"y_t = \arg\max_w \; p(w \mid y_{<t}, x)",
        "model.decoding.sampling",
        "likeliest",
    ),
    Code(
        N_("Beam: keep the best beginnings"),
        r"\mathrm{score}(y) = \frac{1}{|y|} \sum_t \log p(y_t \mid y_{<t}, x)",
        "model.decoding.beam",
        "Beam.choose",
    ),
)

draw_page(
    WalkPage(
        slug="decoding",
        intro=texts.INTRO,
        select=lambda walk: walk,
        sections=(Section("", body),),
        scopes=scopes,
        start=start,
        task=task,
        code=CODE,
        run_every=player.pace,
    )
)
