"""2014 to 2017: three translators side by side, and six attentions on the same numbers."""

from typing import Final

import numpy as np

from app.format import number
from app.i18n import N_, _
from app.page.kit import HistoryPage, Myth, Proof, QuizTask, Recomputed, draw_page
from app.views.history.evolution import beside, cost, data, six
from app.views.history.evolution.data import AttentionOutput, EvolutionChoice, attentions

TOLERANCE: Final = 1e-8  # scores may reach 10⁵ with what fits into the fields


def proof(choice: EvolutionChoice) -> Proof:
    """Recompute the six attentions by sums over plain numbers."""
    inputs, stages = choice.vectors.inputs, []
    for name, attention in attentions(inputs).items():
        ours, again = _all(attention), _all(data.recomputed(inputs, name))
        stages.append(Recomputed(six.SIX_NAMES[name], ours, again, TOLERANCE))
    return Proof(stages, N_("the six attentions, written out as sums over plain numbers"))


def _all(attention: AttentionOutput) -> np.ndarray:
    return np.concatenate([array.ravel() for array in vars(attention).values()])


def myth(choice: EvolutionChoice) -> Myth:
    """Refute that attention dates from 2017, by RNNsearch's weights and scores."""
    claim, (many, few) = _("“Attention came with the Transformer, in 2017.”"), cost.waiting(choice)
    scores, found = cost.scores_of(choice), choice.translations.get(data.SEARCH)
    if found is None or not {data.RECURRENT, data.SEARCH} <= set(scores):
        truth = _(
            "RNNsearch had it in 2015. What was new in 2017 was leaving out the "
            "recurrence: {few} steps that wait for one another in training, not {many}."
        ).format(few=few, many=many)
        return Myth(claim, truth)
    last = {"rnn": scores[data.RECURRENT][-1], "search": scores[data.SEARCH][-1]}
    bleu = {name: number(row.bleu, 1) for name, row in last.items()}
    n = found.capture.weights("cross", 0, 0).size
    truth = _(
        "RNNsearch had it in 2015: {n} weights for your sentence, and each row adds up to 1. "
        "On the longest test sentences it takes BLEU from {rnn} to {search}. What was new in "
        "2017 was leaving out the recurrence: {few} steps that wait, not {many}."
    ).format(n=n, few=few, many=many, **bleu)
    return Myth(claim, truth)


def task(choice: EvolutionChoice) -> QuizTask:
    """Ask which way of scoring is the most decided for the first query."""
    vectors = choice.vectors
    computed = attentions(vectors.inputs)
    most = [computed[name].weights[0, 0].max() for name in six.FIRST_THREE]
    options = [_(six.SIX_NAMES[name]) for name in six.FIRST_THREE]
    written = six.largest(computed, 0)
    return QuizTask.each(
        N_(
            "The first query, “{word}”: which of the first three attentions gives its favourite "
            "the largest weight?"
        ),
        options,
        np.flatnonzero(np.isclose(most, max(most))).tolist(),
        N_("Yes: additive {additive}, dot product {dot}, scaled {scaled}."),
        N_(
            "{name} gives its favourite {weight}, and another one gives more. Compare the first "
            "row of the weights of the three."
        ),
        [
            {"name": option, "weight": weight}
            for option, weight in zip(options, written.values(), strict=True)
        ],
        written,
        word=vectors.queries[0],
    )


PAGE = HistoryPage(
    "evolution",
    N_(
        "In three years, attention went from a helper of recurrent networks to all that a "
        "translator needs."
    ),
    (*beside.screens, *six.screens, *cost.screens),
    task,
    pick=beside.pick_all,
    task_pick=beside.pick_sentence,
    select=EvolutionChoice,
    proof=proof,
    myth=myth,
)

if __name__ == "__main__":
    draw_page(PAGE)
