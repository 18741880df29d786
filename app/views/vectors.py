"""Chapter 2: from words to vectors."""

from collections.abc import Sequence

import numpy as np

from app.i18n import _
from app.lessons import vectors as lesson
from app.services_vectors import near
from app.services_walk import Cell, Walk
from app.widgets.chapter import Chapter, chapter
from app.widgets.frame import Code
from app.widgets.task import Task
from app.widgets.vectors_space import arithmetic, flat_map, neighbours
from app.widgets.vectors_table import chosen, row, several
from app.widgets.vectors_text import own_word, picture, pieces

MOST_OPTIONS = 8
CODE = (
    Code(lesson.CODE_MERGE, r"(a, b) \to ab", "model.merges", "Merges.replay"),
    Code(
        lesson.CODE_ROW, r"x_t = \sqrt{d_{model}}\; E_{w_t}", "model.translator",
        "Translator.lookup",
    ),
    Code(lesson.CODE_PAD, r"(B, S)", "model.data", "pad"),
    Code(lesson.CODE_MASK, r"M_{b,s} = (w_{b,s} \neq \mathrm{pad})", "model.masks", "padding_mask"),
    Code(
        lesson.CODE_COSINE, r"\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert\,\lVert b \rVert}",
        "model.calculation.neighbours", "cosines",
    ),
    Code(
        lesson.CODE_PCA, r"\max_{\lVert a \rVert = 1} \sum_i \big((E_i - \bar{E}) \cdot a\big)^2",
        "model.calculation.projection", "principal_components",
    ),
)  # fmt: skip


def body(walk: Walk) -> None:
    """Draw the way from letters to vectors, and what the vectors have come to mean."""
    picture()
    word = own_word(walk)
    pieces(walk, word)
    row(walk)
    several(walk)
    neighbours(walk)
    arithmetic(walk)
    flat_map(walk)


def scopes(walk: Walk) -> Sequence[str]:
    """Return what the badge recomputes: the vectors that the encoder starts from."""
    return ("src.embed",)


def start(walk: Walk) -> Cell:
    """Return the largest number of the chosen piece's vector."""
    at = chosen(walk)
    return Cell("src.embed", (at, int(np.abs(walk.array("src.embed", (at, None))).argmax())))


def task(walk: Walk) -> Task:
    """Ask for the piece whose nearest neighbour is nearest."""
    options = list(dict.fromkeys(walk.capture.src))[:MOST_OPTIONS]
    nearest = [next(iter(near(walk, token.id, 1)), None) for token in options]
    best = int(np.argmax([-1.0 if one is None else one.similarity for one in nearest]))
    found = nearest[best]
    right = _(lesson.RIGHT).format(
        piece=options[best].text,
        nearest=walk.token(found.token_id).text if found else "",
        value=f"{found.similarity:.3f}" if found else "",
    )
    return Task(
        _(lesson.TASK), [token.text for token in options], frozenset({best}), right, _(lesson.WRONG)
    )


chapter(
    Chapter(
        slug="vectors", intro=lesson.INTRO, body=body, scopes=scopes, start=start, task=task,
        code=CODE,
    )
)  # fmt: skip
