"""The lessons that come along, by their names in an address, in the order of the lectures."""

from collections.abc import Mapping
from typing import Final

from app.data.lessons import Lesson
from app.texts.lessons.evolution import EVOLUTION
from app.texts.lessons.illustrated import ILLUSTRATED
from app.texts.lessons.mechanisms import MECHANISMS
from app.texts.lessons.network import NETWORK
from app.texts.lessons.paper import PAPER

LESSONS: Final[Mapping[str, Lesson]] = {
    "paper": PAPER,
    "illustrated": ILLUSTRATED,
    "evolution": EVOLUTION,
    "mechanisms": MECHANISMS,
    "network": NETWORK,
}
