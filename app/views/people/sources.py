"""The people: who wrote the paper, and all whose work this follows; sources.toml has them."""

from pathlib import Path
from typing import Any, Final

from app import content
from app.components.entries import Group, ListEntry
from app.registry import address_of

AUTHORS: Final = (
    "Ashish Vaswani",
    "Noam Shazeer",
    "Niki Parmar",
    "Jakob Uszkoreit",
    "Llion Jones",
    "Aidan N. Gomez",
    "Łukasz Kaiser",
    "Illia Polosukhin",
)


def _entry(source: dict[str, Any]) -> ListEntry:
    seen = [address_of(screen) for screen in source["screens"]]
    return ListEntry(source["name"], source["says"], seen, source["by"], source["url"])


SOURCES: Final = tuple(
    Group(group["title"], [_entry(source) for source in group["source"]])
    for group in content.load(Path(__file__).with_name("sources.toml"))["group"]
)
