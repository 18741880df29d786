"""The lessons that come along, by their names in an address: one a lecture, then two on heads."""

from collections.abc import Mapping
from typing import Final

from app.lesson import Lesson
from app.texts.lessons.evolution import EVOLUTION
from app.texts.lessons.head_atlas import EXPLANATION, HEAD_ATLAS
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
    "head_atlas": HEAD_ATLAS,
    "explanation": EXPLANATION,
}
