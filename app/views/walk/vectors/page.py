"""Chapter 2: from words to vectors."""

import numpy as np

from app.format import escape, number, quoted
from app.i18n import N_, _
from app.page.kit import Myth, QuizTask, WalkPage, beside, draw_page
from app.page.quiz import OPTIONS
from app.views.walk.vectors import embeddings, tokens
from app.views.walk.vectors.data import near, similarity


def myth(piece: tokens.Piece) -> Myth:
    """Refute that ids say something about tokens."""
    walk, here = piece.walk, piece.token.id
    beside = [i for i in (here - 1, here + 1, here + 2) if 0 <= i < walk.tokenizer.vocab_size][:2]
    others = [
        f"{quoted(escape(walk.token(i).text))} ({i}: {number(similarity(walk, here, i))})"
        for i in beside
    ]
    word = escape(piece.token.text)
    truth = _(
        "An id is only a name. “{piece}” has the id {id}; beside it in the list are {others}, "
        "with the cosine between their rows and its own in brackets."
    ).format(piece=word, id=here, others=", ".join(others))
    for one in near(walk, here)[:1]:
        nearest = _("The nearest of all rows, that of “{nearest}”, has {value}.")
        text, value = escape(walk.token(one.token_id).text), number(one.similarity)
        truth = f"{truth} {nearest.format(nearest=text, value=value)}"
    return Myth(_("“Tokens with neighbouring ids mean similar things.”"), truth)


def task(piece: tokens.Piece) -> QuizTask:
    """Ask for the token whose nearest neighbour is nearest."""
    walk = piece.walk
    options = list(dict.fromkeys(walk.capture.src))[:OPTIONS]
    nearest = [next(iter(near(walk, token.id)), None) for token in options]
    best = int(np.argmax([-1.0 if one is None else one.similarity for one in nearest]))
    names = [token.text for token in options]
    return QuizTask.each(
        N_("Which token has the nearest neighbour of all, the one with the largest cosine?"),
        names,
        [best],
        N_("Yes: “{piece}” and “{nearest}” have a cosine of {value}."),
        N_(
            "Not that one: nearest to “{piece}” is “{nearest}”, with {value}. Another token "
            "has a nearer neighbour."
        ),
        [
            {
                "piece": name,
                "nearest": walk.token(one.token_id).text if one else "",
                "value": number(one.similarity, 3) if one else "",
            }
            for name, one in zip(names, nearest, strict=True)
        ],
    )


PAGE = WalkPage(
    slug="vectors",
    intro=N_(
        "A network calculates; it cannot read. So before anything else, each token of your "
        "sentence is replaced by a row of numbers."
    ),
    select=tokens.piece_of,
    pick=beside([0.3, 0.7], tokens.pick_own, tokens.pick_token),
    task_pick=tokens.pick_token,
    sections=(*tokens.screens, *embeddings.screens),
    myth=myth,
    scopes=lambda _piece: ("src.embed",),
    task=task,
)

if __name__ == "__main__":
    draw_page(PAGE)
