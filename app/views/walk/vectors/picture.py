"""A word as a camera sees it."""

import numpy as np
import streamlit as st
from PIL import Image, ImageDraw, ImageFont

from app.components.board import pixels
from app.i18n import _
from app.inspector.arrays import draw_board
from app.ui.about import about
from app.views.walk.vectors import texts
from app.views.walk.vectors.letters import bytes_text, draw_bytes
from app.views.walk.vectors.piece import SLIDES_WORD, Piece


def picture_text(_piece: Piece) -> str:
    """Say how large the picture of the word is."""
    height, width = _greys(SLIDES_WORD).shape
    return _(texts.PICTURE).format(word=SLIDES_WORD, height=height, width=width)


@about(sentence="", place=())
def draw_picture(piece: Piece) -> None:
    """Draw a word as the pixels of a picture, then as bytes."""
    camera = pixels(_greys(SLIDES_WORD), _("“{word}” in grey").format(word=SLIDES_WORD))
    draw_board([camera], "vectors-picture")
    st.markdown(bytes_text())
    draw_bytes(piece)


@st.cache_data(show_spinner=False)
def _greys(word: str) -> np.ndarray:
    """Write a word, black on white, and return its pixels, (H, W)."""
    font = ImageFont.load_default(9)
    left, top, right, bottom = map(round, font.getbbox(word))
    image = Image.new("L", (right - left + 2, bottom - top + 2), 255)
    ImageDraw.Draw(image).text((1 - left, 1 - top), word, fill=0, font=font)
    return np.asarray(image)
