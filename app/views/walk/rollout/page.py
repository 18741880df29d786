"""Chapter 13: attention through all layers, by halves, by norms and as a flow."""

import numpy as np

from app.format import percent
from app.i18n import N_, _
from app.inspector.probe import cross_scopes, marked, pick_written
from app.page.kit import Myth, QuizTask, WalkPage, draw_page
from app.page.quiz import largest
from app.views.walk.rollout.data import contributions
from app.views.walk.rollout.screens import RolloutLook, look_of, pick_all, screens


def myth(look: RolloutLook) -> Myth:
    """Say what stands at the place of the source word that keeps the least of itself."""
    rows = contributions(look.walk, "norms", "encoder", -1)  # (S, S)
    at = int(np.diagonal(rows).argmin())
    others = np.where(np.arange(len(rows)) == at, 0, rows[at])
    values = {
        "word": marked(look.source(at)),
        "own": percent(rows[at, at]),
        "rest": percent(others.sum()),
        "other": marked(look.source(int(others.argmax()))),
        "share": percent(others.max()),
    }
    return Myth(
        _(
            "If the last encoder-decoder attention looks at the place of “{word}”, the model uses "
            "the word “{word}”."
        ).format(**values),
        _(
            "It uses the vector at that place, and the encoder has mixed it: by norms, {own} of "
            "it is “{word}”, and {rest} are other words, “{other}” first with {share}. A weight "
            "belongs to a place; what stands there is for the layers below to say."
        ).format(**values),
    )


def task(look: RolloutLook) -> QuizTask:
    """Ask which source token reaches the word most, by norms."""
    S = len(look.walk.capture.src)
    row = contributions(look.walk, "norms", "decoder", -1)[look.at, :S]
    shown, answers = largest(row)
    best = shown[min(answers)]
    return QuizTask.of(
        N_(
            "By norms, through all layers: which source token contributes most to the vector "
            "that writes “{word}”?"
        ),
        [look.source(i) for i in shown],
        answers,
        N_("Yes: “{key}”, with {share}."),
        N_("It is “{key}”, with {share}. Open “Which words reach a written word”."),
        word=look.word,
        key=look.source(best),
        share=percent(row[best]),
    )


PAGE = WalkPage(
    slug="rollout",
    intro=N_(
        "A map of attention shows one layer. Above the first layer, though, what a layer attends "
        "to is no longer words: each vector is already a mixture of what the layers below "
        "attended to. Here we follow the words through all of them."
    ),
    select=look_of,
    pick=pick_all,
    task_pick=pick_written,
    myth=myth,
    sections=screens,
    scopes=lambda look: (*cross_scopes(look.walk), "memory"),
    task=task,
)

if __name__ == "__main__":
    draw_page(PAGE)
