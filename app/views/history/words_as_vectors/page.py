"""2013: words as vectors, learned from the company that words keep."""

import numpy as np

from app.format import number
from app.i18n import N_, _
from app.page.kit import HistoryPage, Myth, Proof, QuizTask, Recomputed, draw_page, one_by_one
from app.views.history.words_as_vectors import analogies, data, learning
from app.views.history.words_as_vectors.data import WordVectorsChoice, choice


def proof(choice: WordVectorsChoice) -> Proof:
    """Recompute the last update, the cosines with the sum of words, and the map."""
    report = choice.report
    last, vectors = report.last, report.vectors
    torchs = data.recomputed.update_by_autograd(last)
    cosines = data.recomputed.similarities_again(vectors, data.ids(*choice.sum))
    neighbours = data.sums(vectors, *choice.sum, n=len(data.words()))
    similarities = np.array([neighbour.similarity for neighbour in neighbours])
    order = [neighbour.token_id for neighbour in neighbours]
    _four, shown, axes_of = learning.on_map(choice, report)
    distances = data.word_vectors.distances(data.flat_map(vectors, axes_of, shown).points)
    on_map = data.ids(*axes_of), data.ids(*shown)
    distances_again = data.recomputed.map_distances_again(vectors, *on_map)
    changes = N_("changes of the guessed words' vectors")
    stages = (
        Recomputed(N_("scores of the update"), last.scores, torchs["scores"], 1e-4),
        Recomputed(N_("change of the given vectors"), last.input_change, torchs["input"], 1e-5),
        Recomputed(changes, last.output_changes, torchs["outputs"], 1e-5),
        Recomputed(N_("cosines with the sum of words"), similarities, cosines[order], 1e-5),
        Recomputed(N_("distances on the map"), distances, distances_again, 1e-5),
    )
    return Proof(stages, N_("the update with torch.autograd, cosines and map in NumPy, float64"))


def task(choice: WordVectorsChoice) -> QuizTask:
    """Ask which of the words of the last update moved towards what was given."""
    last = choice.report.last
    outputs, errors = analogies.names(last.outputs), [number(error, 4) for error in last.errors]
    target, options = outputs[0], sorted(set(outputs))
    return QuizTask.each(
        N_("For which of these words did u move towards h in the last update?"),
        options,
        [options.index(target)],
        N_(
            "Yes: “{target}” was the word to be guessed. Its error 1 − σ(s) = {error} is "
            "positive, so a part of h is added to its vector. The errors of the others, 0 − σ(s), "
            "are negative."
        ),
        N_(
            "“{word}” was drawn at random: its error 0 − σ(s) = {error} is negative, so its u "
            "moved away from h."
        ),
        [{"word": word, "error": errors[outputs.index(word)]} for word in options],
        {"target": target},
    )


def myth(choice: WordVectorsChoice) -> Myth:
    """Refute that one number of a vector has a meaning: rotating changes all, but no cosine."""
    vectors, (one, other) = choice.report.vectors, ("king", "queen")
    turned, (at,) = data.word_vectors.rotated(vectors), data.ids(one)
    cosines = [number(data.cosine(each, one, other), 3) for each in (vectors, turned)]
    firsts = [number(float(each[at, 0]), 3) for each in (vectors, turned)]
    values = dict(zip(("before", "after", "cosine", "again"), firsts + cosines, strict=True))
    truth = _(
        "The first number of “{word}” is {before}. Turn all {words} vectors by the same "
        "rotation, drawn at random, and it is {after}; yet the cosine of “{word}” and “{other}” is "
        "{cosine} before and {again} after, and every sum of words has the same answer. Only "
        "lengths and angles count."
    ).format(word=one, other=other, words=len(data.words()), **values)
    return Myth(
        _("Each number of a word's vector stands for something, such as royal or female."), truth
    )


PAGE = HistoryPage(
    "words_as_vectors",
    N_(
        "A network multiplies and adds numbers. First a word was a number for each letter, then "
        "one place in a list. In 2003 Yoshua Bengio and others let a network learn a vector for "
        "each word; in 2013 word2vec made that so fast that everybody could do it."
    ),
    (*learning.screens, *analogies.screens),
    task,
    pick=one_by_one(learning.pick_pair, learning.pick_watched, analogies.pick_sum),
    task_pick=False,
    myth=myth,
    select=choice,
    proof=proof,
)

if __name__ == "__main__":
    draw_page(PAGE)
