"""Chapter 14: is attention an explanation? The claim, the counter-claim, the model's numbers."""

from typing import Final

import numpy as np

from app.data.importance import hidden
from app.format import signed
from app.i18n import N_, _
from app.inspector.probe import Probe, answers_about, cross_scopes, marked, pick_written, probe_of
from app.page.kit import Myth, QuizTask, WalkPage, draw_page
from app.views.walk.explanation.screens import pick, screens, titles

MYTH: Final = N_("Attention marks the important words.")


def myth(probe: Probe) -> Myth:
    """Compare, token by token, the most attention with what is missed most."""
    drops = hidden(probe.walk)  # (T, S)
    weights = probe.walk.capture.all_weights("cross").mean((0, 1))  # (T, S)
    alike = weights.argmax(-1) == drops.argmax(-1)  # (T,)
    if alike.all():
        truth = _(
            "In your sentence both name the same token for all {n} written tokens: here one could "
            "not tell them apart. Try a longer one; the sample shows how often they differ."
        )
        return Myth(_(MYTH), truth.format(n=len(alike)))
    at = int(np.where(alike, -np.inf, drops.max(-1)).argmax())
    truth = _(
        "Attention says where a head looked. Only an experiment tells what mattered. In your "
        "sentence, for {same} of {n} written tokens, the token with the most attention (mean "
        "of all heads) is also the one missed most when it is left out. For “{word}” it is "
        "not: attention says “{looked}”, leave-one-out “{missed}”."
    ).format(
        same=int(alike.sum()),
        n=len(alike),
        word=marked(Probe(probe.walk, at, 0).word),
        looked=marked(probe.source(int(weights[at].argmax()))),
        missed=marked(probe.source(int(drops[at].argmax()))),
    )
    return Myth(_(MYTH), truth)


def task(probe: Probe) -> QuizTask:
    """Ask which method agrees most about the chosen token; without any ranks, none does."""
    found = answers_about(probe)
    correlations = np.nan_to_num(found.correlations[0, 1:], nan=-1.0)
    best = int(correlations.argmax())
    answers = np.flatnonzero(correlations == correlations[best]).tolist()
    options = titles(found)
    return QuizTask.of(
        N_("Which of these ranks the source tokens for “{word}” most like leave-one-out does?"),
        options,
        answers,
        N_("Yes: “{best}”, with {rho}."),
        N_("It is “{best}”, with {rho}. Open “Do weights agree with experiments?”."),
        word=probe.word,
        best=options[best],
        rho=signed(correlations[best]),
    )


PAGE = WalkPage(
    slug="explanation",
    intro=N_(
        "A map of attention looks like a reason: the model wrote this word because it looked at "
        "that one. Whether it is one has been argued in papers that answer each other. Here are "
        "the claim and the counter-claim, each with what this model says."
    ),
    select=probe_of,
    pick=pick,
    task_pick=pick_written,
    myth=myth,
    sections=screens,
    scopes=lambda probe: (*cross_scopes(probe.walk), "logits"),
    task=task,
    changed=False,
)

if __name__ == "__main__":
    draw_page(PAGE)
