"""From letters to pieces: a picture and a word as numbers, and how the pieces were merged."""

from collections.abc import Sequence
from itertools import starmap

import numpy as np
import streamlit as st
from PIL import Image, ImageDraw, ImageFont

from app.charts.boxes import Box, Row
from app.components.board import board, pixels
from app.data.translation import Token, readable
from app.data.walk import Walk
from app.format import escape, grouped
from app.i18n import _
from app.inspect.arrays import twins
from app.state import Param
from app.ui import vectors_html as boxes
from app.ui.section import section
from app.ui.table import Columns, table, table_fold
from app.views.walk.vectors import texts
from app.views.walk.vectors.data import Replay, merges, pieces_of

SLIDES_WORD = "slaughter"  # the word of the lecture
LONGEST = 40
OWN = Param[str | None]("own", None, lambda raw: raw[:LONGEST])


def picture() -> None:
    """Draw a word as a camera sees it, and as the bytes of its letters."""
    greys = _greys(SLIDES_WORD)
    height, width = greys.shape
    section(
        _(texts.PICTURE_TITLE),
        _(texts.PICTURE).format(word=SLIDES_WORD, height=height, width=width),
    )
    camera = pixels(greys, _("“{word}” in grey").format(word=SLIDES_WORD))
    board([camera], key="vectors-picture", fold=twins([camera], "vectors-picture"))
    first = f"{SLIDES_WORD.encode()[0]:02X}"
    st.markdown(_(texts.BYTES).format(n=len(SLIDES_WORD.encode()), first=first))
    boxes.show(boxes.byte_boxes(SLIDES_WORD))


def own_word(walk: Walk) -> str:
    """Ask for a word, show its bytes, and return it; one of the sentence's to begin with."""
    chosen = OWN.get()
    word: str = st.text_input(
        _(texts.OWN_WORD), key=OWN.widget(telling_word(walk) if chosen is None else chosen),
        max_chars=LONGEST, help=_(texts.OWN_WORD_HELP), live="250ms", autocomplete="off",
    )  # fmt: skip
    word = readable(word)
    if not word:
        st.info(_(texts.NO_WORD))
        return ""
    boxes.show(boxes.byte_boxes(word))
    letter = next((letter for letter in word if len(letter.encode()) > 1), None)
    if letter is not None:
        n = len(letter.encode())
        said = _(texts.MANY_BYTES).format(letter=letter, n=n, bytes=boxes.hexadecimal(letter))
        st.caption(escape(said))
    columns, row = _byte_columns(word), [("", boxes.letter_boxes(word))]
    table_fold("bytes", lambda: _twins(columns, row, "bytes"), picture=True)
    return word


def pieces(walk: Walk, word: str) -> None:
    """Show how a word was merged, step by step, and the pieces and ids of the sentence."""
    learned = merges(walk)
    section(_(texts.PIECES_TITLE), _(texts.PIECES).format(merges=grouped(len(learned))))
    if word:
        _ladder(learned.replay(word), len(learned))
    st.markdown(_(texts.SENTENCE).format(vocabulary=grouped(walk.tokenizer.vocab_size)))
    tokens = walk.capture.src
    joined = [i > 0 and not token.starts_word for i, token in enumerate(tokens)]
    row = [Box(token.text, str(token.id)) for token in tokens]
    boxes.show(boxes.stacked(row, joined))
    columns = {_("piece"): [t.text for t in tokens], "id": [str(t.id) for t in tokens]}
    table_fold("pieces", lambda: _twins(columns, [("", row)], "pieces"), picture=True)


def telling_word(walk: Walk) -> str:
    """Return the sentence's word of most pieces; of several, the longest."""
    found = (word.strip(" .,;:!?¡¿…«»\"'()") for word in walk.translation.source.words[:-1])
    known = [word for word in found if 0 < len(word) <= LONGEST]
    return max(known, key=lambda word: (len(pieces_of(walk, word)), len(word)), default=SLIDES_WORD)


def _ladder(replay: Replay, learned: int) -> None:
    start = _("{n} bytes").format(n=len(replay.start))
    rows: list[Row] = [(start, [Box(_spaced(piece)) for piece in replay.start])]
    for merge in replay.merges:
        of = _("merge {number} of {all}")
        done = of.format(number=grouped(merge.number), all=grouped(learned))
        row = [
            Box(_spaced(piece), look="new" if i == merge.at else "plain")
            for i, piece in enumerate(merge.pieces)
        ]
        rows.append((done, row))
    boxes.show(boxes.scroll("".join(starmap(boxes.step, rows)), _("How the pieces were merged")))
    st.caption(_(texts.SPACE))
    end = replay.pieces
    said = _(texts.MERGED_ONE) if len(end) == 1 else _(texts.MERGED)
    st.markdown(
        said.format(
            merges=len(replay.merges), bytes=len(replay.start), pieces=len(end),
            cut=escape(" · ".join(piece.text for piece in end)),
        )
    )  # fmt: skip
    if replay.merges:
        table_fold("merges", lambda: _twins(_merge_columns(replay), rows, "merges"), picture=True)


def _merge_columns(replay: Replay) -> dict[str, list[str]]:
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


def _twins(columns: Columns, rows: Sequence[Row], name: str) -> None:
    table(columns, name)
    boxes.save(rows, name)


def _byte_columns(word: str) -> dict[str, list[str]]:
    octets = [(letter, byte) for letter in word for byte in letter.encode()]
    return {
        _("letter"): [letter for letter, _byte in octets],
        _("hexadecimal"): [f"{byte:02X}" for _letter, byte in octets],
        _("decimal"): [str(byte) for _letter, byte in octets],
        _("binary"): [f"{byte:08b}" for _letter, byte in octets],
    }


@st.cache_data(show_spinner=False)
def _greys(word: str) -> np.ndarray:
    """Write a word, black on white, and return its pixels, (H, W)."""
    font = ImageFont.load_default(9)
    left, top, right, bottom = map(round, font.getbbox(word))
    image = Image.new("L", (right - left + 2, bottom - top + 2), 255)
    ImageDraw.Draw(image).text((1 - left, 1 - top), word, fill=0, font=font)
    return np.asarray(image)
