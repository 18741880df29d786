"""docs/lectures.md: each row on a lecture leads to a screen that exists, under its own title."""

import re
from pathlib import Path
from typing import Final

from app import i18n
from app.page.contents import every_drawer, every_screen, title_of
from app.registry import Address, view_of

ROOT: Final = Path(__file__).resolve().parents[1]
NOT_SHOWN: Final = "Not shown, and why"
SHOWN: Final = re.compile(
    r"\| (?P<what>[^|]+) \| (idea|number|formula|example|code) \| "
    r"\[(?P<title>[^|\]]+)\]\((?P<page>\w+)(?:\?part=(?P<screen>[\w-]+))?\) \|"
)


def tables() -> dict[str, list[str]]:
    """Return the lines of each table without its head, by its heading."""
    text = (ROOT / "docs/lectures.md").read_text(encoding="utf-8")
    _intro, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    headed = (section.partition("\n") for section in sections)
    return {
        heading: [line for line in body.splitlines() if line.startswith("|")][2:]
        for heading, _newline, body in headed
    }


def test_every_row_leads_to_a_screen_by_its_title() -> None:
    found = tables()
    assert found.pop(NOT_SHOWN)
    assert found
    declared = {*every_screen(), *every_drawer()}
    for lecture, lines in found.items():
        rows = [SHOWN.fullmatch(line) for line in lines]
        assert len({row["what"] for row in rows if row}) == len(lines) > 0, lecture
        with i18n.speaking(i18n.DEFAULT):
            for line, row in zip(lines, rows, strict=True):
                assert row, line
                address = Address(row["page"], row["screen"] or "")
                alone = title_of(address).removeprefix(f"{view_of(address.page).title} · ")
                assert address in declared, line
                assert row["title"] == alone, line
