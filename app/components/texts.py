"""The words inside the components, in the language of the interface."""

from dataclasses import dataclass

from app.i18n import _


@dataclass(frozen=True)
class MatrixText:
    """The words of the matrix; marks in braces are filled in by the browser."""

    name: str
    query_axis: str
    key_axis: str
    hint: str
    cell: str
    masked: str
    query: str
    key: str
    pinned: str
    shut: str


@dataclass(frozen=True)
class WallText:
    """The words of the wall of heads."""

    name: str
    corner_layer: str
    corner_head: str
    head: str
    aggregate: str
    locked: str
    hint: str
    query_axis: str
    key_axis: str


@dataclass(frozen=True)
class LinesText:
    """The words of the two-column line view."""

    name: str
    keys: str
    queries: str
    looks: str
    looked_at: str
    locked: str
    hint: str


@dataclass(frozen=True)
class TreeText:
    """The words of the tree of hypotheses."""

    name: str
    node: str
    hint: str
    best: str
    kept: str
    pruned: str
    finished: str


@dataclass(frozen=True)
class BoardText:
    """The words of the board."""

    hint: str
    matrix: str
    strip: str
    asked: str
    shut: str


def matrix_text() -> MatrixText:
    """Return the words of the matrix."""
    return MatrixText(
        name=_("Attention weights: rows are queries, columns are keys"),
        query_axis=_("query (looks) ↓"),
        key_axis=_("key (is looked at) →"),
        hint=_("Point at a cell, or walk with the arrow keys. A click or Enter pins it."),
        cell=_("“{query}” looks at “{key}”: {weight}"),
        masked=_("“{query}” may not look at “{key}”: masked"),
        query=_("“{query}” looks most at {top}"),
        key=_("Column of “{key}”: what each query gives to it"),
        pinned=_("Pinned"),
        shut=_("masked: one may not look there"),
    )


def wall_text() -> WallText:
    """Return the words of the wall of heads."""
    return WallText(
        name=_("All layers and heads"),
        corner_layer=_("layer ↓"),
        corner_head=_("head →"),
        head=_("layer {layer} head {head}"),
        aggregate=_("layer {layer}, {name} over heads"),
        locked=_("locked"),
        hint=_("Point at a picture for a large one. A click or Enter locks it."),
        query_axis=_("query (looks) ↓"),
        key_axis=_("key (is looked at) →"),
    )


def lines_text() -> LinesText:
    """Return the words of the two-column line view."""
    return LinesText(
        name=_("Who looks at whom, as lines"),
        keys=_("key (is looked at)"),
        queries=_("query (looks)"),
        looks=_("“{word}” looks at {top}"),
        looked_at=_("“{word}” is looked at by {top}"),
        locked=_("Locked"),
        hint=_("Point at a word, or walk with the arrow keys. A click or Enter locks it."),
    )


def tree_text() -> TreeText:
    """Return the words of the tree of hypotheses."""
    return TreeText(
        name=_("The beam as a tree of hypotheses"),
        node=_("“{token}”: probability {probability}, log {log}, score so far {score}, {status}"),
        hint=_("Point at a token for its numbers. The thick line is the best hypothesis."),
        best=_("best"),
        kept=_("kept"),
        pruned=_("pruned"),
        finished=_("finished"),
    )


def board_text(askable: bool = True) -> BoardText:
    """Return the words of the board, whose cells may have a calculation to open."""
    return BoardText(
        hint=_(
            "Point at a cell, or walk with the arrow keys. A click or Enter opens its calculation."
        )
        if askable
        else _("Point at a cell, or walk with the arrow keys, to read its number."),
        matrix=_("{title}, {rows} × {cols}; arrow keys walk, Enter opens the calculation"),
        strip=_("{title}, {cols} numbers; arrow keys walk, Enter opens the calculation"),
        asked=_("Opened: {cell}"),
        shut=_("masked: one may not look there"),
    )


@dataclass(frozen=True)
class DiagramText:
    """The words of the drawing of the whole Transformer."""

    name: str
    here: str
    encoder: str
    decoder: str
    layer: str
    norm: str
    ffn: str
    memory: str
    linear: str
    softmax: str
    learning: str
    save: str


def diagram_text() -> DiagramText:
    """Return the words of the drawing of the whole Transformer."""
    return DiagramText(
        name=_("Map of the Transformer: each part opens its chapter"),
        here=_("you are here"),
        encoder=_("Encoder"),
        decoder=_("Decoder"),
        layer=_("layer {n}"),
        norm=_("Norm"),
        ffn=_("Feed-forward"),
        memory=_("Memory"),
        linear=_("Linear"),
        softmax=_("Softmax"),
        learning=_("the right word, the loss"),
        save=_("Save as SVG"),
    )
