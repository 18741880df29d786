"""What the tasks to train on are called."""

from collections.abc import Mapping
from typing import Final

from app.i18n import N_

TASKS: Final[Mapping[str, str]] = {
    "copy": N_("Copy letters"),
    "reverse": N_("Reverse letters"),
    "sort": N_("Sort letters"),
    "numbers-es": N_("Spanish numbers to English"),
    "numbers-fr": N_("French numbers to English"),
    "digits-es": N_("Spanish numbers to digits"),
    "digits-fr": N_("French numbers to digits"),
    "phrases-es": N_("Spanish phrase book"),
    "phrases-fr": N_("French phrase book"),
    "own": N_("Your own pairs"),
}
