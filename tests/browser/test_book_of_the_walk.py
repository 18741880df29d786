"""The whole walk as a book: its size, and all of its screens by Next alone (`-m slow`).

Once as it was recorded, from the disk, and once on a sentence that its reader types.
"""

from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from app.book.build import FURTHER, TRANSLATE, BookPlan, build, chapters
from app.live import pack
from app.registry import HISTORY, WALK, of_section
from tests.browser.test_book import LOOKS, SENTENCE, offline, served, troubles
from tests.browser.test_live import OWN, type_in

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


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All screens without choices, and what draws them on a reader's sentence."""
    try:
        pack.runtime()
    except ValueError as error:
        pytest.skip(str(error))
    out = tmp_path_factory.mktemp("book") / "live"
    build(BookPlan([*ENTRIES, TRANSLATE], [SENTENCE], room=0, live=True), out, pack=pack.write)
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


@pytest.mark.parametrize(("view", "scheme"), LOOKS, ids=str)
def test_next_alone_leads_through_all_of_a_live_one(
    browser: Browser, live: Path, view: tuple[int, int], scheme: str
) -> None:
    """The screens that a browser cannot draw stay as they were recorded, and say so."""
    look = {"viewport": {"width": view[0], "height": view[1]}, "color_scheme": scheme}
    own: list[str] = []

    def settle() -> None:
        page.wait_for_timeout(100)
        expect(page.locator("body:not([data-computes])")).to_be_attached()
        page.wait_for_timeout(300)
        told = page.locator(".own-told").inner_text()
        assert told == "" or "does not show your sentence" in told, told
        own.extend([] if told else [page.url])

    with (
        served(live) as address,
        offline(browser, f"{address}/en/1/{ENTRIES[0].name}.html", **look) as page,
    ):
        type_in(page, OWN)
        expect(page.locator(".own-output")).not_to_be_empty()
        settle()
        page.context.set_offline(True)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        assert not troubles(page, NAMES, settle)
        assert not [url for url in asked if not url.startswith(("blob:", "data:"))]
        assert len(own) > 100
