"""What plays the query, the key and the value in each of the three, in the sentence's numbers."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.data.translation import Token, Translation
from app.format import escape, number, percent, visible
from app.i18n import N_, _
from app.views.history.evolution import texts
from app.views.history.evolution.beside import head_of, weights_of, written
from app.views.history.evolution.data import SEARCH, TRANSFORMER

STEP: Final = state.Param[int]("estep", 0, state.whole(0, 10_000))
FIRST: Final = 4  # numbers of a vector that are written out
HOW: Final = (N_("formula"), N_("size, first numbers"))
ROWS: Final = (
    N_("is about to write"),
    N_("**query**, made of"),
    *HOW,
    N_("looks most at"),
    N_("**key**, made of"),
    *HOW,
    N_("**value**, made of"),
    *HOW,
    N_("**score**"),
    N_("**weight** after the softmax"),
    N_("**result** of the step"),
)
NOTHING: Final = "–"
# What query, key and value are made of, and how; and the score.
MADE_OF: Final = {
    SEARCH: (
        (texts.STATE, "$q = W_a s + b$"),
        (texts.ANNOTATION, "$k = U_a h$"),
        (N_("the annotation itself"), "$v = h$"),
    ),
    TRANSFORMER: (
        (texts.STREAM, "$q = W_Q x + b_Q$"),
        (texts.MEMORY, "$k = W_K m + b_K$"),
        (texts.MEMORY, "$v = W_V m + b_V$"),
    ),
}
SCORE: Final = {SEARCH: r"$v_a^\top \tanh(q + k)$", TRANSFORMER: r"$q \cdot k / \sqrt{d_k}$"}


def draw_roles(translations: Mapping[str, Translation]) -> None:
    """Draw the table of the three, at the step that is chosen."""
    count = min(len(written(one)) for one in translations.values())
    step = _step(translations, count)
    if count > 1:
        key, tip = STEP.widget(step), _(texts.STEP_HELP)
        st.slider(_("Step of the translation"), 1, count, key=key, help=tip, width=360)
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
    """Return the cells of `ROWS` for one model."""
    capture, writes = translation.capture, _quoted(written(translation)[step])
    if not capture.n_layers("cross"):
        c = _numbers(capture.arrays["memory"][0])
        query = [_("nothing asks"), NOTHING, NOTHING]
        key = [_("nothing to choose from"), NOTHING, NOTHING]
        value = [_("c, the same vector at every step"), "$c = h_S$", c]
        return [writes, *query, NOTHING, *key, *value, NOTHING, NOTHING, f"$c$, {c}"]
    layer, head = head_of(translation)
    q, k, v, scores, weights, context = (
        capture.stage("cross", layer, stage, head)
        for stage in ("q", "k", "v", "masked", "weights", "context")
    )
    most = int(weights[step].argmax())
    vectors = _numbers(q[step]), _numbers(k[most], len(k)), _numbers(v[most], len(v))
    sizes = {"state": capture.config.d_hidden, "memory": capture.arrays["memory"].shape[1]}
    query, key, value = (
        [_(text).format(**sizes), formula, numbers]
        for (text, formula), numbers in zip(MADE_OF[translation.model], vectors, strict=True)
    )
    looks_at = _quoted(translation.source.tokens[most])
    score = f"{SCORE[translation.model]} = {number(scores[step, most])}"
    result = rf"$\sum_j \alpha_j v_j$, {_numbers(context[step])}"
    weight = percent(float(weights[step, most]))
    return [writes, *query, looks_at, *key, *value, score, weight, result]


def _numbers(vector: np.ndarray, n: int | None = None) -> str:
    """Write how many numbers there are in a vector, of n such, and the first of them."""
    first = ", ".join(map(number, vector[:FIRST]))
    size = vector.size if n is None else f"{n} × {vector.size}"
    return f"{size}: {first}, …"


def _quoted(token: Token) -> str:
    return f"“{escape(visible(token.text))}”"
