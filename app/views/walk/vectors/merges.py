"""From bytes to tokens: how a word is merged, step by step."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import starmap

import streamlit as st

from app.charts.boxes import Box, Row
from app.data.translation import Token
from app.format import escape, grouped, number
from app.i18n import _
from app.ui import vectors_html as boxes
from app.ui.table import Columns
from app.views.walk.vectors import texts
from app.views.walk.vectors.data import Replay, merges, scored
from app.views.walk.vectors.piece import Piece

HEIGHT = 9  # of the ladder on the page, in rem: it scrolls


def merges_text(piece: Piece) -> str:
    """Say how the merges, or the probabilities of the pieces, were learned."""
    if scored(piece.walk, "") is not None:
        return _(texts.UNIGRAM)
    return _(texts.MERGES).format(merges=grouped(len(merges(piece.walk))))


def draw_merges(piece: Piece) -> None:
    """Draw the bytes of the visitor's word, and its tokens after each merge."""
    if not piece.word:
        st.info(_(texts.NO_WORD))
        return
    cut = scored(piece.walk, piece.word)
    if cut is not None:
        _draw_scored(cut)
        return
    learned = merges(piece.walk)
    replay = learned.replay(piece.word)
    rows = _rows(replay, len(learned))
    ladder = "".join(starmap(boxes.step, rows))
    boxes.show(boxes.scroll(ladder, _("How the tokens were merged"), HEIGHT))
    end = [token.text for token in replay.pieces]
    counts = {"merges": len(replay.merges), "bytes": len(replay.start), "pieces": len(end)}
    text = _(texts.MERGED_ONE if len(end) == 1 else texts.MERGED)
    st.markdown(f"{text.format(cut=escape(' · '.join(end)), **counts)} {_(texts.SPACE)}")
    if replay.merges:
        boxes.boxes_menu("merges", _columns(replay), rows)


def _draw_scored(cut: Sequence[tuple[str, float | None]]) -> None:
    """Draw the pieces that are together the likeliest."""
    row: Row = (_("tokens"), [Box(text.replace("▁", "␣")) for text, _score in cut])
    boxes.show(boxes.step(*row))
    known = [score for _text, score in cut if score is not None]
    if len(known) < len(cut):
        st.markdown(_(texts.UNLEARNED))
        return
    total, plugged = sum(known), _added(known)
    shown = texts.SCORED_ONE if len(known) == 1 else texts.SCORED
    st.markdown(_(shown).format(sum=plugged, total=number(total, 2)) + " " + _(texts.SPACE))
    columns: Columns = {_("token"): [text for text, _score in cut], "log p": known}
    boxes.boxes_menu("merges", columns, [row])


def _added(scores: Sequence[float]) -> str:
    """Write a sum: −1.4 − 2.6."""
    first, *others = (number(score, 2) for score in scores)
    return " ".join([first, *(f"{one[0]} {one[1:]}" for one in others)])


def _rows(replay: Replay, learned: int) -> list[Row]:
    start = _("{n} bytes").format(n=len(replay.start))
    rows: list[Row] = [(start, [Box(_spaced(token)) for token in replay.start])]
    for merge in replay.merges:
        name = _("merge {number} of {all}")
        row = [Box(_spaced(token)) for token in merge.pieces]
        row[merge.at] = replace(row[merge.at], look="new")
        rows.append((name.format(number=grouped(merge.number), all=grouped(learned)), row))
    return rows


def _columns(replay: Replay) -> Columns:
    return {
        _("step"): [str(i) for i in range(1, len(replay.merges) + 1)],
        _("merge"): [str(merge.number) for merge in replay.merges],
        _("left"): [_spaced(merge.left) for merge in replay.merges],
        _("right"): [_spaced(merge.right) for merge in replay.merges],
        _("tokens"): [" · ".join(map(_spaced, merge.pieces)) for merge in replay.merges],
    }


def _spaced(token: Token) -> str:
    """Write the space that a token may begin with, to tell it from one without."""
    return f"␣{token.text}" if token.starts_word and token.text != "␣" else token.text
