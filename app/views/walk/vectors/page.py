"""Chapter 2: from words to vectors."""

from collections.abc import Sequence

import numpy as np

from app.data.walk import Cell, Walk
from app.i18n import _
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task
from app.views.walk.vectors import texts
from app.views.walk.vectors.data import near
from app.views.walk.vectors.space import arithmetic, flat_map, neighbours
from app.views.walk.vectors.table import chosen, row, several
from app.views.walk.vectors.text import own_word, picture, pieces

MOST_OPTIONS = 8
CODE = (
    Code(texts.CODE_MERGE, r"(a, b) \to ab", "model.text.merges", "Merges.replay"),
    Code(
        texts.CODE_ROW, r"x_t = \sqrt{d_{model}}\; E_{w_t}", "model.nn.translator",
        "Translator.lookup",
    ),
    Code(texts.CODE_PAD, r"(B, S)", "model.text.batches", "pad"),
    Code(
        texts.CODE_MASK,
        r"M_{b,s} = (w_{b,s} \neq \mathrm{pad})",
        "model.nn.masks",
        "padding_mask",
    ),
    Code(
        texts.CODE_COSINE, r"\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert\,\lVert b \rVert}",
        "model.interpret.calculation.neighbours", "cosines",
    ),
    Code(
        texts.CODE_PCA, r"\max_{\lVert a \rVert = 1} \sum_i \big((E_i - \bar{E}) \cdot a\big)^2",
        "model.interpret.calculation.projection", "principal_components",
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
    right = _(texts.RIGHT).format(
        piece=options[best].text,
        nearest=walk.token(found.token_id).text if found else "",
        value=f"{found.similarity:.3f}" if found else "",
    )
    return Task(
        _(texts.TASK), [token.text for token in options], frozenset({best}), right, _(texts.WRONG)
    )


draw_page(
    WalkPage(
        slug="vectors",
        intro=texts.INTRO,
        select=lambda walk: walk,
        sections=(Section("", body),),
        scopes=scopes,
        start=start,
        task=task,
        code=CODE,
    )
)
