"""Chapter 11: how it learned: the right answer, the loss, three moments, the gradients."""

from app.data.walk import Cell
from app.i18n import N_
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.views.walk.learning import target, texts
from app.views.walk.learning.gradients import draw_gradients, slopes
from app.views.walk.learning.lesson import Lesson, lens, lesson_of
from app.views.walk.learning.moments import draw_moments
from app.views.walk.learning.question import task

CODE = (
    Code(
        N_("The target and its loss"),
        r"\text{loss} = -\sum_v \text{target}_v \log p_v,\qquad "
        r"\text{target}_v = (1-\varepsilon)\,[v = \text{right}] + \tfrac{\varepsilon}{V}",
        "model.nn.loss:label_smoothed_loss",
    ),
    Code(
        N_("The loss of a batch of sentences"),
        r"\text{loss} = \sum_{\text{sentences}} \sum_t \text{loss}_t",
        "model.nn.loss:batch_loss",
    ),
    Code(
        N_("The gradient of each score"),
        r"\frac{\partial\,\text{loss}}{\partial\,\text{score}_{h,t,s}}",
        "model.interpret.gradients:attention_gradients",
    ),
)


def scopes(lesson: Lesson) -> tuple[str, str]:
    """The logits that the loss is made of, and the attention whose gradients are shown."""
    return slopes(lesson).scope, "logits"


def start(lesson: Lesson) -> Cell:
    """The logit of the right piece at the chosen place: what its loss is made of."""
    return Cell("logits", (lesson.at, lesson.walk.targets[lesson.at]))


SECTIONS = (
    Section("teacher", texts.TEACHER_TITLE, target.draw_reference, texts.TEACHER),
    Section("target", texts.TARGET_TITLE, target.draw_target, target.target_text),
    Section("compare", texts.COMPARE_TITLE, target.draw_answers, texts.COMPARE),
    Section("loss", texts.LOSS_TITLE, target.draw_losses, target.loss_text),
    Section("moments", texts.MOMENTS_TITLE, draw_moments),
    Section("gradient", texts.GRADIENT_TITLE, draw_gradients, texts.GRADIENT),
)

PAGE = WalkPage(
    slug="learning",
    intro=texts.INTRO,
    select=lesson_of,
    sections=SECTIONS,
    scopes=scopes,
    start=start,
    task=task,
    code=CODE,
    lens=lens,
)

if __name__ == "__main__":
    draw_page(PAGE)
