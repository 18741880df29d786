"""2014 to 2017: three translators side by side, and six attentions on the same numbers."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from app.i18n import _
from app.lessons import evolution as lesson
from app.services import Translation
from app.services_attentions import Attention, again, attentions
from app.widgets.apart import apart
from app.widgets.evolution_beside import draw_beside, draw_maps, opened
from app.widgets.evolution_given import chosen
from app.widgets.evolution_roles import draw_roles
from app.widgets.evolution_scores import draw_scores
from app.widgets.evolution_six import FIRST_THREE, draw_six, largest
from app.widgets.evolution_speed import draw_speed
from app.widgets.frame import Code
from app.widgets.history import Era, Proof, Recomputed, era
from app.widgets.task import Task

TOLERANCE = 1e-8  # scores may reach 10⁵ with what fits into the fields


def body() -> None:
    """Draw the three translators, what they are worth, and the six attentions."""
    st.header(_(lesson.BESIDE_TITLE), anchor=False)
    made = draw_beside()
    apart(lambda: _looks(made))
    st.header(_(lesson.LENGTH_TITLE), anchor=False)
    draw_scores(tuple(made))
    st.header(_(lesson.SPEED_TITLE), anchor=False)
    draw_speed(made)
    st.header(_(lesson.SIX_TITLE), anchor=False)
    draw_six(made)


def _looks(made: Mapping[str, Translation]) -> None:
    draw_maps(made)
    st.header(_(lesson.ROLES_TITLE), anchor=False)
    draw_roles(made)


def proof() -> Proof:
    """Compute the six attentions again by sums over plain numbers."""
    given = chosen(opened()).given
    return Proof(
        [
            Recomputed(lesson.SIX_NAMES[name], _all(made), _all(again(given, name)), TOLERANCE)
            for name, made in attentions(given).items()
        ],
        lesson.BY,
    )


def _all(made: Attention) -> np.ndarray:
    return np.concatenate([made.scores.ravel(), made.weights.ravel(), made.out.ravel()])


def task() -> Task:
    """Ask which way to score is the most decided for the first query."""
    now = chosen(opened())
    computed = attentions(now.given)
    most = [computed[name].weights[0, 0].max() for name in FIRST_THREE]
    said = largest(computed, 0)
    return Task(
        _(lesson.ASK).format(word=now.queries[0]),
        [_(lesson.SIX_NAMES[name]) for name in FIRST_THREE],
        frozenset(i for i, weight in enumerate(most) if np.isclose(weight, max(most))),
        _(lesson.RIGHT).format(**said),
        _(lesson.WRONG).format(**said),
    )


CODE = (
    Code(
        lesson.CODE_ADDITIVE,
        r"e_{ij} = v_a^\top \tanh(W_a s_{i-1} + U_a h_j) \qquad \alpha_i = \mathrm{softmax}(e_i)"
        r" \qquad c_i = \sum_j \alpha_{ij} h_j",
        "model.evolution.alignment",
        "AdditiveAttention.attend",
    ),
    Code(
        lesson.CODE_SCALED,
        r"\mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
        "model.attention",
        "MultiHeadAttention.attend",
    ),
    Code(
        lesson.CODE_SIX,
        r"S \in \mathbb{R}^{T \times 4} \qquad H \in \mathbb{R}^{S \times 4}",
        "model.evolution.attentions",
        "attentions",
    ),
    Code(
        lesson.CODE_SPEED,
        r"\frac{\text{tokens}}{\text{seconds}}",
        "model.evolution.speed",
        "measure",
    ),
)

era(Era(slug="evolution", intro=lesson.INTRO, body=body, proof=proof, task=task, code=CODE))
