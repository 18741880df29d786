"""Chapter 11: how it learned: the right answer, the loss, three moments, the gradients."""

from collections.abc import Sequence

import streamlit as st

from app.i18n import N_, _
from app.lessons import learning as lesson
from app.services_walk import Cell, Walk
from app.widgets.chapter import Chapter, chapter
from app.widgets.frame import Code
from app.widgets.learning_gradients import gradients, slopes
from app.widgets.learning_moments import moments
from app.widgets.learning_target import (
    answers,
    lens,
    losses,
    opened,
    pick_smoothing,
    place,
    reference,
    vocabulary,
)
from app.widgets.learning_task import task
from app.widgets.picks import pick_word
from app.widgets.section import section

CODE = (
    Code(
        N_("The target and its loss"),
        r"\text{loss} = -\sum_v \text{target}_v \log p_v,\qquad "
        r"\text{target}_v = (1-\varepsilon)\,[v = \text{right}] + \tfrac{\varepsilon}{V}",
        "model.loss",
        "label_smoothed_loss",
    ),
    Code(
        N_("The loss of a batch of sentences"),
        r"\text{loss} = \sum_{\text{sentences}} \sum_t \text{loss}_t",
        "model.loss",
        "batch_loss",
    ),
    Code(
        N_("The gradient of each score"),
        r"\frac{\partial\,\text{loss}}{\partial\,\text{score}_{h,t,s}}",
        "model.gradients",
        "attention_gradients",
    ),
)


def body(walk: Walk) -> None:
    """Draw the chapter from the right answer to the gradients."""
    now = opened(walk)
    section(_("The right answer"), _(lesson.TEACHER))
    reference(now)
    at = place(now)
    pick_word(now.tokens(), _("The translation it should write: choose a place"), at)
    st.header(_("The output vocabulary, and the target"), anchor=False)
    vocabulary(now, at)
    pick_smoothing(now, at)
    st.header(_("What it should say, and what it says"), anchor=False)
    answers(now, at)
    st.header(_("The loss"), anchor=False)
    losses(now, at)
    st.header(_("Untrained, early, trained"), anchor=False)
    moments(now)
    section(_("Which way is better: gradients"), _(lesson.GRADIENT))
    gradients(now)


def scopes(walk: Walk) -> Sequence[str]:
    """The logits that the loss is made of, and the attention whose gradients are shown."""
    return slopes(opened(walk)).scope, "logits"


def start(walk: Walk) -> Cell:
    """The logit of the right piece at the chosen place: what its loss is made of."""
    now = opened(walk)
    at = place(now)
    return Cell("logits", (at, now.targets[at]))


chapter(
    Chapter(
        slug="learning", intro=lesson.INTRO, body=body, scopes=scopes, start=start, task=task,
        code=CODE, lens=lens,
    )
)  # fmt: skip
