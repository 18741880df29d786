"""Scores, which may be any number, beside the weights that the softmax makes of them."""

import numpy as np
import streamlit as st

from app.components.board import Grid, Op, array_grid
from app.data.translation import Translation
from app.format import number, power, share
from app.i18n import _
from app.inspector.arrays import draw_board, weights_grid
from app.page.quiz import Task
from app.views.history.evolution import texts
from app.views.history.evolution.beside import head_of, looking_of
from app.views.history.evolution.choice import Choice
from app.views.history.evolution.roles import step_of


def looks(translation: Translation, step: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores and the weights of a model's chosen head at a step, (S,) each."""
    layer, head = head_of(translation)
    stages = (
        translation.capture.stage("cross", layer, stage, head)[step]
        for stage in ("masked", "weights")
    )
    scores, weights = stages
    return scores, weights


def guess_range(choice: Choice) -> Task:
    """Ask what becomes of the lowest score."""
    one = looking_of(choice.translations)[0]
    scores, weights = looks(one, step_of(choice.translations))
    lowest = int(scores.argmin())
    name, low = _(texts.NAMES[one.model]), number(scores[lowest])
    says = _(texts.RANGE_SAYS).format(weight=power(weights[lowest]))
    options = [_(texts.RANGE_BELOW), _(texts.RANGE_ZERO), _(texts.RANGE_ABOVE)]
    question = _(texts.RANGE_ASK).format(name=name, low=low)
    return Task(question, options, frozenset([2]), says, says)


def draw_range(choice: Choice) -> None:
    """Draw scores and weights of each model at the chosen step."""
    items: list[Grid | Op] = []
    lines = []
    for one in looking_of(choice.translations):
        name, year = _(texts.NAMES[one.model]), texts.YEARS[one.model]
        scores, weights = looks(one, step_of(choice.translations))
        tokens = [token.text for token in one.source.tokens]
        score_title, weight_title = _(texts.OF_SCORES), _(texts.OF_WEIGHTS)
        items += [
            array_grid(scores[:, None], score_title.format(name=year), row_labels=tokens),
            Op("→"),
            weights_grid(weights[:, None], weight_title.format(name=year)),
        ]
        ends = {"low": scores.min(), "high": scores.max()}
        shares = {"least": power(weights.min()), "most": share(weights.max(), 3)}
        written = {end: number(float(value)) for end, value in ends.items()} | shares
        lines.append(_(texts.RANGE_ENDS).format(name=name, **written))
    draw_board(items, "range")
    st.markdown("  \n".join(lines))
