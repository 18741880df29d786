"""A word as a camera sees it, and words as the bytes of their letters."""

import numpy as np
import streamlit as st
from PIL import Image, ImageDraw, ImageFont

from app.components.board import board, pixels
from app.format import escape
from app.i18n import _
from app.inspect.arrays import twins
from app.ui import vectors_html as boxes
from app.ui.pickers import live_text
from app.ui.table import Columns
from app.views.walk.vectors import texts
from app.views.walk.vectors.piece import LONGEST, OWN, SLIDES_WORD, Piece


def picture_text(_piece: Piece) -> str:
    """Say how large the picture of the word is."""
    height, width = _greys(SLIDES_WORD).shape
    return _(texts.PICTURE).format(word=SLIDES_WORD, height=height, width=width)


def draw_picture(piece: Piece) -> None:
    """Draw a word as a camera sees it, its bytes, and those of the visitor's own word."""
    camera = pixels(_greys(SLIDES_WORD), _("“{word}” in grey").format(word=SLIDES_WORD))
    board([camera], key="vectors-picture", fold=twins([camera], "vectors-picture"))
    octets = SLIDES_WORD.encode()
    st.markdown(_(texts.BYTES).format(n=len(octets), first=f"{octets[0]:02X}"))
    boxes.show(boxes.byte_boxes(SLIDES_WORD))
    key, about = OWN.widget(piece.own), _(texts.OWN_WORD_HELP)
    live_text(_(texts.OWN_WORD), key, max_chars=LONGEST, help=about)
    if not piece.word:
        st.info(_(texts.NO_WORD))
        return
    boxes.show(boxes.byte_boxes(piece.word))
    letter = next((letter for letter in piece.word if len(letter.encode()) > 1), None)
    if letter is not None:
        n, octets_of = len(letter.encode()), boxes.hexadecimal(letter)
        st.caption(escape(_(texts.MANY_BYTES).format(letter=letter, n=n, bytes=octets_of)))
    boxes.twins_fold("bytes", _columns(piece.word), [("", boxes.letter_boxes(piece.word))])


def _columns(word: str) -> Columns:
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
