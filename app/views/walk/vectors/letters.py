"""Words as the bytes of their letters: the lecture's word, and one of the visitor's own."""

import streamlit as st

from app.format import escape
from app.i18n import _
from app.ui import vectors_html as boxes
from app.ui.table import Columns
from app.views.walk.vectors import texts
from app.views.walk.vectors.piece import SLIDES_WORD, Piece


def bytes_text() -> str:
    """Say how many bytes the lecture's word is."""
    octets = SLIDES_WORD.encode()
    return _(texts.BYTES).format(word=SLIDES_WORD, n=len(octets), first=f"{octets[0]:02X}")


def draw_bytes(piece: Piece) -> None:
    """Draw the bytes of the lecture's word, and those of the visitor's own."""
    boxes.show(boxes.byte_boxes(SLIDES_WORD))
    if not piece.word:
        st.info(_(texts.NO_WORD))
        return
    boxes.show(boxes.byte_boxes(piece.word))
    letter = next((letter for letter in piece.word if len(letter.encode()) > 1), None)
    if letter is not None:
        n, octets = len(letter.encode()), boxes.hexadecimal(letter)
        st.caption(escape(_(texts.MANY_BYTES).format(letter=letter, n=n, bytes=octets)))
    boxes.boxes_menu("bytes", _columns(piece.word), [("", boxes.letter_boxes(piece.word))])


def _columns(word: str) -> Columns:
    octets = [(letter, byte) for letter in word for byte in letter.encode()]
    return {
        _("letter"): [letter for letter, _byte in octets],
        _("hexadecimal"): [f"{byte:02X}" for _letter, byte in octets],
        _("decimal"): [str(byte) for _letter, byte in octets],
        _("binary"): [f"{byte:08b}" for _letter, byte in octets],
    }
