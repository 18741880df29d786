"""2014 to 2017: three translators side by side, and six attentions on the same numbers."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from app.data.translation import Translation
from app.i18n import _
from app.page.declare import Code, HistoryPage, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.ui.live_part import FAILED, live_part
from app.views.history.evolution import texts
from app.views.history.evolution.beside import draw_beside, draw_maps, opened
from app.views.history.evolution.data import Attention, attentions, recomputed
from app.views.history.evolution.given import chosen
from app.views.history.evolution.roles import draw_roles
from app.views.history.evolution.scores import draw_scores
from app.views.history.evolution.six import FIRST_THREE, draw_six, largest
from app.views.history.evolution.speed import draw_speed

TOLERANCE = 1e-8  # scores may reach 10⁵ with what fits into the fields


def body() -> None:
    """Draw the three translators, what they are worth, and the six attentions."""
    st.header(_(texts.BESIDE_TITLE), anchor=False)
    made = draw_beside()
    live_part(lambda: _looks(made), failed=_(FAILED))
    st.header(_(texts.LENGTH_TITLE), anchor=False)
    draw_scores(tuple(made))
    st.header(_(texts.SPEED_TITLE), anchor=False)
    draw_speed(made)
    st.header(_(texts.SIX_TITLE), anchor=False)
    draw_six(made)


def _looks(made: Mapping[str, Translation]) -> None:
    draw_maps(made)
    st.header(_(texts.ROLES_TITLE), anchor=False)
    draw_roles(made)


def proof() -> Proof:
    """Compute the six attentions again by sums over plain numbers."""
    given = chosen(opened()).given
    return Proof(
        [
            Recomputed(texts.SIX_NAMES[name], _all(made), _all(recomputed(given, name)), TOLERANCE)
            for name, made in attentions(given).items()
        ],
        texts.BY,
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
        _(texts.ASK).format(word=now.queries[0]),
        [_(texts.SIX_NAMES[name]) for name in FIRST_THREE],
        frozenset(i for i, weight in enumerate(most) if np.isclose(weight, max(most))),
        _(texts.RIGHT).format(**said),
        _(texts.WRONG).format(**said),
    )


CODE = (
    Code(
        texts.CODE_ADDITIVE,
        r"e_{ij} = v_a^\top \tanh(W_a s_{i-1} + U_a h_j) \qquad \alpha_i = \mathrm{softmax}(e_i)"
        r" \qquad c_i = \sum_j \alpha_{ij} h_j",
        "model.nn.alignment",
        "AdditiveAttention.attend",
    ),
    Code(
        texts.CODE_SCALED,
        r"\mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
        "model.nn.attention",
        "MultiHeadAttention.attend",
    ),
    Code(
        texts.CODE_SIX,
        r"S \in \mathbb{R}^{T \times 4} \qquad H \in \mathbb{R}^{S \times 4}",
        "model.history.attentions",
        "attentions",
    ),
    Code(
        texts.CODE_SPEED,
        r"\frac{\text{tokens}}{\text{seconds}}",
        "model.history.speed",
        "measure",
    ),
)

draw_page(
    HistoryPage(
        slug="evolution",
        intro=texts.INTRO,
        select=lambda: None,
        sections=(Section("", lambda _: body()),),
        proof=lambda _: proof(),
        task=lambda _: task(),
        code=CODE,
    )
)
