"""An example by hand: the words of a caption look at the patches of a picture."""

from typing import Final

import numpy as np

from app.format import percent
from app.i18n import _
from app.inspector.head import Head
from app.ui.about import about
from app.ui.chart import show_chart
from app.ui.table import Columns
from app.views.walk.self_attention import texts
from app.views.walk.self_attention.data import look
from app.views.walk.self_attention.picture_chart import seen_figure

PATCHES: Final = (
    "sssssssss",
    "ssssssyys",
    "ssrsssyys",
    "srrrsssss",
    "shhhsssss",
    "ghhhggggg",
    "ggggggggg",
)
COLOURS: Final = {  # red, green and blue, from 0 to 1
    "s": (0.45, 0.75, 1.0),
    "y": (1.0, 0.85, 0.1),
    "r": (0.75, 0.2, 0.2),
    "h": (0.9, 0.35, 0.3),
    "g": (0.3, 0.65, 0.25),
}
SHARP: Final = 8.0  # how decidedly a word looks for its colour


def image() -> np.ndarray:
    """Return the picture, a patch a pixel, (H, W, 3)."""
    return np.array([[COLOURS[patch] for patch in row] for row in PATCHES])


def seen() -> np.ndarray:
    """Return the weights of each word over the patches, (words, H, W)."""
    patches = image()
    queries = np.array([COLOURS[thing] for thing in texts.THINGS])
    weights = look(SHARP * _hue(queries), _hue(patches.reshape(-1, 3)))
    return weights.reshape(-1, *patches.shape[:2])


def _hue(colours: np.ndarray) -> np.ndarray:
    """Return colours (N, 3) as directions from grey, of length 1."""
    apart = 2 * colours - 1
    return np.asarray(apart / np.linalg.norm(apart, axis=-1, keepdims=True))


def picture_text(_head: Head) -> str:
    """Say how words look at patches."""
    weights, (thing, word) = seen()[0], next(iter(texts.THINGS.items()))
    of_word = np.array([list(row) for row in PATCHES]) == thing
    values = {"patches": weights.size, "n": int(of_word.sum()), "word": _(word)}
    text = _(texts.PICTURE).format(weight=percent(weights[of_word].sum()), **values)
    return f"**{_(texts.BY_HAND)}** {text}"


@about(sentence="", place=())
def draw_picture(_head: Head) -> None:
    """Draw the picture, and the same as each word of the caption sees it."""
    weights, words = seen(), [_(word) for word in texts.THINGS.values()]
    figure = seen_figure(image(), weights, [_(texts.PICTURE_NAME), *words], _("weight"))

    def columns() -> Columns:
        places = [f"{row + 1}, {col + 1}" for row, col in np.ndindex(weights.shape[1:])]
        shares = {word: of.ravel().tolist() for word, of in zip(words, weights, strict=True)}
        return {_("row, column"): places, **shares}

    show_chart(figure, "attention-picture", _(texts.PICTURE_TITLE), columns)
