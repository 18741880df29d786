"""2014 to 2017: three translators side by side, and six attentions on the same numbers."""

import numpy as np

from app.i18n import N_, _
from app.page.declare import Code, HistoryPage, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.ui.live_part import FAILED, live_part
from app.ui.section import section
from app.views.history.evolution import texts
from app.views.history.evolution.beside import draw_beside, draw_maps
from app.views.history.evolution.choice import Choice
from app.views.history.evolution.data import Attention, attentions, recomputed
from app.views.history.evolution.roles import draw_roles
from app.views.history.evolution.scores import draw_scores
from app.views.history.evolution.six import FIRST_THREE, draw_six, largest
from app.views.history.evolution.speed import draw_speed, speed_text

TOLERANCE = 1e-8  # scores may reach 10⁵ with what fits into the fields


def draw_looks(choice: Choice) -> None:
    """Draw where the models look, and what plays the query, the key and the value."""
    live_part(lambda: _draw_looks(choice), failed=_(FAILED))


def _draw_looks(choice: Choice) -> None:
    draw_maps(choice.translations)
    section(_(texts.ROLES_TITLE), _(texts.ROLES))
    draw_roles(choice.translations)


def proof(choice: Choice) -> Proof:
    """Compute the six attentions again by sums over plain numbers."""
    inputs, stages = choice.vectors.inputs, []
    for name, attention in attentions(inputs).items():
        ours, again = _all(attention), _all(recomputed(inputs, name))
        stages.append(Recomputed(texts.SIX_NAMES[name], ours, again, TOLERANCE))
    return Proof(stages, N_("the six attentions, written out as sums over plain numbers"))


def _all(attention: Attention) -> np.ndarray:
    arrays = (attention.scores, attention.weights, attention.out)
    return np.concatenate([array.ravel() for array in arrays])


def task(choice: Choice) -> Task:
    """Ask which way to score is the most decided for the first query."""
    vectors = choice.vectors
    computed = attentions(vectors.inputs)
    most = [computed[name].weights[0, 0].max() for name in FIRST_THREE]
    options = [_(texts.SIX_NAMES[name]) for name in FIRST_THREE]
    answers = np.flatnonzero(np.isclose(most, max(most))).tolist()
    values = {"word": vectors.queries[0]} | largest(computed, 0)
    return Task.of(texts.ASK, options, answers, texts.RIGHT, texts.WRONG, **values)


SECTIONS = (
    Section("beside", texts.BESIDE_TITLE, draw_beside),
    Section("where", texts.WHERE_TITLE, draw_looks),
    Section("length", texts.LENGTH_TITLE, draw_scores),
    Section("speed", texts.SPEED_TITLE, draw_speed, speed_text),
    Section("six", texts.SIX_TITLE, draw_six, texts.SIX),
)

CODE = (
    Code(
        N_("Additive attention"),
        r"e_{ij} = v_a^\top \tanh(W_a s_{i-1} + U_a h_j) \qquad \alpha_i = \mathrm{softmax}(e_i)"
        r" \qquad c_i = \sum_j \alpha_{ij} h_j",
        "model.nn.alignment:AdditiveAttention.attend",
    ),
    Code(
        N_("Scaled dot product, of one head or many"),
        r"\mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
        "model.nn.attention:MultiHeadAttention.attend",
    ),
    Code(
        N_("The same modules on a few vectors"),
        r"S \in \mathbb{R}^{T \times 4} \qquad H \in \mathbb{R}^{S \times 4}",
        "model.history.attentions:attentions",
    ),
    Code(
        N_("The measurement"),
        r"\frac{\text{tokens}}{\text{seconds}}",
        "model.history.speed:measure",
    ),
)

PAGE = HistoryPage("evolution", texts.INTRO, SECTIONS, task, CODE, select=Choice, proof=proof)

if __name__ == "__main__":
    draw_page(PAGE)
