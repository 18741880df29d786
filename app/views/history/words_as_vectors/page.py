"""2013: words as vectors that are learned from the company they keep."""

from typing import Final

import numpy as np

from app.format import number
from app.i18n import N_, _
from app.page.declare import Code, Drawer, HistoryPage, Myth, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.views.history.words_as_vectors import data, texts
from app.views.history.words_as_vectors.choice import Choice, choice
from app.views.history.words_as_vectors.learning import (
    draw_learning,
    draw_near,
    draw_sum,
    near_text,
    on_map,
    pick_sum,
    pick_watched,
    train_text,
)
from app.views.history.words_as_vectors.quiz import (
    draw_quiz,
    draw_translator,
    quiz_text,
)
from app.views.history.words_as_vectors.story import (
    draw_pairs,
    draw_story,
    draw_text,
    pairs_text,
    pick_way,
    story_text,
    text_text,
)
from app.views.history.words_as_vectors.update import (
    draw_update,
    names,
    update_text,
)
from app.views.history.words_as_vectors.ways import (
    apart_text,
    draw_apart,
    draw_learned,
    draw_one_hot,
    guess_apart,
    learned_text,
    one_hot_text,
    pick_pair,
)


def pick_all(choice: Choice) -> None:
    """Draw every choice of the page."""
    pick_pair(choice)
    pick_watched(choice)
    pick_sum(choice)


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
    outputs, errors = names(update.outputs), [number(error, 4) for error in update.errors]
    target, options = outputs[0], sorted(set(outputs))
    reason = _(texts.REASON)
    return Task(
        _(texts.ASK),
        options,
        frozenset({options.index(target)}),
        _(texts.RIGHT).format(target=target, error=errors[0]),
        "",
        [reason.format(word=word, error=errors[outputs.index(word)]) for word in options],
    )


def myth(choice: Choice) -> Myth:
    """Refute that a number of a vector means something: a rotation changes all, but no cosine."""
    vectors, (one, other) = choice.report.vectors, ("king", "queen")
    turned, at = data.rotated(vectors), data.words().index(one)
    cosines = [number(data.cosine(each, one, other), 3) for each in (vectors, turned)]
    firsts = [number(float(each[at, 0]), 3) for each in (vectors, turned)]
    values = dict(zip(("before", "after", "cosine", "again"), firsts + cosines, strict=True))
    truth = _(texts.TRUTH).format(word=one, other=other, words=len(data.words()), **values)
    return Myth(_(texts.MYTH), truth)


VECTORS: Final = "model.history.word_vectors"

SECTIONS = (
    Section(
        "one_hot",
        texts.ONE_HOT_TITLE,
        draw_one_hot,
        one_hot_text,
        guess=guess_apart,
        pick=pick_pair,
        beside=((apart_text, draw_apart),),
        was=("apart",),
    ),
    Section(
        "text",
        texts.TEXT_TITLE,
        draw_text,
        text_text,
        pick=pick_way,
        beside=((pairs_text, draw_pairs),),
        was=("pairs",),
        code=(
            Code(
                N_("What is guessed from what"),
                r"(w_t, w_{t+j}) \quad 0 < |j| \le c",
                f"{VECTORS}:examples",
            ),
        ),
    ),
    Section(
        "train",
        texts.TRAIN_TITLE,
        draw_learning,
        train_text,
        pick=pick_watched,
        code=(
            Code(N_("The training"), r"P(w) \propto \mathrm{count}(w)^{3/4}", f"{VECTORS}:train"),
        ),
    ),
    Section(
        "near",
        texts.NEAR_TITLE,
        draw_near,
        near_text,
        pick=pick_pair,
        beside=((learned_text, draw_learned),),
        was=("learned",),
        drawers=(Drawer("story", texts.STORY_TITLE, draw_story, story_text),),
        code=(
            Code(
                N_("The map's axes"),
                r"\max_{\lVert a \rVert = 1} \sum_i \big((v_i - \bar{v}) \cdot a\big)^2",
                "model.interpret.calculation.projection:principal_components",
            ),
        ),
    ),
    Section(
        "sum",
        texts.SUM_TITLE,
        draw_sum,
        texts.SUM,
        pick=pick_sum,
        drawers=(
            Drawer("test", texts.TEST_TITLE, draw_quiz, quiz_text),
            Drawer("translator", texts.TRANSLATOR_TITLE, draw_translator, texts.TRANSLATOR),
        ),
        code=(
            Code(
                N_("The analogy test"),
                r"\arg\max_{d \notin \{a, b, c\}} \cos(d,\ b - a + c)",
                "model.history.analogies:answers",
            ),
        ),
    ),
    Section(
        "update",
        texts.UPDATE_TITLE,
        draw_update,
        update_text,
        pick=False,
        was=("errors", "changes"),
        code=(
            Code(
                N_("One update with negative sampling"),
                r"\ell = -\log \sigma(h \cdot u_0) - \sum_{k=1}^{K} \log \sigma(-h \cdot u_k)",
                f"{VECTORS}:WordVectors.update",
            ),
        ),
    ),
)


PAGE = HistoryPage(
    "words_as_vectors",
    texts.INTRO,
    SECTIONS,
    task,
    pick=pick_all,
    task_pick=False,
    myth=myth,
    select=choice,
    proof=proof,
)

if __name__ == "__main__":
    draw_page(PAGE)
