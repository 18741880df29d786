"""2015: the first attention, by which the decoder searches the source for the tokens it needs."""

import numpy as np

from app.format import percent
from app.i18n import N_, _
from app.inspector.naming import follows, token_markdown
from app.page.kit import Myth, QuizTask, WalkPage, draw_page
from app.views.history.rnnsearch import screens


def myth(row: screens.AlignmentRow) -> Myth:
    """Refute that every row points at one word, by the least certain row."""
    walk = row.walk
    weights = walk.array(f"{screens.SCOPE}.weights")[0]  # (T, S)
    most = weights.max(-1)
    at = int(most.argmin())
    values = {
        "word": token_markdown(follows(walk)[at]),
        "most": token_markdown(walk.capture.src[int(weights[at].argmax())]),
        "weight": percent(float(most[at])),
        "rest": percent(1 - float(most[at])),
        "few": int((most <= 0.5).sum()),
        "n": len(most),
    }
    truth = (
        N_(
            "Often, but nobody asked for it: the weights were trained to make good translations, "
            "not to align words. When “{word}” is written, no token gets more than {weight} "
            "(“{most}”). In {few} of {n} rows of your sentence, no token gets more than half: the "
            "context is a mixture."
        )
        if values["few"]
        else N_(
            "Often, but nobody asked for it: the weights were trained to make good translations, "
            "not to align words. Each row of your sentence has a clear favourite, yet even so the "
            "context is a mixture: when “{word}” is written, “{most}” gets {weight}, and the "
            "other tokens share {rest}."
        )
    )
    return Myth(
        _("“The largest weight shows which word is being translated.”"), _(truth).format(**values)
    )


def task(row: screens.AlignmentRow) -> QuizTask:
    """Ask what another word attended to than the one shown first, if there is another."""
    walk = row.walk
    weights = walk.array(f"{screens.SCOPE}.weights")[0]  # (T, S)
    others = np.delete(np.arange(len(weights)), screens.surest(walk))
    at = int(others[weights[others].max(-1).argmax()]) if others.size else 0
    asked, tokens = weights[at], walk.capture.src
    return QuizTask.largest(
        N_("Which source token does the decoder look at most when it writes “{word}” ({n})?"),
        asked,
        lambda i: _("{n}: {word}").format(n=i + 1, word=tokens[i].text),
        N_("Yes: “{word}” gets {weight} of the attention."),
        N_(
            "“{other}” gets {weight}, and another token gets more. Open “The whole alignment” and "
            "look along the row of “{word}”."
        ),
        lambda i: {"other": tokens[i].text, "weight": percent(asked[i])},
        yes={"word": tokens[int(asked.argmax())].text},
        word=follows(walk)[at].text,
        n=at + 1,
    )


PAGE = WalkPage(
    slug="rnnsearch",
    intro=N_(
        "Bahdanau, Cho and Bengio (preprint 2014, published 2015) kept both recurrent networks "
        "and removed the bottleneck between them: before each token, the decoder searches the "
        "whole source."
    ),
    select=screens.alignment,
    pick=screens.pick_written,
    task_pick=False,
    sections=screens.screens,
    scopes=lambda _row: ("src", "encoder", "memory", "decoder"),  # all but the words' scores
    task=task,
    myth=myth,
    model="rnnsearch/es-en",
)

if __name__ == "__main__":
    draw_page(PAGE)
