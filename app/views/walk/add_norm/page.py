"""Chapter 6: what happens to each word around and after attention."""

from app.format import number
from app.i18n import N_
from app.inspector.naming import scope_names
from app.page.kit import QuizTask, WalkPage, draw_page, one_by_one
from app.views.walk.add_norm import ffn, norm


def scopes(sub: norm.Sub) -> tuple[str, ...]:
    """Name what the badge recomputes: the sub-layers' outputs, sums, norms and feed-forward."""
    first, *later = sub.walk.stream(sub.stack)
    norms = (name.rpartition(".")[0] for name in later)
    own = sub.norm if sub.is_last_norm else sub.out
    return first, f"{sub.scope}.ffn", *norms, own


def task(sub: norm.Sub) -> QuizTask:
    """Ask which sub-layer turns the chosen word the most."""
    of = ffn.stream(sub)
    return QuizTask.largest(
        N_(
            "Which of these sub-layers turns “{word}” the most, so that the cosine between its "
            "vectors before and after is smallest?"
        ),
        -of.cosines,
        lambda i: of.steps[i + 1],
        N_("Yes: {name}, with a cosine of {cosine}."),
        N_(
            "{name} has a cosine of {own}; another one has {cosine}. The smaller the cosine, the "
            "more was turned."
        ),
        lambda i: {"name": of.steps[i + 1], "own": number(of.cosines[i], 3)},
        word=sub.text,
        cosine=number(of.cosines.min(), 3),
    )


PAGE = WalkPage(
    slug="add_norm",
    intro=N_(
        "Attention never replaces a token's vector: what it finds is added to it, and normalising "
        "keeps the sum in bounds. Then a small network works on each token alone."
    ),
    select=norm.sub_of,
    pick=one_by_one(norm.pick_sub, ffn.pick_unit),
    task_pick=norm.pick_sub,
    place=lambda sub: scope_names(sub.scope.split(".")),
    sections=(*norm.screens, *ffn.screens),
    myth=norm.myth,
    scopes=scopes,
    task=task,
)

if __name__ == "__main__":
    draw_page(PAGE)
