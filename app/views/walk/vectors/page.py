"""Chapter 2: from words to vectors."""

import numpy as np

from app.data.walk import Cell
from app.format import number
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import OPTIONS, Task
from app.views.walk.vectors import texts
from app.views.walk.vectors.arithmetic import draw_arithmetic
from app.views.walk.vectors.data import near
from app.views.walk.vectors.flat_map import draw_map, map_text
from app.views.walk.vectors.neighbours import draw_neighbours
from app.views.walk.vectors.picture import draw_picture, picture_text
from app.views.walk.vectors.piece import Piece, piece_of
from app.views.walk.vectors.pieces import draw_pieces, pieces_text
from app.views.walk.vectors.row import draw_row
from app.views.walk.vectors.several import batch_text, draw_batch


def start(piece: Piece) -> Cell:
    """Return the largest number of the chosen piece's vector."""
    vector = piece.walk.array("src.embed", (piece.at, None))
    return Cell("src.embed", (piece.at, int(np.abs(vector).argmax())))


def task(piece: Piece) -> Task:
    """Ask for the piece whose nearest neighbour is nearest."""
    walk = piece.walk
    options = list(dict.fromkeys(walk.capture.src))[:OPTIONS]
    nearest = [next(iter(near(walk, token.id)), None) for token in options]
    best = int(np.argmax([-1.0 if one is None else one.similarity for one in nearest]))
    winner = nearest[best]
    names = [token.text for token in options]
    values = {
        "piece": names[best],
        "nearest": walk.token(winner.token_id).text if winner else "",
        "value": number(winner.similarity, 3) if winner else "",
    }
    return Task.of(texts.TASK, names, [best], texts.RIGHT, texts.WRONG, **values)


SECTIONS = (
    Section("picture", texts.PICTURE_TITLE, draw_picture, picture_text),
    Section("pieces", texts.PIECES_TITLE, draw_pieces, pieces_text),
    Section("row", texts.ROW_TITLE, draw_row),
    Section("batch", texts.BATCH_TITLE, draw_batch, batch_text),
    Section("near", texts.NEAR_TITLE, draw_neighbours, texts.NEAR),
    Section("sum", texts.SUM_TITLE, draw_arithmetic, texts.SUM),
    Section("map", texts.MAP_TITLE, draw_map, map_text),
)

CODE = (
    Code(texts.CODE_MERGE, r"(a, b) \to ab", "model.text.merges:Merges.replay"),
    Code(
        texts.CODE_ROW, r"x_t = \sqrt{d_{model}}\; E_{w_t}", "model.nn.translator:Translator.lookup"
    ),
    Code(texts.CODE_PAD, r"(B, S)", "model.text.batches:pad"),
    Code(texts.CODE_MASK, r"M_{b,s} = (w_{b,s} \neq \mathrm{pad})", "model.nn.masks:padding_mask"),
    Code(
        texts.CODE_COSINE,
        r"\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert\,\lVert b \rVert}",
        "model.interpret.calculation.neighbours:cosines",
    ),
    Code(
        texts.CODE_PCA,
        r"\max_{\lVert a \rVert = 1} \sum_i \big((E_i - \bar{E}) \cdot a\big)^2",
        "model.interpret.calculation.projection:principal_components",
    ),
)

draw_page(
    WalkPage(
        slug="vectors",
        intro=texts.INTRO,
        select=piece_of,
        sections=SECTIONS,
        scopes=lambda _piece: ("src.embed",),
        start=start,
        task=task,
        code=CODE,
    )
)
