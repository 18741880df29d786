"""Chapter 11: how it learned: the right answer, the loss, three moments, the gradients."""

from collections.abc import Sequence

import streamlit as st

from app.data.walk import Cell, Walk
from app.i18n import N_, _
from app.inspect.picks import pick_word
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.ui.section import section
from app.views.walk.learning import texts
from app.views.walk.learning.gradients import gradients, slopes
from app.views.walk.learning.moments import moments
from app.views.walk.learning.question import task
from app.views.walk.learning.target import (
    answers,
    lens,
    losses,
    opened,
    pick_smoothing,
    place,
    reference,
    vocabulary,
)

CODE = (
    Code(
        N_("The target and its loss"),
        r"\text{loss} = -\sum_v \text{target}_v \log p_v,\qquad "
        r"\text{target}_v = (1-\varepsilon)\,[v = \text{right}] + \tfrac{\varepsilon}{V}",
        "model.nn.loss",
        "label_smoothed_loss",
    ),
    Code(
        N_("The loss of a batch of sentences"),
        r"\text{loss} = \sum_{\text{sentences}} \sum_t \text{loss}_t",
        "model.nn.loss",
        "batch_loss",
    ),
    Code(
        N_("The gradient of each score"),
        r"\frac{\partial\,\text{loss}}{\partial\,\text{score}_{h,t,s}}",
        "model.interpret.gradients",
        "attention_gradients",
    ),
)


def body(walk: Walk) -> None:
    """Draw the chapter from the right answer to the gradients."""
    now = opened(walk)
    section(_("The right answer"), _(texts.TEACHER))
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
    section(_("Which way is better: gradients"), _(texts.GRADIENT))
    gradients(now)


def scopes(walk: Walk) -> Sequence[str]:
    """The logits that the loss is made of, and the attention whose gradients are shown."""
    return slopes(opened(walk)).scope, "logits"


def start(walk: Walk) -> Cell:
    """The logit of the right piece at the chosen place: what its loss is made of."""
    now = opened(walk)
    at = place(now)
    return Cell("logits", (at, now.targets[at]))


draw_page(
    WalkPage(
        slug="learning",
        intro=texts.INTRO,
        select=lambda walk: walk,
        sections=(Section("", body),),
        scopes=scopes,
        start=start,
        task=task,
        code=CODE,
        lens=lens,
    )
)
