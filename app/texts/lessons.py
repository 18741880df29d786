"""The lessons that come along, by their names in an address; lessons.toml has them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from app import content
from app.lesson import Lesson, Stop

LESSONS: Final[Mapping[str, Lesson]] = {
    lesson["name"]: Lesson(lesson["title"], tuple(Stop(**stop) for stop in lesson["stop"]))
    for lesson in content.load(Path(__file__).with_name("lessons.toml"))["lesson"]
}
