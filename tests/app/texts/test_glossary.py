"""The glossary: each term has an entry in each language that leads somewhere; none is missing."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from app import i18n
from app.registry import VIEWS
from app.texts import glossary
from app.texts.glossary import ENTRIES, forms_of
from tests.app.pages import screens_of
from tests.test_i18n import in_the_code

PLAIN: Final = Path(__file__).with_name("plain_words.txt")
# What is no word of a text: formulas, code, places to fill in, addresses of links, icons, tags.
NO_WORDS: Final = re.compile(r"\$+[^$]*\$+|`[^`]*`|\{[^{}]*\}-?|\]\([^)]*\)|:material/\w+:|<\w+>")
WORD: Final = re.compile(r"[A-Za-zÀ-ÿ]{2,}(?:[’'-][A-Za-zÀ-ÿ]+)*")


@pytest.fixture(autouse=True)
def language(request: pytest.FixtureRequest) -> Iterator[None]:
    """Speak a language for one test, English where none is asked for."""
    token = i18n._chosen.set(getattr(request, "param", i18n.DEFAULT))
    yield
    i18n._chosen.reset(token)


def every_form() -> list[str]:
    """All forms of all entries in the language of the test, without capitals."""
    return [form.removeprefix("!").casefold() for entry in ENTRIES for form in forms_of(entry)]


def test_every_entry_leads_to_a_screen_that_exists() -> None:
    lost = [e.forms for e in ENTRIES if e.seen.screen not in screens_of(e.seen.page)]
    assert not lost


def test_pages_of_entries_exist() -> None:
    named = {page for entry in ENTRIES for page in entry.pages}
    assert named <= {view.slug for view in VIEWS}


@pytest.mark.parametrize("language", i18n.LANGUAGES, indirect=True)
def test_no_form_stands_twice(language: None) -> None:
    """A click on a word opens one card, not one of two by chance."""
    assert [form for form, count in Counter(every_form()).items() if count > 1] == []


@pytest.mark.parametrize("language", i18n.LANGUAGES, indirect=True)
def test_every_form_can_be_found_in_a_text(language: None) -> None:
    for entry in ENTRIES:
        forms = forms_of(entry)
        assert not forms[0].startswith("!"), entry.forms
        assert all(form == form.strip() and form.removeprefix("!") for form in forms), entry.forms


@pytest.mark.parametrize("language", i18n.LANGUAGES, indirect=True)
def test_an_entry_is_one_sentence(language: None) -> None:
    for entry in ENTRIES:
        meaning = i18n.gettext(entry.meaning)
        assert meaning.endswith("."), meaning
        assert not re.search(r"[.!?]\s+[A-Z]", meaning), meaning


def test_the_alphabet_passes_over_accents_and_signs() -> None:
    assert glossary.alphabetical("<bos>") == "bos"
    assert glossary.alphabetical("Écart type") < glossary.alphabetical("edge")
    letters = {glossary.alphabetical(entry.term)[0] for entry in ENTRIES}
    assert letters <= set("abcdefghijklmnopqrstuvwxyz")


def plain_words() -> list[str]:
    return PLAIN.read_text(encoding="utf-8").split()


def test_every_technical_term_has_an_entry() -> None:
    """All words of the interface are forms of an entry or plain words that need none.

    A new word fails here once: a technical one gets its entry, a plain one its line in
    plain_words.txt.
    """
    forms = sorted(every_form(), key=len, reverse=True)
    entry = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, forms))})(?![\w-])", re.IGNORECASE)
    own = {text for row in ENTRIES for text in (row.forms, row.other)}
    known = set(plain_words())
    unknown = {
        word
        for texts in in_the_code()
        for text in set(texts) - own
        for word in WORD.findall(entry.sub(" ", NO_WORDS.sub(" ", text)))
        if re.sub(r"[’']s$", "", word.casefold()) not in known
    }
    assert sorted(unknown) == []


def test_plain_words_are_sorted_and_no_terms() -> None:
    words = plain_words()
    assert words == sorted(set(words))
    assert set(words) & set(every_form()) == set()
