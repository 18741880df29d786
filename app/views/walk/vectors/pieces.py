"""From bytes to pieces: how a word is merged, and the sentence as pieces with their ids."""

from dataclasses import replace
from itertools import starmap

import streamlit as st

from app.charts.boxes import Box, Row
from app.data.translation import Token
from app.format import escape, grouped
from app.i18n import _
from app.ui import vectors_html as boxes
from app.ui.table import Columns
from app.views.walk.vectors import texts
from app.views.walk.vectors.data import Replay, merges
from app.views.walk.vectors.piece import Piece


def pieces_text(piece: Piece) -> str:
    """Say how the pieces were learned."""
    return _(texts.PIECES).format(merges=grouped(len(merges(piece.walk))))


def draw_pieces(piece: Piece) -> None:
    """Draw how a word was merged, step by step, and the pieces and ids of the sentence."""
    walk = piece.walk
    if piece.word:
        learned = merges(walk)
        _draw_ladder(learned.replay(piece.word), len(learned))
    st.markdown(_(texts.SENTENCE).format(vocabulary=grouped(walk.tokenizer.vocab_size)))
    tokens = walk.capture.src
    joined = [i > 0 and not token.starts_word for i, token in enumerate(tokens)]
    row = [Box(token.text, str(token.id)) for token in tokens]
    boxes.show(boxes.stacked(row, joined))
    columns = {_("piece"): [t.text for t in tokens], "id": [str(t.id) for t in tokens]}
    boxes.twins_fold("pieces", columns, [("", row)])


def _draw_ladder(replay: Replay, learned: int) -> None:
    """Draw the bytes of a word, and its pieces after each merge."""
    start = _("{n} bytes").format(n=len(replay.start))
    rows: list[Row] = [(start, [Box(_spaced(piece)) for piece in replay.start])]
    for merge in replay.merges:
        name = _("merge {number} of {all}")
        row = [Box(_spaced(piece)) for piece in merge.pieces]
        row[merge.at] = replace(row[merge.at], look="new")
        rows.append((name.format(number=grouped(merge.number), all=grouped(learned)), row))
    boxes.show(boxes.scroll("".join(starmap(boxes.step, rows)), _("How the pieces were merged")))
    st.caption(_(texts.SPACE))
    end = [piece.text for piece in replay.pieces]
    counts = {"merges": len(replay.merges), "bytes": len(replay.start), "pieces": len(end)}
    text = _(texts.MERGED_ONE if len(end) == 1 else texts.MERGED)
    st.markdown(text.format(cut=escape(" · ".join(end)), **counts))
    if replay.merges:
        boxes.twins_fold("merges", _columns(replay), rows)


def _columns(replay: Replay) -> Columns:
    return {
        _("step"): [str(i) for i in range(1, len(replay.merges) + 1)],
        _("merge"): [str(merge.number) for merge in replay.merges],
        _("left"): [_spaced(merge.left) for merge in replay.merges],
        _("right"): [_spaced(merge.right) for merge in replay.merges],
        _("pieces"): [" · ".join(map(_spaced, merge.pieces)) for merge in replay.merges],
    }


def _spaced(piece: Token) -> str:
    """Write the space that a piece may begin with, to tell it from one without."""
    return f"␣{piece.text}" if piece.starts_word and piece.text != "␣" else piece.text
