"""docs/lectures.md: each row on a lecture leads to a screen that exists, under its own title."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from app import i18n
from app.page.contents import every_drawer, every_screen, title_of
from app.registry import VIEWS, Address, view_of

ROOT: Final = Path(__file__).resolve().parents[1]
KINDS: Final = ("idea", "number", "formula", "example", "code")
# The lectures in their order, and how many rows each has at least.
LECTURES: Final = {
    "Transformers (Spanish)": 33,
    "The Transformer in pictures (English)": 46,
    "The evolution of the Transformer (English)": 98,
    "Attention mechanisms and Transformers (Spanish)": 28,
    "The Transformer network (French)": 41,
}
NOT_SHOWN: Final = "Not shown, and why"
SHOWN: Final = re.compile(
    r"\| (?P<what>[^|]+) \| (?P<kind>\w+) \| "
    r"\[(?P<title>[^|\]]+)\]\((?P<page>\w+)(?:\?part=(?P<screen>[\w-]+))?\) \|"
)
LEFT_OUT: Final = re.compile(r"\| [^|]+ \| [^|]+ \|")


class Row(NamedTuple):
    """What a lecture has, and where it is shown under which title."""

    what: str
    kind: str
    title: str
    address: Address


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Speak English for one test, whatever another one chose."""
    token = i18n._chosen.set(i18n.DEFAULT)
    yield
    i18n._chosen.reset(token)


def tables() -> Mapping[str, list[str]]:
    """Return the lines of each table without its head, by its heading."""
    text = (ROOT / "docs/lectures.md").read_text(encoding="utf-8")
    _intro, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    headed = (section.partition("\n") for section in sections)
    return {
        heading: [line for line in body.splitlines() if line.startswith("|")][2:]
        for heading, _newline, body in headed
    }


def row_of(line: str) -> Row:
    """Read a line of a lecture's table."""
    found = SHOWN.fullmatch(line)
    assert found, line
    what, kind, title, page, screen = found.groups(default="")
    return Row(what, kind, title, Address(page, screen))


def rows_of(lecture: str) -> list[Row]:
    """Return all rows on a lecture."""
    return [row_of(line) for line in tables()[lecture]]


def alone(address: Address) -> str:
    """Return the title of a screen without its page's, or that of a page."""
    page = view_of(address.page).title
    return title_of(address).removeprefix(f"{page} · ")


def test_all_five_lectures_are_there() -> None:
    assert list(tables()) == [*LECTURES, NOT_SHOWN]


@pytest.mark.parametrize("lecture", LECTURES)
def test_every_row_leads_to_a_screen_by_its_title(lecture: str) -> None:
    rows = rows_of(lecture)
    assert {row.address.page for row in rows} <= {view.slug for view in VIEWS}
    declared = {*every_screen(), *every_drawer()}
    assert [row for row in rows if row.address not in declared] == []
    assert [row for row in rows if row.title != alone(row.address)] == []


@pytest.mark.parametrize("lecture", LECTURES)
def test_no_row_is_lost_or_stands_twice(lecture: str) -> None:
    rows = rows_of(lecture)
    assert len({row.what for row in rows}) == len(rows) >= LECTURES[lecture]
    assert [row for row in rows if row.kind not in KINDS] == []


def test_each_kind_of_thing_is_there() -> None:
    assert {row.kind for lecture in LECTURES for row in rows_of(lecture)} == set(KINDS)


def test_what_is_not_shown_has_its_reason() -> None:
    lines = tables()[NOT_SHOWN]
    assert lines
    assert [line for line in lines if not LEFT_OUT.fullmatch(line)] == []


def test_the_readme_leads_to_the_table() -> None:
    assert "(docs/lectures.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
