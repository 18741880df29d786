"""An example by hand: the letters of a word look at the frames of its sound."""

from typing import Final

import numpy as np

from app.components.board import array_grid
from app.format import localized, percent
from app.i18n import _
from app.inspector.arrays import arrays, weights_grid
from app.inspector.head import Head
from app.ui.about import about
from app.views.walk.self_attention import texts
from app.views.walk.self_attention.data import look

# How loud each vowel is at six pitches, from low to high.
VOWELS: Final = {
    "o": (0.6, 1.0, 0.4, 0.0, 0.0, 0.0),
    "í": (1.0, 0.1, 0.0, 0.0, 1.0, 0.6),
    "a": (0.1, 0.4, 1.0, 0.8, 0.1, 0.0),
}
PITCHES: Final = ("300 Hz", "500 Hz", "900 Hz", "1.4 kHz", "2.3 kHz", "3 kHz")
# What is spoken in each frame; in between, one vowel fades into the next.
SPOKEN: Final = ("o", "o", "o", "oí", "í", "í", "í", "ía", "a", "a", "a", "a")
SHARP: Final = 3.0


def frames() -> np.ndarray:
    """Return the sound: how loud it is in each frame at each pitch, (frames, pitches)."""
    return np.array([np.mean([VOWELS[vowel] for vowel in spoken], 0) for spoken in SPOKEN])


def heard() -> np.ndarray:
    """Return the weights of each letter over the frames, (letters, frames)."""
    return look(SHARP * np.array(list(VOWELS.values())), frames())


def sound_text(_head: Head) -> str:
    """Say how letters look at frames."""
    letter = list(VOWELS)[-1]
    weight = heard()[-1, [letter in spoken for spoken in SPOKEN]].sum()
    values = {"frames": len(SPOKEN), "bands": len(PITCHES), "letter": letter}
    return f"**{_(texts.BY_HAND)}** {_(texts.SOUND).format(weight=percent(weight), **values)}"


@about(sentence="", place=())
def draw_sound(head: Head) -> None:
    """Draw the sound, and the weights of each letter over its frames."""
    numbers = [str(i + 1) for i in range(len(SPOKEN))]
    loud = frames().T[::-1]  # high pitches on top
    pitches = list(map(localized, PITCHES[::-1]))
    labels = {"row_labels": pitches, "col_labels": numbers, "scale": "weights"}
    sound = array_grid(loud, _("sound: pitch × frame"), "input", **labels)
    weights = weights_grid(heard(), _("weights: letter × frame"), list(VOWELS), numbers)
    arrays(head.walk, [sound, weights], key="attention-sound")
