"""What plays the query, the key and the value in each of the three, in the sentence's numbers."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.data.translation import Token, Translation
from app.format import escape, listed, number, percent, quoted, visible
from app.i18n import N_, _
from app.ui.table import written_table
from app.views.history.evolution import texts
from app.views.history.evolution.beside import head_of, looking_of, weights_of, written
from app.views.history.evolution.choice import Choice
from app.views.history.evolution.data import SEARCH, TRANSFORMER

STEP: Final = state.Param[int]("estep", 0, state.whole(0, 10_000))
FIRST: Final = 4  # numbers of a vector that are written out
NOTHING: Final = "–"
PARTS: Final = (
    N_("**query**"),
    N_("**key**"),
    N_("**value**"),
    N_("**score**"),
    N_("**result**"),
)
MIXED: Final = r"$\sum_j \alpha_j v_j$"
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
ROWS: Final = (
    N_("is about to write"),
    N_("looks most at"),
    *PARTS[:4],
    N_("**weight** after the softmax"),
    PARTS[4],
)


def draw_roles(choice: Choice) -> None:
    """Draw the table of what plays query, key and value in each."""
    columns = {"": [_(part) for part in PARTS]}
    for name, one in choice.translations.items():
        columns[_(texts.NAMES[name])] = _made(one)
    written_table(columns)


def draw_numbers(choice: Choice) -> None:
    """Draw the same in numbers, at the step that is chosen."""
    columns = {"": [_(row) for row in ROWS]}
    step = step_of(choice.translations)
    for name, one in choice.translations.items():
        columns[_(texts.NAMES[name])] = _column(one, step)
    written_table(columns)


def pick_step(choice: Choice) -> None:
    """Draw the choice of a step of the translation."""
    count, step = _count(choice.translations), step_of(choice.translations) + 1
    if count > 1:
        key, tip = STEP.widget(step), _(texts.STEP_HELP)
        st.slider(_("Step of the translation"), 1, count, key=key, help=tip)


def step_of(translations: Mapping[str, Translation]) -> int:
    """Return the chosen step, from 0; at first the one that is surest where to look."""
    count, chosen = _count(translations), STEP.get()
    looking = looking_of(translations)
    if chosen == 0 and looking:
        words = [not token.special for token in looking[-1].source.tokens]
        looks = weights_of(looking[-1])[:count]
        return int((looks[:, words] if any(words) else looks).max(-1).argmax())
    return min(max(chosen, 1), count) - 1


def _count(translations: Mapping[str, Translation]) -> int:
    return min(len(written(one)) for one in translations.values())


def _made(translation: Translation) -> list[str]:
    """Return the cells of `PARTS` for one model."""
    capture = translation.capture
    if not capture.n_layers("cross"):
        value = _("c, the same vector at every step")
        return [
            _("nothing asks"),
            _("nothing to choose from"),
            f"{value}: $c = h_S$",
            NOTHING,
            "$c$",
        ]
    sizes = {"state": capture.config.d_hidden, "memory": capture.arrays["memory"].shape[1]}
    made = (f"{_(text).format(**sizes)}: {formula}" for text, formula in MADE_OF[translation.model])
    return [*made, SCORE[translation.model], MIXED]


def _column(translation: Translation, step: int) -> list[str]:
    """Return the cells of `ROWS` for one model."""
    capture, writes = translation.capture, _quoted(written(translation)[step])
    if not capture.n_layers("cross"):
        c = _numbers(capture.arrays["memory"][0])
        return [writes, NOTHING, NOTHING, NOTHING, c, NOTHING, NOTHING, c]
    layer, head = head_of(translation)
    q, k, v, scores, weights, context = (
        capture.stage("cross", layer, stage, head)
        for stage in ("q", "k", "v", "masked", "weights", "context")
    )
    most = int(weights[step].argmax())
    return [
        writes,
        _quoted(translation.source.tokens[most]),
        _numbers(q[step]),
        _numbers(k[most], len(k)),
        _numbers(v[most], len(v)),
        number(scores[step, most]),
        share_cell(float(weights[step, most])),
        _numbers(context[step]),
    ]


def share_cell(weight: float) -> str:
    """Write a share in a cell: one that begins with “>” would become a quotation."""
    return percent(weight).replace(">", r"\>")


def _numbers(vector: np.ndarray, n: int | None = None) -> str:
    """Write how many numbers there are in a vector, of n such, and the first of them."""
    first = listed([*map(number, vector[:FIRST]), "…"])
    size = vector.size if n is None else f"{n} × {vector.size}"
    return f"{size}: {first}"


def _quoted(token: Token) -> str:
    return quoted(escape(visible(token.text)))
