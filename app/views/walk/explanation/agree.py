"""How each method ranks the source tokens, compared with leave-one-out: one token, and a sample."""

import numpy as np

from app.components.board import array_grid
from app.data.importance import Importance
from app.format import signed
from app.i18n import _
from app.inspector.arrays import draw_board, weights_grid
from app.inspector.methods import answers_about
from app.inspector.probe import Probe, marked
from app.page.quiz import Task
from app.ui.section import section
from app.views.walk.explanation import texts
from app.views.walk.explanation.claims import TITLES, closest
from app.views.walk.explanation.data import evidence_of


def agree_text(probe: Probe) -> str:
    """Say what is compared, and which method comes closest."""
    text = _(texts.AGREE).format(word=marked(probe.word))
    evidence, found = evidence_of(probe.walk), answers_about(probe)
    correlations = found.correlations[0, 1:]
    if evidence is None or not np.isfinite(correlations).any():
        return text
    best = titles(found)[int(np.nanargmax(correlations))]
    sampled = _(TITLES[closest(evidence).method])
    sample = _(texts.AGREE_SAMPLE).format(n=evidence.tokens, best=best, sampled=sampled)
    return f"{text} {sample}"


def guess_agree(probe: Probe) -> Task:
    """Ask which method agrees most, on the sample; without one, about the chosen token."""
    evidence = evidence_of(probe.walk)
    if evidence is None:
        return task(probe)
    best = closest(evidence)
    options = [_(TITLES[one.method]) for one in evidence.agreements]
    title = _(TITLES[best.method])
    says = _(texts.AGREE_SAYS).format(best=title, rho=signed(best.mean))
    right = frozenset([evidence.agreements.index(best)])
    return Task(_(texts.AGREE_ASK).format(n=evidence.tokens), options, right, says, says)


def draw_agree(probe: Probe) -> None:
    """Draw each method's correlation for the chosen token, and those of the sample."""
    section("", agree_text(probe))
    found, evidence = answers_about(probe), evidence_of(probe.walk)
    columns, values = [_(texts.YOURS)], found.correlations[0, 1:, None]  # (R - 1, 1)
    if evidence is not None:
        sample = [[one.mean, *one.quartiles] for one in evidence.agreements]
        columns += [_(texts.MEAN), "25 %", "50 %", "75 %"]
        values = np.hstack([values, sample])
    known = np.isfinite(values)
    grids = [
        array_grid(
            np.where(known, values, 0.0),
            _(texts.AGREE_MAP),
            "residual",
            reach=1.0,
            row_labels=titles(found),
            col_labels=columns,
            mask=None if known.all() else known,
        )
    ]
    if evidence is not None:
        same = np.array([[one.same] for one in evidence.agreements])
        grids.append(weights_grid(same, _(texts.SAME_MAP), titles(found), [_(texts.MEAN)]))
    draw_board(grids, "explanation-agree", text={"hatched": _(texts.NO_RANKS)})


def titles(found: Importance) -> list[str]:
    """Return what the methods are called that are compared with leave-one-out."""
    return [_(TITLES[method]) for method in found.methods[1:]]


def task(probe: Probe) -> Task:
    """Ask which method agrees most about the chosen token; without any ranks, none does."""
    found = answers_about(probe)
    correlations = np.nan_to_num(found.correlations[0, 1:], nan=-1.0)
    best = int(correlations.argmax())
    answers = np.flatnonzero(correlations == correlations[best]).tolist()
    values = {"best": titles(found)[best], "rho": signed(correlations[best])}
    options, word = titles(found), probe.word
    return Task.of(texts.ASK, options, answers, texts.RIGHT, texts.WRONG, word=word, **values)
