"""Chapter 11: how it learned: the right answer, the loss, three moments, the gradients."""

from app.i18n import N_
from app.page.kit import WalkPage, draw_page
from app.views.walk.learning import loss, target, training
from app.views.walk.learning.data import taught

PAGE = WalkPage(
    slug="learning",
    intro=N_(
        "Nobody wrote a rule of translation into this model. It was shown sentences with a "
        "correct translation and guessed every next token; after each guess, all its numbers were "
        "nudged towards a smaller error. Here is one such step, on your sentence."
    ),
    select=target.lesson_of,
    pick=target.pick_all,
    task_pick=False,
    myth=loss.myth,
    sections=(*target.screens, *loss.screens, *training.screens),
    scopes=lambda lesson: (training.slopes(lesson).scope, "logits"),
    task=loss.task,
    lens=lambda walk: taught(walk, target.REFERENCE.get()),
)

if __name__ == "__main__":
    draw_page(PAGE)
