"""2014 to 2017: one sentence by three translators, from one vector to attention alone."""

import numpy as np

from app.format import number, percent
from app.i18n import N_, _
from app.inspector.naming import follows
from app.page.kit import Myth, QuizTask, WalkPage, draw_page
from app.views.history.evolution import attention, data, recurrent, search
from app.views.history.evolution.data import RECURRENT, SCOPE, SEARCH, Story


def myth(story: Story) -> Myth:
    """Refute that attention dates from 2017, by RNNsearch's weights and scores."""
    claim = _("“Attention came with the Transformer, in 2017.”")
    (many, few), scores = attention.waiting(story), data.scores(story.translations)
    n = story.walk.array(f"{SCOPE}.weights").size
    truth = _(
        "RNNsearch had it in 2015: {n} weights for your sentence, and each row adds up to 1. What "
        "was new in 2017 was leaving out the recurrence: {few} steps that wait for one another in "
        "training, not {many}."
    ).format(n=n, few=few, many=many)
    if {RECURRENT, SEARCH} <= set(scores):
        last = {"rnn": scores[RECURRENT][-1], "search": scores[SEARCH][-1]}
        bleu = {name: number(row.bleu, 1) for name, row in last.items()}
        gain = _("On the longest test sentences, RNNsearch took BLEU from {rnn} to {search}.")
        truth += " " + gain.format(**bleu)
    return Myth(claim, truth)


def task(story: Story) -> QuizTask:
    """Ask what another word attended to than the one shown first, if there is another."""
    walk = story.walk
    weights = walk.array(f"{SCOPE}.weights")[0]  # (T, S)
    others = np.delete(np.arange(len(weights)), data.surest(walk))
    at = int(others[weights[others].max(-1).argmax()]) if others.size else 0
    asked, tokens = weights[at], walk.capture.src
    return QuizTask.largest(
        N_("Which source token does RNNsearch look at most when it writes “{word}” ({n})?"),
        asked,
        lambda i: _("{n}: {word}").format(n=i + 1, word=tokens[i].text),
        N_("Yes: “{word}” gets {weight} of the attention."),
        N_(
            "“{other}” gets {weight}, and another token gets more. Look along the row of “{word}” "
            "in the alignment of 2015."
        ),
        lambda i: {"other": tokens[i].text, "weight": percent(asked[i])},
        yes={"word": tokens[int(asked.argmax())].text},
        word=follows(walk)[at].text,
        n=at + 1,
    )


PAGE = WalkPage(
    slug="evolution",
    intro=N_(
        "In three years, attention went from a helper of recurrent networks to all that a "
        "translator needs."
    ),
    select=data.story,
    pick=search.pick_written,
    task_pick=False,
    sections=(*recurrent.screens, *search.screens, *attention.screens),
    scopes=lambda _story: ("src", "encoder", "memory", "decoder"),
    task=task,
    myth=myth,
    model=SEARCH,
    sentence=data.SENTENCE,
)

if __name__ == "__main__":
    draw_page(PAGE)
