"""The picture that a kernel steps over: drawn here, or the visitor's own, made small and grey."""

import io
from contextlib import suppress
from typing import Final

import numpy as np
import streamlit as st
from PIL import Image, ImageDraw, ImageFont, ImageOps

from app.data.house import SIDE, Greys, house
from app.i18n import _
from app.state import Param, one_of
from app.ui.pickers import pick
from app.ui.uploader import uploader
from app.views.history.filters import texts

PICTURE: Final = Param[str]("fpic", "house", one_of(*texts.PICTURES))
UPLOAD: Final = "filters-upload"
OWN_SIDE: Final = 24
MEGABYTES: Final = 2
MEGAPIXELS: Final = 16


def picture() -> Greys:
    """Return the chosen picture's greys (H, W), 0 black to 1 white; the house where none is."""
    if PICTURE.get() == "letter":
        return letter("A")
    uploaded = st.session_state.get(UPLOAD) if PICTURE.get() == "own" else None
    if uploaded is not None:
        with suppress(ValueError):
            return greys_of(uploaded.getvalue())
    return house()


def pick_picture() -> None:
    """Draw the choice of picture, and where a file can be given; say what is wrong with it."""
    pick(PICTURE, _("Picture"), texts.PICTURES, help=_(texts.PICTURE_HELP))
    if PICTURE.get() != "own":
        return
    label, tip = _(texts.UPLOAD).format(size=MEGABYTES), _(texts.UPLOAD_HELP).format(side=OWN_SIDE)
    types = ["png", "jpg", "jpeg"]
    uploaded = uploader(label, types, key=UPLOAD, most=MEGABYTES, help=tip)
    if uploaded is None:
        st.caption(_(texts.UPLOAD_FIRST))
        return
    try:
        greys_of(uploaded.getvalue())
    except ValueError as error:
        st.error(str(error))


def letter(char: str) -> Greys:
    """Write a letter, white on black, (16, 16)."""
    image = Image.new("L", (SIDE, SIDE), 0)
    middle, font = (SIDE / 2, SIDE / 2), ImageFont.load_default(17)
    ImageDraw.Draw(image).text(middle, char, fill=255, anchor="mm", font=font)
    return np.asarray(image, float) / 255


def greys_of(data: bytes) -> Greys:
    """Read a PNG or JPEG file as greys (24, 24); ValueError says what is wrong with it.

    How many pixels it has is known, and limited, before any of them is decoded.
    """
    if len(data) > MEGABYTES * 2**20:
        raise ValueError(_(texts.HEAVY).format(size=MEGABYTES))
    try:
        image = Image.open(io.BytesIO(data), formats=("PNG", "JPEG"))
    except Exception:  # a broken file may raise anything
        raise ValueError(_(texts.NO_PICTURE)) from None
    if image.width * image.height > MEGAPIXELS * 10**6:
        size = {"width": image.width, "height": image.height}
        raise ValueError(_(texts.LARGE).format(most=MEGAPIXELS, **size))
    try:
        return _decoded(image)
    except Exception:
        raise ValueError(_(texts.NO_PICTURE)) from None


def _decoded(image: Image.Image) -> Greys:
    """Cut out the middle, on white where it is transparent."""
    image.draft("RGB", (4 * OWN_SIDE, 4 * OWN_SIDE))  # a JPEG is decoded small
    upright = ImageOps.exif_transpose(image).convert("RGBA")
    white = Image.new("RGBA", upright.size, "white")
    grey = Image.alpha_composite(white, upright).convert("L")
    return np.asarray(ImageOps.fit(grey, (OWN_SIDE, OWN_SIDE)), float) / 255
