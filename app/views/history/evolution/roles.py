"""What plays the query, the key and the value in each of the three, in the sentence's numbers."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.data.translation import Token, Translation
from app.format import escape, number, percent, visible
from app.i18n import _
from app.views.history.evolution import texts
from app.views.history.evolution.beside import head_of, weights_of, written
from app.views.history.evolution.data import SEARCH, TRANSFORMER

STEP: Final = state.Param[int]("estep", 0, state.whole(0, 10_000))
FIRST: Final = 4  # numbers of a vector that are written out
ROWS: Final = (
    texts.ROW_WRITES, texts.ROW_QUERY, texts.ROW_HOW, texts.ROW_NUMBERS, texts.ROW_LOOKS,
    texts.ROW_KEY, texts.ROW_HOW, texts.ROW_NUMBERS, texts.ROW_VALUE, texts.ROW_HOW,
    texts.ROW_NUMBERS, texts.ROW_SCORE, texts.ROW_WEIGHT, texts.ROW_CONTEXT,
)  # fmt: skip
NOTHING: Final = "–"
# What query, key and value are made of, how, and the score.
MADE_OF: Final = {
    SEARCH: (texts.STATE, texts.ANNOTATION, texts.ANNOTATION_ITSELF),
    TRANSFORMER: (texts.STREAM, texts.MEMORY, texts.MEMORY),
}
FORMULAS: Final = {
    SEARCH: ("$q = W_a s + b$", "$k = U_a h$", "$v = h$", r"$v_a^\top \tanh(q + k)$"),
    TRANSFORMER: (
        "$q = W_Q x + b_Q$", "$k = W_K m + b_K$", "$v = W_V m + b_V$", r"$q \cdot k / \sqrt{d_k}$",
    ),
}  # fmt: skip


def draw_roles(translations: Mapping[str, Translation]) -> None:
    """Draw the table of the three, at the step that is chosen."""
    count = min(len(written(one)) for one in translations.values())
    step = _step(translations, count)
    if count > 1:
        key, tip = STEP.widget(step), _(texts.STEP_HELP)
        st.slider(_(texts.STEP), 1, count, key=key, help=tip, width=360)
    columns = {"": [_(row) for row in ROWS]}
    for name, one in translations.items():
        columns[_(texts.NAMES[name])] = _column(one, step - 1)
    st.table(columns)


def _step(translations: Mapping[str, Translation], count: int) -> int:
    """Return the chosen step, from 1; at first the one that is surest where to look."""
    chosen = STEP.get()
    looking = [one for one in translations.values() if one.capture.n_layers("cross")]
    if chosen == 0 and looking:
        words = [not token.special for token in looking[-1].source.tokens]
        looks = weights_of(looking[-1])[:count]
        return int((looks[:, words] if any(words) else looks).max(-1).argmax()) + 1
    return min(max(chosen, 1), count)


def _column(translation: Translation, step: int) -> list[str]:
    says = f"“{_word(written(translation)[step])}”"
    if not translation.capture.n_layers("cross"):
        c = _numbers(translation.capture.arrays["memory"][0])
        return [
            says, _(texts.NO_QUERY), NOTHING, NOTHING, NOTHING, _(texts.NO_KEY), NOTHING, NOTHING,
            _(texts.ONE_VALUE), "$c = h_S$", c, NOTHING, NOTHING, f"$c$, {c}",
        ]  # fmt: skip
    layer, head = head_of(translation)
    q, k, v, scores, weights, context = (
        translation.capture.stage("cross", layer, stage, head)
        for stage in ("q", "k", "v", "masked", "weights", "context")
    )
    most = int(weights[step].argmax())
    sizes = {
        "state": translation.capture.config.d_hidden,
        "memory": translation.capture.arrays["memory"].shape[1],
    }
    query, key, value = (_(text).format(**sizes) for text in MADE_OF[translation.model])
    of_query, of_key, of_value, of_score = FORMULAS[translation.model]
    return [
        says, query, of_query, _numbers(q[step]), f"“{_word(translation.source.tokens[most])}”",
        key, of_key, _numbers(k[most], len(k)), value, of_value, _numbers(v[most], len(v)),
        f"{of_score} = {number(scores[step, most])}", percent(float(weights[step, most])),
        rf"$\sum_j \alpha_j v_j$, {_numbers(context[step])}",
    ]  # fmt: skip


def _numbers(vector: np.ndarray, n: int | None = None) -> str:
    """Write how many numbers there are in a vector, of n such, and the first of them."""
    first = ", ".join(map(number, vector[:FIRST]))
    size = vector.size if n is None else f"{n} × {vector.size}"
    return f"{size}: {first}, …"


def _word(token: Token) -> str:
    return escape(visible(token.text))
