"""2013: words as vectors that are learned from the company they keep."""

from typing import Final

import numpy as np

from app.i18n import N_
from app.page.declare import Code, HistoryPage, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.views.history.words_as_vectors import data, texts
from app.views.history.words_as_vectors.choice import Choice, choice
from app.views.history.words_as_vectors.learning import draw_learning, learning_text, on_map
from app.views.history.words_as_vectors.quiz import draw_quiz, quiz_text
from app.views.history.words_as_vectors.update import draw_update, names, update_text
from app.views.history.words_as_vectors.ways import (
    draw_learned,
    draw_one_hot,
    draw_picture_and_bytes,
    one_hot_text,
)


def proof(choice: Choice) -> Proof:
    """Compute the last update again, the cosines with the sum of words, and the map."""
    report = choice.report
    update, vectors = report.last, report.vectors
    torchs, cosines = data.by_autograd(update), data.similarities_again(vectors, *choice.sum)
    neighbours = data.sums(vectors, *choice.sum, n=len(data.words()))
    similarities = np.array([neighbour.similarity for neighbour in neighbours])
    order = [neighbour.token_id for neighbour in neighbours]
    _four, shown, axes_of = on_map(choice, report)
    distances = data.apart(data.flat_map(vectors, axes_of, shown).points)
    stages = (
        Recomputed(texts.PROOF_SCORES, update.scores, torchs["scores"], 1e-4),
        Recomputed(texts.PROOF_INPUT, update.input_change, torchs["input"], 1e-5),
        Recomputed(texts.PROOF_OUTPUTS, update.output_changes, torchs["outputs"], 1e-5),
        Recomputed(texts.PROOF_SUM, similarities, cosines[order], 1e-5),
        Recomputed(texts.PROOF_MAP, distances, data.map_again(vectors, axes_of, shown), 1e-5),
    )
    return Proof(stages, texts.BY)


def task(choice: Choice) -> Task:
    """Ask which of the words of the last update moved towards what was given."""
    update = choice.report.last
    target, *drawn = names(update.outputs)
    options = sorted({target, *drawn})
    answer, values = options.index(target), {"target": target, "error": f"{update.errors[0]:.4f}"}
    return Task.of(texts.ASK, options, {answer}, texts.RIGHT, texts.WRONG, **values)


SECTIONS = (
    Section("bytes", "", draw_picture_and_bytes),
    Section("one_hot", texts.ONE_HOT_TITLE, draw_one_hot, one_hot_text),
    Section("train", texts.TRAIN_TITLE, draw_learning, learning_text),
    Section("learned", texts.LEARNED_TITLE, draw_learned),
    Section("update", texts.UPDATE_TITLE, draw_update, update_text),
    Section("test", texts.TEST_TITLE, draw_quiz, quiz_text),
)

VECTORS: Final = "model.history.word_vectors"
CODE = (
    Code(
        N_("What is guessed from what"),
        r"(w_t, w_{t+j}) \quad 0 < |j| \le c",
        f"{VECTORS}:examples",
    ),
    Code(
        N_("One update with negative sampling"),
        r"\ell = -\log \sigma(h \cdot u_0) - \sum_{k=1}^{K} \log \sigma(-h \cdot u_k)",
        f"{VECTORS}:WordVectors.update",
    ),
    Code(N_("The training"), r"P(w) \propto \mathrm{count}(w)^{3/4}", f"{VECTORS}:train"),
    Code(
        N_("The analogy test"),
        r"\arg\max_{d \notin \{a, b, c\}} \cos(d,\ b - a + c)",
        "model.history.analogies:answers",
    ),
    Code(
        N_("The map's axes"),
        r"\max_{\lVert a \rVert = 1} \sum_i \big((v_i - \bar{v}) \cdot a\big)^2",
        "model.interpret.calculation.projection:principal_components",
    ),
)

PAGE = HistoryPage(
    "words_as_vectors", texts.INTRO, SECTIONS, task, CODE, select=choice, proof=proof
)

if __name__ == "__main__":
    draw_page(PAGE)
