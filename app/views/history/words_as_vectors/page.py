"""2013: words as vectors that are learned from the company they keep."""

import numpy as np

from app.i18n import _
from app.page.declare import Code, HistoryPage, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.views.history.words_as_vectors import texts
from app.views.history.words_as_vectors.data import (
    again,
    apart,
    by_autograd,
    flat_map,
    map_again,
    sums,
    words,
)
from app.views.history.words_as_vectors.quiz import draw_quiz
from app.views.history.words_as_vectors.training import asked, draw_training, on_map, trained
from app.views.history.words_as_vectors.update import draw_update, names
from app.views.history.words_as_vectors.ways import (
    draw_learned,
    draw_one_hot,
    draw_picture_and_bytes,
)

CODE = (
    Code(
        texts.CODE_EXAMPLES, r"(w_t, w_{t+j}) \quad 0 < |j| \le c",
        "model.history.word_vectors", "examples",
    ),
    Code(
        texts.CODE_UPDATE,
        r"\ell = -\log \sigma(h \cdot u_0) - \sum_{k=1}^{K} \log \sigma(-h \cdot u_k)",
        "model.history.word_vectors", "WordVectors.update",
    ),
    Code(
        texts.CODE_TRAIN, r"P(w) \propto \mathrm{count}(w)^{3/4}",
        "model.history.word_vectors", "train",
    ),
    Code(
        texts.CODE_ANALOGY, r"\arg\max_{d \notin \{a, b, c\}} \cos(d,\ b - a + c)",
        "model.history.analogies", "answers",
    ),
    Code(
        texts.CODE_PCA, r"\max_{\lVert a \rVert = 1} \sum_i \big((v_i - \bar{v}) \cdot a\big)^2",
        "model.interpret.calculation.projection", "principal_components",
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
    torchs, cosines = by_autograd(now.last), again(now.vectors, *asked())
    found = sums(now.vectors, *asked(), n=len(words()))
    _four, shown, axes_of = on_map(now)
    distances = apart(flat_map(now.vectors, axes_of, shown).points)
    return Proof(
        (
            Recomputed(texts.PROOF_SCORES, now.last.scores, torchs["scores"], 1e-4),
            Recomputed(texts.PROOF_INPUT, now.last.input_change, torchs["input"], 1e-5),
            Recomputed(texts.PROOF_OUTPUTS, now.last.output_changes, torchs["outputs"], 1e-5),
            Recomputed(
                texts.PROOF_SUM,
                np.array([one.similarity for one in found]),
                cosines[[one.token_id for one in found]],
                1e-5,
            ),
            Recomputed(texts.PROOF_MAP, distances, map_again(now.vectors, axes_of, shown), 1e-5),
        ),
        texts.BY,
    )


def task() -> Task:
    """Ask which of the words of the last update moved towards what was given."""
    update = trained().last
    target, *drawn = names(update.outputs)
    options = sorted({target, *drawn})
    error = f"{update.errors[0]:.4f}"
    return Task(
        _(texts.ASK), options, frozenset({options.index(target)}),
        _(texts.RIGHT).format(target=target, error=error), _(texts.WRONG),
    )  # fmt: skip


draw_page(
    HistoryPage(
        slug="words_as_vectors",
        intro=texts.INTRO,
        select=lambda: None,
        sections=(Section("", lambda _: body()),),
        proof=lambda _: proof(),
        task=lambda _: task(),
        code=CODE,
    )
)
