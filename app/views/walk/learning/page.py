"""Chapter 11: how it learned: the right answer, the loss, three moments, the gradients."""

from app.i18n import N_
from app.page.declare import Code, Drawer, Section, WalkPage
from app.page.frame import draw_page
from app.views.walk.learning import (
    answers,
    check,
    gradients,
    loss,
    moments,
    picks,
    six_words,
    target,
    texts,
)
from app.views.walk.learning.lesson import Lesson, lens, lesson_of
from app.views.walk.learning.question import task
from app.views.walk.learning.reference import draw_reference


def scopes(lesson: Lesson) -> tuple[str, str]:
    """The logits that the loss is made of, and the attention whose gradients are shown."""
    return gradients.slopes(lesson).scope, "logits"


POSITION, SCORES = picks.pick_position, picks.pick_scores
SECTIONS = (
    Section("teacher", texts.TEACHER_TITLE, draw_reference, texts.TEACHER, pick=False),
    Section(
        "whole",
        texts.WHOLE_TITLE,
        six_words.draw_whole,
        six_words.whole_text,
        pick=False,
        was=("six", "merci"),
    ),
    Section(
        "target",
        texts.TARGET_TITLE,
        target.draw_target,
        target.target_text,
        pick=picks.pick_smoothing,
        was=("smoothing",),
    ),
    Section(
        "compare",
        texts.COMPARE_TITLE,
        answers.draw_answers,
        answers.answers_text,
        pick=POSITION,
        beside=((answers.position_text, answers.draw_position),),
        was=("at",),
    ),
    Section(
        "loss",
        texts.LOSS_TITLE,
        loss.draw_loss,
        loss.loss_text,
        pick=POSITION,
        guess=loss.guess_loss,
        code=(
            Code(
                N_("The target and its loss"),
                r"\text{loss} = -\sum_v \text{target}_v \log p_v,\qquad "
                r"\text{target}_v = (1-\varepsilon)\,[v = \text{right}] + \tfrac{\varepsilon}{V}",
                "model.training.loss:label_smoothed_loss",
            ),
            Code(
                N_("The loss of a batch of sentences"),
                r"\text{loss} = \sum_{\text{sentences}} \sum_t \text{loss}_t",
                "model.training.loss:batch_loss",
            ),
        ),
        drawers=(Drawer("sentence", texts.SENTENCE_TITLE, loss.draw_sentence, loss.sentence_text),),
    ),
    Section(
        "entropy",
        texts.ENTROPY_TITLE,
        loss.draw_entropy,
        loss.entropy_text,
        pick=picks.pick_smoothing,
        guess=loss.guess_floor,
        beside=((texts.FLOOR, loss.draw_floor),),
        was=("floor",),
    ),
    Section(
        "moments",
        texts.MOMENTS_TITLE,
        moments.draw_moments,
        moments.moments_text,
        pick=False,
        drawers=(
            Drawer(
                "answers",
                texts.ANSWERS_TITLE,
                moments.draw_answers,
                moments.answers_text,
                moments.has_moments,
            ),
            Drawer(
                "characters",
                texts.CHARACTERS_TITLE,
                moments.draw_characters,
                moments.characters_text,
                moments.has_moments,
            ),
        ),
    ),
    Section("maps", texts.MAPS_TITLE, moments.draw_maps, moments.maps_text, pick=False),
    Section(
        "gradient",
        texts.GRADIENT_TITLE,
        gradients.draw_gradients,
        gradients.gradients_text,
        pick=SCORES,
        code=(
            Code(
                N_("The gradient of each score"),
                r"\frac{\partial\,\text{loss}}{\partial\,\text{score}_{h,t,s}}",
                "model.interpret.gradients:attention_gradients",
            ),
        ),
        drawers=(
            Drawer(
                "check",
                texts.CHECK_TITLE,
                check.draw_check,
                check.check_text,
                beside=((texts.ONWARD, check.draw_descent),),
                was=("descent",),
            ),
        ),
        was=("wish",),
    ),
)


PAGE = WalkPage(
    slug="learning",
    intro=texts.INTRO,
    select=lesson_of,
    pick=picks.pick_all,
    task_pick=False,
    myth=loss.myth,
    sections=SECTIONS,
    scopes=scopes,
    task=task,
    lens=lens,
)

if __name__ == "__main__":
    draw_page(PAGE)
