"""Which source token mattered for a token: seven methods side by side, and whether they agree."""

from itertools import combinations
from typing import Final

import numpy as np
import streamlit as st

from app.components.board import array_grid
from app.data.importance import METHODS, Importance, hidden
from app.format import number, percent, signed
from app.i18n import _
from app.inspector.arrays import draw_board
from app.inspector.methods import answers_about, names
from app.inspector.probe import Probe, marked
from app.page.quiz import Task, largest
from app.ui.table import numbered
from app.views.walk.what_if import texts

INTEGRATED: Final = "integrated_gradients"


def mattered_text(probe: Probe) -> str:
    """Say what is asked."""
    return _(texts.MATTERED).format(word=marked(probe.word))


def guess_mattered(probe: Probe) -> Task:
    """Ask which source token costs the word most when it is hidden."""
    shown, answers = largest(hidden(probe.walk)[probe.at])
    best = shown[min(answers)]
    drop = signed(-hidden(probe.walk)[probe.at, best])
    says = _(texts.MATTERED_SAYS).format(key=probe.source(best), change=drop)
    question = _(texts.MATTERED_ASK).format(word=probe.word)
    return Task(question, [probe.source(i) for i in shown], answers, says, says)


def draw_mattered(probe: Probe) -> None:
    """Draw a row a method, each scaled by its own largest number; the menu has the numbers."""
    found = answers_about(probe)
    tokens = [probe.source(i) for i in range(len(probe.walk.capture.src))]
    labels = {"row_labels": names(found), "col_labels": tokens}
    most = np.abs(found.rows).max(-1, keepdims=True)  # (R, 1)
    scaled = np.divide(found.rows, most, out=np.zeros_like(found.rows), where=most > 0)
    title = _("Each row ÷ its own largest magnitude")
    shown = array_grid(scaled, title, "output", reach=1.0, **labels)
    exact = [
        array_grid(row, name, "output", col_labels=tokens)
        for name, row in zip(names(found), found.rows, strict=True)
    ]
    draw_board([shown], "what-mattered", [shown, *exact])


def agree_text(probe: Probe) -> str:
    """Say which two methods rank the tokens most alike, and which two least."""
    found = answers_about(probe)
    pairs = [
        (float(found.correlations[i, j]), i, j)
        for i, j in combinations(range(len(found.methods)), 2)
        if np.isfinite(found.correlations[i, j])
    ]
    if not pairs:
        return _(texts.NO_RANKS)
    titles = names(found)
    (high, a, b), (low, c, d) = max(pairs), min(pairs)
    return _(texts.AGREE).format(
        a=titles[a], b=titles[b], high=signed(high), c=titles[c], d=titles[d], low=signed(low)
    )


def draw_agree(probe: Probe) -> None:
    """Draw the rank correlation of every two methods."""
    found = answers_about(probe)
    shown = np.isfinite(found.correlations)
    grid = array_grid(
        np.where(shown, found.correlations, 0.0),
        _("rank correlation"),
        "residual",
        reach=1.0,
        row_labels=numbered(names(found)),
        col_labels=[str(i + 1) for i in range(len(found.methods))],
        mask=None if shown.all() else shown,
    )
    draw_board([grid], "what-agree", text={"hatched": _(texts.SAME_EVERYWHERE)})
    st.markdown(_named(probe, found))


def complete_text(probe: Probe) -> str:
    """Say what the integrated gradients add up to, and what is missing."""
    found = answers_about(probe)
    total = float(_integrated(found).sum())
    after = float(probe.log_p[probe.at])
    rise = total + found.gap
    return _(texts.COMPLETE).format(
        word=marked(probe.word),
        before=number(after - rise, 3),
        after=number(after, 3),
        rise=signed(rise, 3),
        sum=signed(total, 3),
        gap=signed(found.gap, 3),
        part=percent(abs(found.gap / rise)) if rise else "∞",
        points=found.points,
    )


def draw_complete(probe: Probe) -> None:
    """Draw the integrated gradients of each source token."""
    tokens = [probe.source(i) for i in range(len(probe.walk.capture.src))]
    row, title = _integrated(answers_about(probe)), _(METHODS[INTEGRATED].title)
    draw_board([array_grid(row[None], title, "output", col_labels=tokens)], "what-complete")


def task(probe: Probe) -> Task:
    """Ask which source token the whole translation misses most."""
    drops = hidden(probe.walk).sum(0)  # (S,)
    shown, answers = largest(drops)
    best = shown[min(answers)]
    values = {"key": probe.source(best), "change": signed(-drops[best])}
    right, wrong = (_(text).format(**values) for text in (texts.TASK_RIGHT, texts.TASK_WRONG))
    reasons = [
        _(texts.TASK_REASON).format(key=probe.source(i), change=signed(-drops[i])) for i in shown
    ]
    options = [probe.source(i) for i in shown]
    return Task(_(texts.TASK), options, answers, right, wrong, reasons)


def _named(probe: Probe, found: Importance) -> str:
    """Say how many methods name the same token as the experiment."""
    best = found.rows.argmax(-1)  # (R,)
    others = [i for i in range(1, len(best)) if best[i] != best[0]]
    values = {"key": marked(probe.source(int(best[0]))), "n": len(best)}
    if not others:
        return _(texts.ALL_NAME).format(**values)
    titles = names(found)
    told = ", ".join(f"{titles[i]}: “{marked(probe.source(int(best[i])))}”" for i in others)
    return _(texts.SOME_NAME).format(**values, same=len(best) - len(others), others=told)


def _integrated(found: Importance) -> np.ndarray:
    return np.asarray(found.rows[found.methods.index(INTEGRATED)])
