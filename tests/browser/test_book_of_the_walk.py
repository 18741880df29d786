"""The whole walk as a book: its size, and all of its screens by Next alone (`-m slow`)."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from app.book.build import FURTHER, BookPlan, build, chapters
from app.registry import HISTORY, WALK, of_section
from tests.browser.test_book import LOOKS, SENTENCE, offline, troubles

MOST = 25_000_000  # bytes of a walk of one sentence
ENTRIES = chapters([view.slug for section in (WALK, HISTORY) for view in of_section(section)])
NAMES = [entry.name for entry in ENTRIES]  # a model's norms decide on their order
pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]  # it is built for ten minutes


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All screens on one sentence, in a folder."""
    out = tmp_path_factory.mktemp("book") / "walk"
    build(BookPlan(ENTRIES, [SENTENCE]), out)
    return out


def test_it_is_small(walk: Path) -> None:
    assert size(walk.rglob("*.*")) < MOST
    folder = walk / "en/1"
    for entry in ENTRIES[1:]:
        own = (folder / f"{entry.name}.html", *folder.glob(f"{entry.name}.{'?' * 10}.js"))
        assert size(own) < FURTHER, entry.name


def size(files: Iterable[Path]) -> int:
    return sum(file.stat().st_size for file in files)


@pytest.mark.parametrize(("view", "scheme"), LOOKS, ids=str)
def test_next_alone_leads_through_all_of_it(
    browser: Browser, walk: Path, view: tuple[int, int], scheme: str
) -> None:
    look = {"viewport": {"width": view[0], "height": view[1]}, "color_scheme": scheme}
    with offline(browser, next(walk.glob("en/1/*.html")).as_uri(), offline=True, **look) as page:
        page.goto((walk / f"en/1/{ENTRIES[0].name}.html").as_uri())
        assert not troubles(page, NAMES, lambda: page.wait_for_timeout(400))
