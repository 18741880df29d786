"""The texts of the start page, and how long it takes to read those of the tour."""

from typing import Final, NamedTuple

from app.components.steps import TOUR
from app.i18n import N_

WORDS_A_MINUTE: Final = 200  # of explanations: slower than a novel
SECONDS_A_PICTURE: Final = 25  # to look at it, and to click once
# Counted on the drawn screens of the tour, in English, by tests/app/page/test_tour.py.
WORDS_OF_TOUR: Final = 2880


class Way(NamedTuple):
    """One of the ways in: what the visitor does there, and the page it starts with."""

    title: str
    text: str
    button: str
    icon: str
    page: str


WAYS: Final = (
    Way(
        N_("Translate and look"),
        N_("Type anything, and see where every head of every layer looks, token by token."),
        N_("Translate"),
        ":material/translate:",
        "translate",
    ),
    Way(
        N_("Take the short tour"),
        N_(
            "From your words to vectors, through attention, to the next token: the whole "
            "Transformer told once, with the numbers of your own sentence. Most screens link "
            "to pages that go deeper."
        ),
        N_("Start the tour"),
        ":material/directions_walk:",
        TOUR,
    ),
    Way(
        N_("Train your own"),
        N_("Watch attention form before your eyes in a model that learns to reverse letters."),
        N_("Train"),
        ":material/model_training:",
        "training",
    ),
)


REFRESHERS: Final = (
    (
        N_("A vector"),
        N_(
            "is a list of numbers, such as (2, 1). The model writes each token as one: {d_model} "
            "numbers here. Tokens used in similar ways point in similar directions."
        ),
    ),
    (
        N_("The dot product"),
        N_(
            "multiplies two vectors number by number and adds up: (2, 1) · (3, 4) = 2·3 + 1·4 = "
            "10. It is large when both point the same way."
        ),
    ),
    (
        N_("Softmax"),
        N_(
            "turns any numbers into shares that add up to 1: (2, 1, 0) becomes (0.67, 0.24, 0.09). "
            "The largest gets the most, and none gets 0."
        ),
    ),
)


def minutes(words: int, screens: int) -> int:
    """Return how many minutes it takes to read a number of screens and their words."""
    return round(words / WORDS_A_MINUTE + screens * SECONDS_A_PICTURE / 60)
