"""The glossary: each term has an entry in each language that leads somewhere; none is missing."""

import re
from collections import Counter

import pytest

from app import i18n
from app.registry import VIEWS
from app.texts import glossary
from app.texts.glossary import ENTRIES, forms_of
from tests.app.pages import screens_of


def every_form() -> list[str]:
    """All forms of all entries in the language of the test, without capitals."""
    return [form.removeprefix("!").casefold() for entry in ENTRIES for form in forms_of(entry)]


def test_every_entry_leads_to_screens_and_pages_that_exist() -> None:
    assert not [e.forms for e in ENTRIES if e.seen.screen not in screens_of(e.seen.page)]
    named = {page for entry in ENTRIES for page in entry.pages}
    assert named <= {view.slug for view in VIEWS}


@pytest.mark.parametrize("language", i18n.LANGUAGES, indirect=True)
def test_no_form_stands_twice(language: str) -> None:
    """A click on a word opens one card, not one of two by chance."""
    assert [form for form, count in Counter(every_form()).items() if count > 1] == []


@pytest.mark.parametrize("language", i18n.LANGUAGES, indirect=True)
def test_every_form_can_be_found_and_its_meaning_is_one_sentence(language: str) -> None:
    for entry in ENTRIES:
        forms = forms_of(entry)
        assert not forms[0].startswith("!"), entry.forms
        assert all(form == form.strip() and form.removeprefix("!") for form in forms), entry.forms
        meaning = i18n.gettext(entry.meaning)
        assert meaning.endswith("."), meaning
        assert not re.search(r"[.!?]\s+[A-Z]", meaning), meaning


def test_the_alphabet_passes_over_accents_and_signs() -> None:
    assert glossary.alphabetical("<bos>") == "bos"
    assert glossary.alphabetical("Écart type") < glossary.alphabetical("edge")
    letters = {glossary.alphabetical(entry.term)[0] for entry in ENTRIES}
    assert letters <= set("abcdefghijklmnopqrstuvwxyz")
