"""The whole walk as a book: its size, and all of its screens by Next alone (`-m slow`)."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from app.book.build import BookPlan, build, chapters
from app.registry import HISTORY, WALK, of_section
from tests.browser.test_book import LOOKS, SENTENCE, offline, sticks_out

MOST = 25_000_000  # bytes of a walk of one sentence
ENTRIES = chapters([view.slug for section in (WALK, HISTORY) for view in of_section(section)])
pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]  # it is built for ten minutes


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All screens on one sentence, in a folder."""
    out = tmp_path_factory.mktemp("book") / "walk"
    build(BookPlan(ENTRIES, [SENTENCE]), out)
    return out


def test_it_is_small(walk: Path) -> None:
    assert sum(file.stat().st_size for file in walk.rglob("*") if file.is_file()) < MOST


@pytest.mark.parametrize(("size", "scheme"), LOOKS, ids=str)
def test_next_alone_leads_through_all_of_it(
    browser: Browser, walk: Path, size: tuple[int, int], scheme: str
) -> None:
    look = {"viewport": {"width": size[0], "height": size[1]}, "color_scheme": scheme}
    troubles = []
    with offline(browser, next(walk.glob("en/1/*.html")).as_uri(), offline=True, **look) as page:
        page.goto((walk / f"en/1/{ENTRIES[0].name}.html").as_uri())
        missing = {entry.name for entry in ENTRIES}  # a model's norms decide on their order
        while missing:
            expect(page).to_have_url(re.compile(rf"[/#]({'|'.join(missing)})(\.html)?$"))
            name = re.split("[/#]", page.url.removesuffix(".html"))[-1]
            missing.remove(name)
            page.wait_for_timeout(400)
            if (pixels := sticks_out(page)) > 0:
                troubles.append(f"{name} sticks out by {pixels} px")
            found = Axe().run(page, options={"preload": False}).response["violations"]
            troubles += [f"{name}: {one['id']}" for one in found]
            on = page.get_by_role("button", name=re.compile("^Next"))
            if on.is_enabled():
                on.click()
    assert not troubles
