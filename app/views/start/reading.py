"""How long reading takes: the words of the screens, and a look at the picture of each."""

from typing import Final

WORDS_A_MINUTE: Final = 200  # of what explains: slower than a novel
SECONDS_A_PICTURE: Final = 25  # to look at it, and to click once
# Counted on the drawn screens of the tour, in English, by tests/app/page/test_tour.py.
WORDS_OF_TOUR: Final = 2600


def minutes(words: int, screens: int) -> int:
    """Return how long some screens take that say so many words together."""
    return round(words / WORDS_A_MINUTE + screens * SECONDS_A_PICTURE / 60)
