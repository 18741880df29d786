"""2013: words as vectors that are learned from the company they keep."""

import numpy as np

from app.i18n import _
from app.lessons import words_as_vectors as lesson
from app.services_words_as_vectors import again, apart, by_torch, flat_map, map_again, sums, words
from app.widgets.frame import Code
from app.widgets.history import Era, Proof, Recomputed, era
from app.widgets.task import Task
from app.widgets.words_quiz import draw_quiz
from app.widgets.words_training import asked, draw_training, on_map, trained
from app.widgets.words_update import draw_update, names
from app.widgets.words_ways import draw_learned, draw_one_hot, draw_picture_and_bytes

CODE = (
    Code(
        lesson.CODE_EXAMPLES, r"(w_t, w_{t+j}) \quad 0 < |j| \le c",
        "model.history.word_vectors", "examples",
    ),
    Code(
        lesson.CODE_UPDATE,
        r"\ell = -\log \sigma(h \cdot u_0) - \sum_{k=1}^{K} \log \sigma(-h \cdot u_k)",
        "model.history.word_vectors", "WordVectors.update",
    ),
    Code(
        lesson.CODE_TRAIN, r"P(w) \propto \mathrm{count}(w)^{3/4}",
        "model.history.word_vectors", "train",
    ),
    Code(
        lesson.CODE_ANALOGY, r"\arg\max_{d \notin \{a, b, c\}} \cos(d,\ b - a + c)",
        "model.history.analogies", "answers",
    ),
    Code(
        lesson.CODE_PCA, r"\max_{\lVert a \rVert = 1} \sum_i \big((v_i - \bar{v}) \cdot a\big)^2",
        "model.calculation.projection", "principal_components",
    ),
)  # fmt: skip


def body() -> None:
    """Draw the way from a word's bytes to its learned vector, and what that vector knows."""
    draw_picture_and_bytes()
    draw_one_hot()
    draw_training()
    draw_learned(trained())
    draw_update(trained())
    draw_quiz(trained())


def proof() -> Proof:
    """Compute the last update again, the cosines with the sum of words, and the map."""
    now = trained()
    torchs, cosines = by_torch(now.last), again(now.vectors, *asked())
    found = sums(now.vectors, *asked(), n=len(words()))
    _four, shown, axes_of = on_map(now)
    distances = apart(flat_map(now.vectors, axes_of, shown).points)
    return Proof(
        (
            Recomputed(lesson.PROOF_SCORES, now.last.scores, torchs["scores"], 1e-4),
            Recomputed(lesson.PROOF_INPUT, now.last.input_change, torchs["input"], 1e-5),
            Recomputed(lesson.PROOF_OUTPUTS, now.last.output_changes, torchs["outputs"], 1e-5),
            Recomputed(
                lesson.PROOF_SUM,
                np.array([one.similarity for one in found]),
                cosines[[one.token_id for one in found]],
                1e-5,
            ),
            Recomputed(lesson.PROOF_MAP, distances, map_again(now.vectors, axes_of, shown), 1e-5),
        ),
        lesson.BY,
    )


def task() -> Task:
    """Ask which of the words of the last update moved towards what was given."""
    update = trained().last
    target, *drawn = names(update.outputs)
    options = sorted({target, *drawn})
    error = f"{update.errors[0]:.4f}"
    return Task(
        _(lesson.ASK), options, frozenset({options.index(target)}),
        _(lesson.RIGHT).format(target=target, error=error), _(lesson.WRONG),
    )  # fmt: skip


era(Era(slug="words_as_vectors", intro=lesson.INTRO, body=body, proof=proof, task=task, code=CODE))
