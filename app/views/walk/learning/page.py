"""Chapter 11: how it learned: the right answer, the loss, three moments, the gradients."""

from app.i18n import N_
from app.page.declare import WalkPage
from app.page.frame import draw_page
from app.views.walk.learning import loss, target, training
from app.views.walk.learning.loss import myth, task
from app.views.walk.learning.target import Lesson, lens, lesson_of, pick_all
from app.views.walk.learning.training import slopes


def scopes(lesson: Lesson) -> tuple[str, str]:
    """The logits that the loss is made of, and the attention whose gradients are shown."""
    return slopes(lesson).scope, "logits"


PAGE = WalkPage(
    slug="learning",
    intro=N_(
        "Nobody wrote a rule of translation into this model. It was shown sentences with a "
        "correct translation and guessed every next token; after each guess, all its numbers were "
        "nudged towards a smaller error. Here is one such step, on your sentence."
    ),
    select=lesson_of,
    pick=pick_all,
    task_pick=False,
    myth=myth,
    sections=(*target.screens, *loss.screens, *training.screens),
    scopes=scopes,
    task=task,
    lens=lens,
)

if __name__ == "__main__":
    draw_page(PAGE)
