"""2014 to 2017: three translators side by side, and six attentions on the same numbers."""

import numpy as np
import streamlit as st

from app.format import number
from app.i18n import N_, _
from app.page.declare import Code, Drawer, HistoryPage, Myth, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.views.history.evolution import beside, speed, texts
from app.views.history.evolution.better import draw_better, scores_of
from app.views.history.evolution.bounds import draw_range, guess_range
from app.views.history.evolution.choice import Choice
from app.views.history.evolution.data import (
    RECURRENT,
    SEARCH,
    Attention,
    attentions,
    looks,
    recomputed,
)
from app.views.history.evolution.roles import FIRST, draw_numbers, draw_roles, pick_step
from app.views.history.evolution.scores import draw_scores
from app.views.history.evolution.six import (
    FIRST_THREE,
    draw_formulas,
    draw_six,
    draw_vectors,
    largest,
    six_text,
    vectors_text,
)

TOLERANCE = 1e-8  # scores may reach 10⁵ with what fits into the fields


def pick_looks(choice: Choice) -> None:
    """Draw the choice of a sentence and of the Transformer's head."""
    left, right = st.columns([0.65, 0.35], gap="medium", vertical_alignment="bottom")
    with left:
        beside.pick_sentence(choice)
    with right:
        beside.pick_head(choice)


def pick_all(choice: Choice) -> None:
    """Draw the choice of a sentence, of a head and of a step."""
    left, middle, right = st.columns([0.5, 0.25, 0.25], gap="medium", vertical_alignment="bottom")
    with left:
        beside.pick_sentence(choice)
    with middle:
        beside.pick_head(choice)
    with right:
        pick_step(choice)


def roles_text(_choice: Choice) -> str:
    """Say what changed, and what the table writes out."""
    return f"{_(texts.ROLES)} {_(texts.NUMBERS).format(first=FIRST)}"


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


def myth(choice: Choice) -> Myth:
    """Refute that attention is of 2017, by the weights and the scores of RNNsearch."""
    many, few = speed.waiting(choice)
    scores, found = scores_of(choice), choice.translations.get(SEARCH)
    if found is None or not {RECURRENT, SEARCH} <= set(scores):
        return Myth(_(texts.MYTH), _(texts.TRUTH_ALONE).format(few=few, many=many))
    last = {"rnn": scores[RECURRENT][-1], "search": scores[SEARCH][-1]}
    bleu = {name: number(row.bleu, 1) for name, row in last.items()}
    n = found.capture.weights("cross", 0, 0).size
    return Myth(_(texts.MYTH), _(texts.TRUTH).format(n=n, few=few, many=many, **bleu))


def task(choice: Choice) -> Task:
    """Ask which way to score is the most decided for the first query."""
    vectors = choice.vectors
    computed = attentions(vectors.inputs)
    most = [computed[name].weights[0, 0].max() for name in FIRST_THREE]
    options = [_(texts.SIX_NAMES[name]) for name in FIRST_THREE]
    answers = np.flatnonzero(np.isclose(most, max(most))).tolist()
    written, reason = largest(computed, 0), _(texts.REASON)
    return Task(
        _(texts.ASK).format(word=vectors.queries[0]),
        options,
        frozenset(answers),
        _(texts.RIGHT).format(**written),
        "",
        [
            reason.format(name=option, weight=weight)
            for option, weight in zip(options, written.values(), strict=True)
        ],
    )


SECTIONS = (
    Section(
        "beside", texts.BESIDE_TITLE, beside.draw_beside, texts.BESIDE, pick=beside.pick_sentence
    ),
    Section(
        "where",
        texts.WHERE_TITLE,
        beside.draw_maps,
        beside.maps_text,
        pick=pick_looks,
        was=("vector",),
    ),
    Section(
        "roles",
        texts.ROLES_TITLE,
        draw_numbers,
        roles_text,
        pick=pick_all,
        drawers=(
            Drawer("made", texts.MADE_TITLE, draw_roles),
            Drawer(
                "range",
                texts.RANGE_TITLE,
                draw_range,
                texts.RANGE,
                when=lambda _choice: looks(),
                guess=guess_range,
            ),
        ),
        code=(
            Code(
                texts.CODE_ADDITIVE,
                r"e_{ij} = v_a^\top \tanh(W_a s_{i-1} + U_a h_j) \qquad \alpha_i ="
                r" \mathrm{softmax}(e_i)"
                r" \qquad c_i = \sum_j \alpha_{ij} h_j",
                "model.nn.alignment:AdditiveAttention.attend",
            ),
            Code(
                texts.CODE_SCALED,
                r"\mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
                "model.nn.attention:MultiHeadAttention.attend",
            ),
        ),
        was=("numbers",),
    ),
    Section(
        "six",
        texts.SIX_TITLE,
        draw_six,
        six_text,
        pick=beside.pick_sentence,
        drawers=(
            Drawer("formulas", texts.FORMULAS_TITLE, draw_formulas),
            Drawer("vectors", texts.VECTORS_TITLE, draw_vectors, vectors_text),
        ),
        code=(
            Code(
                texts.CODE_SIX,
                r"S \in \mathbb{R}^{T \times 4} \qquad H \in \mathbb{R}^{S \times 4}",
                "model.history.attentions:attentions",
            ),
        ),
        was=("additive", "dot", "scaled", "self", "cross", "multi-head"),
    ),
    Section("length", texts.LENGTH_TITLE, draw_scores, pick=False),
    Section(
        "row",
        texts.ROW_TITLE,
        speed.draw_row,
        speed.row_text,
        pick=beside.pick_sentence,
        guess=speed.guess_row,
        drawers=(Drawer("speed", texts.SPEED_TITLE, speed.draw_speed, speed.measure_text),),
        code=(
            Code(
                texts.CODE_SPEED,
                r"\frac{\text{tokens}}{\text{seconds}}",
                "model.history.speed:measure",
            ),
        ),
    ),
    Section("better", texts.BETTER_TITLE, draw_better, texts.BETTER, pick=beside.pick_sentence),
)


PAGE = HistoryPage(
    "evolution",
    texts.INTRO,
    SECTIONS,
    task,
    pick=pick_all,
    task_pick=beside.pick_sentence,
    select=Choice,
    proof=proof,
    myth=myth,
)

if __name__ == "__main__":
    draw_page(PAGE)
