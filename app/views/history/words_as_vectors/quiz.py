"""The analogy test: what the trained vectors answer, and what a translator's do."""

import streamlit as st

from app.format import escape, grouped
from app.i18n import _
from app.state import Param
from app.ui.table import Columns, table, table_fold
from app.views.history.words_as_vectors import texts
from app.views.history.words_as_vectors.data import (
    Quiz,
    Report,
    quiz,
    quiz_translator,
    translators,
)

MODEL = Param[str]("wamodel", "es-en", lambda raw: translators()[translators().index(raw)])


def draw_quiz(now: Report) -> None:
    """Draw the test of the vectors in training, and that of a translator's."""
    st.header(_(texts.TEST_TITLE), anchor=False)
    found = quiz(now.vectors)
    st.markdown(_(texts.TEST).format(asked=found.total.asked))
    _counts(found, "trained")
    st.markdown(_(texts.TRANSLATOR))
    if not translators():
        return
    name: str = st.selectbox(
        _("Translator"), translators(), key=MODEL.widget(), help=_(texts.MODEL_HELP)
    )
    _translator(name, quiz_translator(name))


def _translator(name: str, found: Quiz) -> None:
    total = found.total
    if total.asked:
        said = _(texts.MODEL_TOTAL).format(
            name=name, asked=total.asked, questions=total.questions, right=total.right
        )
        st.markdown(escape(said))
        _counts(found, "translator")
    else:
        st.info(escape(_(texts.MODEL_NONE).format(name=name)))
    if found.published is not None:
        of = found.published
        said = _(texts.PUBLISHED).format(
            name=name, questions=grouped(of.questions), asked=grouped(of.asked),
            right=grouped(of.right), percent=f"{100 * of.right / of.asked:.0f}",
        )  # fmt: skip
        st.markdown(escape(said))


def _counts(found: Quiz, name: str) -> None:
    """Draw the counts of each category, and all questions with their answers in a fold."""
    asked = [category for category, of in found.scores.items() if of.asked]
    st.dataframe(
        {
            _("category"): [_(texts.CATEGORIES[category]) for category in asked],
            _("right"): [found.scores[category].right for category in asked],
            _("asked"): [found.scores[category].asked for category in asked],
        },
        hide_index=True, key=f"words-quiz-{name}",
    )  # fmt: skip
    table_fold(f"words-quiz-{name}", lambda: table(_answers(found), f"analogies-{name}"))


def _answers(found: Quiz) -> Columns:
    rows = [
        (_(texts.CATEGORIES[category]), answer)
        for category, answers in found.answers.items()
        for answer in answers
    ]
    return {
        _("category"): [category for category, _answer in rows],
        _("question"): ["{} : {} = {} : ?".format(*answer.question[:3]) for _c, answer in rows],
        _("expected"): [answer.question[3] for _c, answer in rows],
        _("answer"): [answer.found for _c, answer in rows],
        _("right"): ["✓" if answer.right else "" for _c, answer in rows],
    }
