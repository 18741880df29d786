"""2013: words as vectors, learned from the company that words keep."""

from app.format import number
from app.i18n import N_, _
from app.page.kit import HistoryPage, Myth, QuizTask, draw_page
from app.views.history.words_as_vectors import data, screens
from app.views.history.words_as_vectors.data import WordVectorsChoice, choice


def task(choice: WordVectorsChoice) -> QuizTask:
    """Ask which of the words of the sum's topic is nearest to its first one now."""
    vectors, word = choice.training.reports[-1].vectors, choice.sum[0]
    near = data.near(vectors, word, 4)
    options = sorted(data.words()[one.token_id] for one in near)
    cosines = {data.words()[one.token_id]: number(one.similarity, 3) for one in near}
    nearest = data.words()[near[0].token_id]
    return QuizTask.each(
        N_("Whose vector points most nearly the same way as that of “{of}”, as they are now?"),
        options,
        [options.index(nearest)],
        N_("Yes: the cosine of “{of}” and “{nearest}” is {most}."),
        N_("The cosine of “{of}” and “{word}” is {cosine}; another word has a larger one."),
        [{"word": option, "cosine": cosines[option], "of": word} for option in options],
        {"of": word, "nearest": nearest, "most": cosines[nearest]},
        of=word,
    )


def myth(choice: WordVectorsChoice) -> Myth:
    """Refute that one number of a vector has a meaning: rotating changes all, but no cosine."""
    vectors, (one, other) = choice.training.reports[-1].vectors, ("king", "queen")
    turned, (at,) = data.rotated(vectors), data.ids(one)
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
        "In 2003 Yoshua Bengio and others let a network learn a vector for each word; in 2013 "
        "word2vec made that fast."
    ),
    screens.screens,
    task,
    pick=screens.pick_watched,
    task_pick=False,
    myth=myth,
    select=choice,
)

if __name__ == "__main__":
    draw_page(PAGE)
