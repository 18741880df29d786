"""The pages to look something up: the glossary, and the people and sources."""

from urllib.parse import urlsplit

import pytest

from app import i18n
from app.components.entries import payload
from app.texts.glossary import ENTRIES, alphabetical
from app.views.people.sources import SOURCES
from tests.app.pages import opened, screens_of, sent_to_browser


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_the_glossary_lists_every_term_by_its_alphabet(language: str) -> None:
    app = opened("glossary", lang=language)
    sent = sent_to_browser(app)
    (groups,) = (data["fixed"]["groups"] for data in sent if "groups" in data.get("fixed", {}))
    letters = [group["title"] for group in groups]
    titles = [row["title"] for group in groups for row in group["entries"]]
    assert letters == sorted(set(letters))
    assert titles == sorted(titles, key=alphabetical)
    assert len(titles) == len(ENTRIES)


def test_every_source_leads_to_screens_that_exist() -> None:
    rows = [row for group in SOURCES for row in group.entries]
    lost = [row.title for row in rows for at in row.seen if at.screen not in screens_of(at.page)]
    assert not lost
    assert all(row.seen for row in rows)


def test_every_source_is_linked_and_named_once() -> None:
    rows = [row for group in SOURCES for row in group.entries]
    for row in rows:
        link = urlsplit(row.url)
        assert (link.scheme, bool(link.netloc), bool(row.note)) == ("https", True, True), row.title
    assert len({row.title for row in rows}) == len({row.url for row in rows}) == len(rows)


def test_groups_are_sent_with_the_titles_of_the_pages() -> None:
    sent = payload(SOURCES, "Find")
    first = sent["groups"][0]["entries"][0]
    assert first["seen"][0] == {"page": "big_picture", "screen": "", "title": "The big picture"}
