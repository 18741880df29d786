"""Chapter 1: the whole Transformer, from the black box to the parts of one layer."""

from app.format import grouped, percent
from app.i18n import N_, _
from app.page.kit import Myth, QuizTask, WalkPage, draw_page
from app.views.walk.big_picture.screens import COUNTED, STACK, Followed, pick_all, screens, totals


def myth(token: Followed) -> Myth:
    """Refute that a longer sentence needs more parameters."""
    n, d = len(token.walk.capture.src), token.walk.config.d_model
    count, numbers = grouped(token.n_parameters), grouped(n * d)
    truth = _(
        "No. A sentence of one token passes through the same {count} parameters as your {n} "
        "tokens do. What grows with a sentence is what the model computes from it: your "
        "memory has {n} × {d} = {numbers} numbers, and each further token adds {d}."
    ).format(count=count, n=n, d=d, numbers=numbers)
    return Myth(_("“A longer sentence needs more of the model's parameters.”"), truth)


def task(token: Followed) -> QuizTask:
    """Ask which kind of part has most parameters."""
    sizes = {part: n for part, n in totals(token.counts).items() if n}
    most, total = max(sizes.values()), sum(sizes.values())
    names = [_(COUNTED[part][0]) for part in sizes]
    return QuizTask.each(
        N_("Which of these holds most of this model's parameters?"),
        names,
        [i for i, n in enumerate(sizes.values()) if n == most],
        N_("Yes: {name}, {n} of {total}."),
        N_("Not that one: {name} has {n} of {total}, which is {share}."),
        [
            {"name": name, "n": grouped(n), "share": percent(n / total)}
            for name, n in zip(names, sizes.values(), strict=True)
        ],
        total=grouped(total),
    )


PAGE = WalkPage(
    slug="big_picture",
    intro=N_(
        "You type a sentence, and a translation comes out. In between there is nothing but "
        "numbers, and on these pages you can open every one of them."
    ),
    select=lambda walk: Followed.chosen(walk, STACK.get()),
    pick=pick_all,
    task_pick=False,
    sections=screens,
    myth=myth,
    scopes=lambda _token: (),  # the page is about the whole model
    task=task,
)

if __name__ == "__main__":
    draw_page(PAGE)
