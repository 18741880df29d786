"""What a page asks: one task at its end, and a guess before a picture that answers it."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Self
from zlib import crc32

import numpy as np
import streamlit as st

from app.format import escape
from app.i18n import _

OPTIONS: Final = 8  # offered at most


@dataclass(frozen=True)
class QuizTask:
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
        wrong: str = "",
        /,
        **values: object,
    ) -> Self:
        """Return a task by its texts in English, with the values for their fields.

        Without `wrong`, what is said to the right answer is said to any.
        """
        asked, yes, no = (_(text).format(**values) for text in (question, right, wrong or right))
        return cls(asked, options, frozenset(answers), yes, no)

    @classmethod
    def each(
        cls,
        question: str,
        options: Sequence[str],
        answers: Iterable[int],
        right: str,
        reason: str,
        told: Sequence[Mapping[str, object]],
        yes: Mapping[str, object] = MappingProxyType({}),
        **values: object,
    ) -> Self:
        """Return a task by its texts in English, with a reason against each option.

        `told` are the own values of each option; those of the right one fill in `right`, with those
        of `yes`, which are its alone.
        """
        answers = frozenset(answers)
        reasons = [_(reason).format(**{**values, **one}) for one in told]
        says = _(right).format(**{**values, **told[min(answers)], **yes})
        return cls(_(question).format(**values), options, answers, says, "", reasons)

    @classmethod
    def largest(
        cls,
        question: str,
        numbers: np.ndarray,
        option: Callable[[int], str],
        right: str,
        reason: str,
        told: Callable[[int], Mapping[str, object]],
        yes: Mapping[str, object] = MappingProxyType({}),
        **values: object,
    ) -> Self:
        """Return a task that asks for the place of the largest of some numbers, (N,), as `each`."""
        shown, answers = largest(numbers)
        options, each = [option(i) for i in shown], [told(i) for i in shown]
        return cls.each(question, options, answers, right, reason, each, yes, **values)


def largest(values: np.ndarray) -> tuple[list[int], frozenset[int]]:
    """Return the places of the largest values, (N,), in order, as options, and which are right.

    Right are all options that are as large as the largest value.
    """
    shown = np.sort(np.argsort(-values, kind="stable")[:OPTIONS])
    return shown.tolist(), frozenset(np.flatnonzero(values[shown] == values.max()).tolist())


def draw_task(about: Hashable, asked: QuizTask, key: str) -> None:
    """Draw the question on what is shown; an answer is judged at once, and may be changed."""
    with st.container(key="task", border=True):
        st.header(_("Your turn"), anchor=False)
        own = f"task-{key}-{_mark(asked, about)}"
        chosen = _pick(asked, own, width="stretch")
        if chosen is None:
            return
        if chosen in asked.answers:
            st.success(escape(asked.right), icon=":material/check:")
        else:
            why = asked.reasons[chosen] if asked.reasons else asked.wrong
            st.info(escape(why), icon=":material/replay:")


def _mark(asked: QuizTask, about: Hashable = ()) -> str:
    """Return ten digits for a question on something; unlike `hash`, every process has the same."""
    return f"{crc32(repr((about, asked.question, tuple(asked.options))).encode()):010}"


def _pick(asked: QuizTask, key: str, **settings: Any) -> int | None:
    """Draw the options, none of them chosen at first; `settings` are those of `st.radio`."""
    options = range(len(asked.options))
    settings |= {"key": key, "format_func": lambda i: escape(asked.options[i])}
    return st.radio(escape(asked.question), options, index=None, **settings)


def guessed(asked: QuizTask) -> bool:
    """Ask what a picture will show; return whether it may be shown.

    Once that was answered, or skipped, the question makes room for the picture.
    """
    key = f"guess-{_mark(asked)}"
    answered = f"{key}-answered"
    if answered not in st.session_state:
        _ask(asked, key, answered)
        return False
    chosen = st.session_state[answered]
    if chosen is not None:
        right = chosen in asked.answers
        icon = ":material/check:" if right else ":material/lightbulb:"
        said = f"{icon} {escape(asked.question)} **{escape(asked.options[chosen])}**"
        st.markdown(f"{said} · {escape(asked.right if right else asked.wrong)}")
    return True


def _ask(asked: QuizTask, key: str, answered: str) -> None:
    def answer() -> None:
        st.session_state[answered] = st.session_state[key]

    def skip() -> None:
        st.session_state[answered] = None

    with st.container(key=f"guess-{key}", border=True):
        _pick(asked, key, horizontal=True, on_change=answer)
        st.button(_("Just show me"), key=f"{key}-show", type="tertiary", on_click=skip)
