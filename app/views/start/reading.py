"""How long reading takes: the words of the screens, and the time for each one's picture."""

from typing import Final

WORDS_A_MINUTE: Final = 200  # of explanations: slower than a novel
SECONDS_A_PICTURE: Final = 25  # to look at it, and to click once
# Counted on the drawn screens of the tour, in English, by tests/app/page/test_tour.py.
WORDS_OF_TOUR: Final = 2740


def minutes(words: int, screens: int) -> int:
    """Return how many minutes it takes to read a number of screens and their words."""
    return round(words / WORDS_A_MINUTE + screens * SECONDS_A_PICTURE / 60)
