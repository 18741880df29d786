"""Chapter 12: what if? Each part of the model is asked what it is for, by a run without it."""

from app.i18n import N_
from app.inspector.probe import cross_scopes, pick_written, probe_of
from app.page.kit import WalkPage, draw_page, one_by_one
from app.views.walk.what_if import heads, questions, words

PAGE = WalkPage(
    slug="what_if",
    intro=N_(
        "You have watched the model work. To learn what a part is for, change that part and run "
        "the model again. Every answer on this page is such a second run of your sentence, an "
        "intervention."
    ),
    select=probe_of,
    pick=one_by_one(questions.pick_question, pick_written, heads.pick_counted),
    task_pick=False,
    myth=heads.myth,
    sections=(*questions.screens, *heads.screens, *words.screens),
    scopes=lambda probe: (*cross_scopes(probe.walk), "logits"),
    task=words.task,
    changed=False,
)

if __name__ == "__main__":
    questions.ask_by_address()
    draw_page(PAGE)
