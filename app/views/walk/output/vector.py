"""The decoder's last vector and the vocabulary matrix: how every token gets its logit."""

from typing import Final

import numpy as np

from app.components.board import Grid, Op, array_grid
from app.format import grouped, number, quoted
from app.i18n import _
from app.inspector.arrays import arrays, grid
from app.inspector.naming import quoted_token
from app.inspector.stepper import never_written
from app.ui.chart import show_chart
from app.ui.table import fold
from app.views.walk.output import texts
from app.views.walk.output.histogram_chart import logit_histogram
from app.views.walk.output.piece import Piece

MARKED: Final = 3


def linear_text(piece: Piece) -> str:
    """Say what became of the vector of the token that was read, and how a token gets its logit."""
    walk, read = piece.walk, piece.walk.capture.tgt[piece.at]
    became = texts.VECTOR_NORMED if walk.config.norm == "pre" else texts.VECTOR
    vector = _(became).format(n=piece.at + 1, word=quoted_token(read), d_model=walk.config.d_model)
    linear = _(texts.LINEAR).format(
        d_model=walk.config.d_model,
        size=piece.vocabulary,
        word=piece.word,
        sum=number(_products(piece).sum()),
        bias=number(walk.array("param:generator.b")[piece.id]),
        logit=number(piece.logits[piece.id]),
    )
    return f"{vector}\n\n{linear}"


def draw_linear(piece: Piece) -> None:
    """Draw the vector's product with one column of the matrix."""
    product: list[Grid | Op] = [
        _vector(piece),
        Op("×"),
        _column(piece),
        Op("="),
        array_grid(_products(piece), _("products"), "output"),
    ]
    arrays(piece.walk, product, key="product")


def is_tied(piece: Piece) -> bool:
    """Whether the vocabulary matrix is the embedding table."""
    return "generator.W" in piece.walk.parameters.tied


def tied_text(piece: Piece) -> str:
    """Say whose numbers the column has."""
    return _(texts.TIED).format(word=piece.word)


def draw_tied(piece: Piece) -> None:
    """Draw the token's row of the embedding table beside its column."""
    title = _("embedding of “{word}”").format(word=piece.token.text)
    row = grid(piece.walk, "param:tgt_embed", (piece.id, None), title, role="input")
    arrays(piece.walk, [row, Op("="), _column(piece)], key="tied")


def likeliest_text(piece: Piece) -> str:
    """Say what a logit is, and by how much the first one leads."""
    first, second = np.argsort(-piece.logits, kind="stable")[:2].tolist()
    never = never_written(piece.walk.translation, piece.at) or ""
    said = _(texts.LIKELIEST).format(
        size=piece.vocabulary,
        first=quoted_token(piece.walk.token(first)),
        second=quoted_token(piece.walk.token(second)),
        gap=number(float(piece.logits[first]) - float(piece.logits[second])),
    )
    return f"{said} {never}".rstrip()


def draw_likeliest(piece: Piece) -> None:
    """Draw the likeliest tokens' logits as cells, and all of them on demand."""
    walk, ids, index = piece.walk, piece.likeliest, (piece.at, None)
    words = [walk.token(i).text for i in ids]
    strip = grid(walk, "logits", index, "logits", cols=ids, col_labels=words, role="output")
    arrays(walk, [strip], key="logits")

    def draw_all() -> None:
        whole = grid(walk, "logits", index, _("all logits, by id"), role="output")
        arrays(walk, [whole], key="all-logits")

    label = _("The whole row: {size} logits").format(size=piece.vocabulary)
    fold(label, "all-logits", ":material/apps:", draw_all)


def all_text(piece: Piece) -> str:
    """Say where the token lies among all."""
    above = int((piece.logits > piece.logits[piece.id]).sum())
    return _(texts.HISTOGRAM if above else texts.HIGHEST).format(
        size=piece.vocabulary,
        median=number(np.median(piece.logits)),
        word=piece.word,
        logit=number(piece.logits[piece.id]),
        above=grouped(above),
    )


def draw_all(piece: Piece) -> None:
    """Draw how many logits are how large."""
    walk, logits = piece.walk, piece.logits
    ids = dict.fromkeys([*piece.likeliest[:MARKED], piece.id])
    figure = logit_histogram(logits, {walk.token(i).text: float(logits[i]) for i in ids})
    show_chart(figure, "logits", _("How many tokens have which logit"))


def _vector(piece: Piece) -> Grid:
    walk, at = piece.walk, piece.at
    return grid(
        walk, walk.inputs("logits")[0], (at, None), f"x · {quoted(walk.capture.tgt[at].text)}"
    )


def _column(piece: Piece) -> Grid:
    title = _("column of “{word}”").format(word=piece.token.text)
    return grid(piece.walk, "param:generator.W", (None, piece.id), title, role="key")


def _products(piece: Piece) -> np.ndarray:
    """Return x times the column, number by number, (D,)."""
    x = np.asarray(_vector(piece).values, dtype=np.float64)
    return x * piece.walk.array("param:generator.W", (None, piece.id))
