"""What becomes of other starts, and of networks without anything nonlinear."""

from dataclasses import replace

import streamlit as st

from app.components.board import Grid, array_grid, board
from app.format import number
from app.i18n import _
from app.page.quiz import Task
from app.views.history.backprop import texts
from app.views.history.backprop.choice import Choice
from app.views.history.backprop.data import STARTS, descend, xor


def starts_text(choice: Choice) -> str:
    """Say how many starts are tried, and what is left out then."""
    starts = _(texts.STARTS).format(starts=STARTS, updates=choice.plan.updates)
    return f"{starts} {_(texts.LINEAR).format(squash=_with_squash(choice.plan).squash)}"


def guess_starts(choice: Choice) -> Task:
    """Ask how many starts get all rows right."""
    learned = _learned(_with_squash(choice.plan))
    counts = sorted({learned, STARTS, STARTS // 2, 5})
    values = {"starts": STARTS, "learned": learned}
    ask, yes, no = texts.STARTS_ASK, texts.STARTS_RIGHT, texts.STARTS_WRONG
    return Task.of(ask, list(map(str, counts)), [counts.index(learned)], yes, no, **values)


def draw_starts(choice: Choice) -> None:
    """Draw the errors of all starts with a function in the hidden units, and without."""
    plan = _with_squash(choice.plan)
    linear = replace(plan, squash="none")
    titles = _("Error with {squash}").format(squash=plan.squash), _("Error without")
    board([_grid(*each) for each in zip((plan, linear), titles, strict=True)], key="linear")
    best = float(descend(replace(linear, seed=0)).losses.min())
    counts = {"learned": _learned(plan), "without": _learned(linear), "starts": STARTS}
    text = _(texts.LINEAR_READ).format(best=number(best, 3), squash=plan.squash, **counts)
    st.markdown(text)


def _grid(plan: xor.Plan, title: str) -> Grid:
    """Return the errors at the end by seed: its tens down, its ones across."""
    tens = [str(10 * i) for i in range(STARTS // 10)]
    losses = descend(replace(plan, seed=0)).losses.reshape(len(tens), 10)
    labels = {"row_labels": tens, "col_labels": [str(i) for i in range(10)]}
    return array_grid(losses, title, "output", scale="weights", height=110.0, **labels)


def _learned(plan: xor.Plan) -> int:
    """Return how many starts get all four rows right."""
    return int(descend(replace(plan, seed=0)).learned.sum())


def _with_squash(plan: xor.Plan) -> xor.Plan:
    """Return the plan with a function in its hidden units."""
    return replace(plan, squash="tanh") if plan.squash == "none" else plan
