"""What a page asks: one task at its end, and a guess before a picture that answers it."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
import streamlit as st

from app.format import escape
from app.i18n import _

OPTIONS: Final = 8  # offered at most


@dataclass(frozen=True)
class Task:
    """A question with its options, which of them are right, and what to say to either answer.

    `right` and `wrong` may name the numbers that decide: they are plain text. `reasons` say of each
    option in turn why it is wrong, where one sentence does not do for all.
    """

    question: str
    options: Sequence[str]
    answers: frozenset[int]
    right: str
    wrong: str
    reasons: Sequence[str] = ()

    @classmethod
    def of(
        cls,
        question: str,
        options: Sequence[str],
        answers: Iterable[int],
        right: str,
        wrong: str,
        **values: object,
    ) -> Self:
        """Return a task by its texts in English, with the values for their fields."""
        question, right, wrong = (_(text).format(**values) for text in (question, right, wrong))
        return cls(question, options, frozenset(answers), right, wrong)


def largest(values: np.ndarray) -> tuple[list[int], frozenset[int]]:
    """Return the places of the largest values, (N,), in order, as options, and which are right.

    Right are all options that are as large as the largest value.
    """
    shown = np.sort(np.argsort(-values, kind="stable")[:OPTIONS])
    return shown.tolist(), frozenset(np.flatnonzero(values[shown] == values.max()).tolist())


def draw_task(about: Hashable, asked: Task, key: str) -> None:
    """Draw the question on what is shown; an answer is judged at once, and may be changed."""
    with st.container(key="task", border=True):
        st.header(_("Your turn"), anchor=False)
        chosen = st.radio(
            escape(asked.question),
            range(len(asked.options)),
            index=None,
            horizontal=True,
            format_func=lambda i: escape(asked.options[i]),
            key=f"task-{key}-{hash((about, asked.question, tuple(asked.options)))}",
        )
        if chosen is None:
            return
        if chosen in asked.answers:
            st.success(escape(asked.right), icon=":material/check:")
        else:
            why = asked.reasons[chosen] if asked.reasons else asked.wrong
            st.info(escape(why), icon=":material/replay:")


def guessed(asked: Task, key: str) -> bool:
    """Ask what the picture below will show; return whether it may be shown."""
    key = f"guess-{key}-{hash((asked.question, tuple(asked.options)))}"
    revealed = f"{key}-shown"
    with st.container(key=f"guess-{key}", border=True):
        chosen = st.radio(
            escape(asked.question),
            range(len(asked.options)),
            index=None,
            horizontal=True,
            format_func=lambda i: escape(asked.options[i]),
            key=key,
        )
        if chosen is None and not st.session_state.get(revealed):
            show, shown = st.session_state.__setitem__, (revealed, True)
            label = _("Just show me")
            st.button(label, key=f"{key}-show", type="tertiary", on_click=show, args=shown)
            return False
        if chosen is not None:
            right = chosen in asked.answers
            icon = ":material/check:" if right else ":material/lightbulb:"
            st.markdown(f"{icon} {escape(asked.right if right else asked.wrong)}")
    return True
