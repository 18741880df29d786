"""The analogy test: what the trained vectors answer, and what a translator's do."""

from functools import partial

import streamlit as st

from app.format import escape, grouped
from app.i18n import _
from app.state import Param, one_of
from app.ui.kept import table_menu
from app.ui.table import Columns
from app.views.history.words_as_vectors import texts
from app.views.history.words_as_vectors.choice import Choice
from app.views.history.words_as_vectors.data import Quiz, pretrained_names, quiz, quiz_translator

MODEL = Param[str]("wamodel", "es-en", lambda raw: one_of(*pretrained_names())(raw))


def quiz_text(choice: Choice) -> str:
    """Say how many questions are asked."""
    return _(texts.TEST).format(asked=quiz(choice.report.vectors).total.asked)


def draw_quiz(choice: Choice) -> None:
    """Draw the test of the vectors in training."""
    _draw_counts(quiz(choice.report.vectors), "trained")
    st.caption(_(texts.TRIED))


def draw_translator(_choice: Choice) -> None:
    """Draw the choice of a translator, where there is one, and the test of its vectors."""
    if not (names := pretrained_names()):
        return
    key, tip = MODEL.widget(), _(texts.MODEL_HELP)
    st.selectbox(_("Translator"), names, key=key, help=tip, width=320)
    name = MODEL.get()
    test = quiz_translator(name)
    left, right = st.columns([0.6, 0.4], gap="medium", vertical_alignment="center")
    if not test.total.asked:
        left.info(escape(_(texts.MODEL_NONE).format(name=name)))
    else:
        right.markdown(escape(_(texts.MODEL_TOTAL).format(name=name, **vars(test.total))))
        with left:
            _draw_counts(test, "translator")
    if (score := test.published) is not None:
        written = {key: grouped(count) for key, count in vars(score).items()}
        percent = f"{100 * score.right / score.asked:.0f}"
        right.markdown(escape(_(texts.PUBLISHED).format(name=name, percent=percent, **written)))


def _draw_counts(test: Quiz, name: str) -> None:
    """Draw the counts of each category, and all questions with their answers in a fold."""
    asked = {_(texts.CATEGORIES[key]): score for key, score in test.scores.items() if score.asked}
    columns = {
        _("category"): list(asked),
        _("right"): [score.right for score in asked.values()],
        _("asked"): [score.asked for score in asked.values()],
    }
    st.dataframe(columns, hide_index=True, key=f"words-quiz-{name}")
    table_menu(f"words-quiz-{name}", partial(_answers, test), f"analogies-{name}")


def _answers(test: Quiz) -> Columns:
    rows = [
        (_(texts.CATEGORIES[category]), answer)
        for category, answers in test.answers.items()
        for answer in answers
    ]
    return {
        _("category"): [category for category, _answer in rows],
        _("question"): ["{} : {} = {} : ?".format(*answer.question[:3]) for _c, answer in rows],
        _("expected"): [answer.question[3] for _c, answer in rows],
        _("answer"): [answer.word for _c, answer in rows],
        _("right"): ["✓" if answer.right else "" for _c, answer in rows],
    }
