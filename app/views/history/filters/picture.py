"""The picture that the kernel steps over: a house, a letter, or a file of the visitor's."""

import io
from contextlib import suppress
from typing import Final

import numpy as np
import streamlit as st
from PIL import Image, ImageDraw, ImageFont, ImageOps

from app.data.images import SIDE, Greys, house
from app.i18n import N_, _
from app.state import Param, one_of
from app.ui.pickers import pick, uploader

PICTURES: Final = {"house": N_("A house"), "letter": N_("A letter"), "own": N_("Your own")}
NO_PICTURE: Final = N_("This file cannot be read as a PNG or JPEG picture: choose another one.")
# How bright red, green and blue look to the eye: television's rule (ITU-R BT.601), and PIL's.
BRIGHTNESS: Final = np.array([0.299, 0.587, 0.114])
# How much redder and bluer than its grey each part of the house is, by that grey.
TINTS: Final = {
    0.35: (-0.2, -0.2),  # the ground
    0.95: (0.04, -0.15),  # the wall
    0.15: (0.3, -0.05),  # the roof
    0.4: (-0.2, 0.3),  # the windows
    0.2: (0.15, -0.1),  # the door
}
SKY: Final = (-0.25, 0.2)
PICTURE: Final = Param[str]("fpic", "house", one_of(*PICTURES))
UPLOAD: Final = "filters-upload"
OWN_SIDE: Final = 24
MEGABYTES: Final = 2
MEGAPIXELS: Final = 16


def coloured_house() -> Greys:
    """Return the house in colour, (3, H, W), from 0 to 1; its greys are those of the grey house."""
    greys = house()
    red, blue = np.moveaxis(np.array([[TINTS.get(x, SKY) for x in row] for row in greys]), -1, 0)
    r, g, b = BRIGHTNESS
    green = -(r * red + b * blue) / g  # so that the grey stays
    return np.stack([greys + red, greys + green, greys + blue])


def picture() -> Greys:
    """Return the chosen picture's greys (H, W), 0 black to 1 white; by default the house."""
    if PICTURE.get() == "letter":
        return letter_a()
    uploaded = st.session_state.get(UPLOAD) if PICTURE.get() == "own" else None
    if uploaded is not None:
        with suppress(ValueError):
            return greys_of(uploaded.getvalue())
    return house()


def pick_picture() -> None:
    """Draw the choice of a picture and the field for a file; say what is wrong with the file."""
    tip = _("What the kernel steps over: drawn by our code, or a file of yours.")
    pick(PICTURE, _("Picture"), PICTURES, help=tip)
    if PICTURE.get() != "own":
        return
    label = _("Your picture (PNG or JPEG, at most {size} MB)").format(size=MEGABYTES)
    tip = _(
        "The middle of it is cut out, turned into greys and shrunk to {side} × {side} pixels. "
        "It is kept for this visit only."
    ).format(side=OWN_SIDE)
    types = ["png", "jpg", "jpeg"]
    uploaded = uploader(label, types, key=UPLOAD, most=MEGABYTES, help=tip)
    if uploaded is None:
        st.caption(_("Until you choose a file, you see the house."))
        return
    try:
        greys_of(uploaded.getvalue())
    except ValueError as error:
        st.error(str(error))


def letter_a() -> Greys:
    """Return an A, white on black, (16, 16)."""
    image = Image.new("L", (SIDE, SIDE), 0)
    middle, font = (SIDE / 2, SIDE / 2), ImageFont.load_default(17)
    ImageDraw.Draw(image).text(middle, "A", fill=255, anchor="mm", font=font)
    return np.asarray(image, float) / 255


def greys_of(data: bytes) -> Greys:
    """Read the middle of a PNG or JPEG file as greys (24, 24); raises ValueError for a bad one.

    The number of pixels is read and limited before any of them is decoded.
    """
    if len(data) > MEGABYTES * 2**20:
        raise ValueError(
            _("This file has more than {size} MB: choose a smaller one.").format(size=MEGABYTES)
        )
    try:
        image = Image.open(io.BytesIO(data), formats=("PNG", "JPEG"))
    except Exception:  # a broken file may raise anything
        raise ValueError(_(NO_PICTURE)) from None
    if image.width * image.height > MEGAPIXELS * 10**6:
        size = {"width": image.width, "height": image.height}
        raise ValueError(
            _(
                "This picture has {width} × {height} pixels, more than {most} million: choose a "
                "smaller one."
            ).format(most=MEGAPIXELS, **size)
        )
    try:
        image.draft("RGB", (4 * OWN_SIDE, 4 * OWN_SIDE))  # so that a JPEG is decoded small
        upright = ImageOps.exif_transpose(image).convert("RGBA")
        white = Image.new("RGBA", upright.size, "white")  # behind what is transparent
        grey = Image.alpha_composite(white, upright).convert("L")
        return np.asarray(ImageOps.fit(grey, (OWN_SIDE, OWN_SIDE)), float) / 255
    except Exception:
        raise ValueError(_(NO_PICTURE)) from None
