"""The interface speaks its languages fully, and the catalogues fit the code."""

import ast
import re
import subprocess
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from app import i18n

ROOT = Path(__file__).resolve().parents[1]
TRANSLATED = [language for language in i18n.LANGUAGES if language != i18n.DEFAULT]
METHODS = [("**.py", "python"), ("**.toml", "app.content:extract")]
HINT = "run `make translations` and fill in the texts"
NO_WORDS = re.compile(r"`[^`]*`|\$[^$]*\$|\{[^}]*\}")  # code, TeX, and places
# Where a point stands between digits in every language: papers, licences, what is typed as code.
POINTS = re.compile(r"\b\d{4}\.\d{4,5}\b|\bCC BY \d\.\d\b|(?<=\b2 o )0\.5|(?<=\b2 ou )0\.5")
# What a language's typography never has: quotation marks of English, and in French blanks at which
# a line may end before a mark, and typewriter apostrophes.
WRONG = {
    "es": re.compile("[“”]|« | »|^[^¿]*\\w\\?"),
    "fr": re.compile("[“”]|[ \u00a0][;!?]|[ \u202f]:|«[^\u00a0]|[^\u00a0]»|(?<=\\w)'"),
}


@pytest.fixture(autouse=True)
def _no_language_left_behind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(i18n, "_source", None)
    token = i18n._chosen.set(None)
    yield
    i18n._chosen.reset(token)


@cache
def in_the_code() -> set[tuple[str, ...]]:
    """All texts, each with its plural if it has one, that the code asks gettext for or marks."""
    return {
        texts(text)
        for folder in ("app", "model")
        for _file, _line, text, *_ in extract_from_dir(ROOT / folder, METHODS)
        if text
    }


@cache
def catalogue(language: str) -> Catalog:
    """The catalogue that translators edit; nothing may change it."""
    with po_path(language).open("rb") as file:
        return read_po(file, locale=language)


def po_path(language: str) -> Path:
    return i18n.LOCALE_DIR / language / "LC_MESSAGES" / "messages.po"


def texts(message: object) -> tuple[str, ...]:
    return tuple(message) if isinstance(message, list | tuple) else (str(message or ""),)


def places(text: str) -> set[str]:
    """Names between braces: "{count} tokens" -> {"count"}."""
    return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name is not None}


def entries(catalog: Catalog) -> dict[tuple[str, ...], tuple[str, ...]]:
    """All forms of each text, with all forms of its translation."""
    return {texts(entry.id): texts(entry.string) for entry in catalog if entry.id}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated(language: str) -> None:
    translated = entries(catalogue(language))
    missing = sorted(in_the_code() - translated.keys())
    empty = [forms for forms, translation in translated.items() if not all(translation)]
    assert not missing, HINT
    assert not empty, HINT


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_translation_is_stale_or_a_guess(language: str) -> None:
    stale = sorted(entries(catalogue(language)).keys() - in_the_code())
    fuzzy = [entry.id for entry in catalogue(language) if entry.id and entry.fuzzy]
    assert not stale, HINT
    assert not fuzzy, HINT
    assert not catalogue(language).obsolete, HINT


@pytest.mark.parametrize("language", TRANSLATED)
def test_places_survive_translation(language: str) -> None:
    wrong = [
        (forms, translation)
        for forms, translation in entries(catalogue(language)).items()
        if any(places(form) != places(forms[-1]) for form in translation)
    ]
    assert not wrong


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_keep_their_languages_typography(language: str) -> None:
    """Half of the French texts had typewriter apostrophes and blanks that let a line end at «."""
    found = [
        form
        for translation in entries(catalogue(language)).values()
        for form in translation
        if WRONG[language].search(NO_WORDS.sub("x", form))
    ]
    assert found == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_write_a_decimal_comma(language: str) -> None:
    """Where numbers filled in had commas, a few that stood in the text itself kept their points."""
    found = [
        form
        for translation in entries(catalogue(language)).values()
        for form in translation
        if re.search(r"\d\.\d", POINTS.sub("", NO_WORDS.sub("x", form)))
    ]
    assert found == []


def test_a_changed_text_keeps_its_translation_until_it_is_confirmed(tmp_path: Path) -> None:
    """A comma set in an English sentence once emptied its Spanish and its French."""
    for language in TRANSLATED:
        folder = tmp_path / language / "LC_MESSAGES"
        folder.mkdir(parents=True)
        old = po_path(language).read_text(encoding="utf-8")
        changed = old.replace(
            'msgid "Where does this come from?"', 'msgid "Where does that come from?"'
        )
        assert changed != old
        (folder / "messages.po").write_text(changed, encoding="utf-8")
    stamp = ROOT / ".venv/.run-stamp"
    make = ["make", "-o", str(stamp.relative_to(ROOT)), "translations", f"LOCALE={tmp_path}"]
    subprocess.run(make, cwd=ROOT, check=True, capture_output=True)
    for language in TRANSLATED:
        with (tmp_path / language / "LC_MESSAGES/messages.po").open("rb") as file:
            entry = read_po(file, locale=language)["Where does this come from?"]
        assert entry.fuzzy
        assert entry.string == catalogue(language)["Where does this come from?"].string


def test_a_fuzzy_translation_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may say what the English said before."""
    folder = tmp_path / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    po = 'msgid "Heads"\nmsgstr "Cabezas"\n\n#, fuzzy\nmsgid "Layers"\nmsgstr "Capa"\n'
    (folder / "messages.po").write_text(po, encoding="utf-8")
    monkeypatch.setattr(i18n, "LOCALE_DIR", tmp_path)
    monkeypatch.setattr(i18n, "_catalogue", i18n._catalogue.__wrapped__)
    i18n.use("es")
    assert [i18n.gettext(text) for text in ("Heads", "Layers")] == ["Cabezas", "Layers"]


def test_texts_are_literal() -> None:
    # An extractor cannot see into _(f"…"), nor translate what was filled in before.
    wrong = re.compile(r"""\b_\(\s*[fF]["']|\b_\([^()]*["']\.format\(""")
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in (ROOT / "app").rglob("*.py")
        if path.name != "i18n.py"
        for match in wrong.finditer(path.read_text(encoding="utf-8"))
    ]
    assert not found


def test_english_needs_no_catalogue() -> None:
    assert i18n.gettext("a text nobody translated") == "a text nobody translated"
    assert i18n.gettext("") == ""
    assert i18n.ngettext("{n} word", "{n} words", 1) == "{n} word"
    assert i18n.ngettext("{n} word", "{n} words", 2) == "{n} words"


def test_an_untranslated_text_falls_back_to_english() -> None:
    i18n.use("es")
    assert i18n.gettext("a text nobody translated") == "a text nobody translated"
    assert i18n.gettext("") == ""


def test_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="choose one of en, es, fr"):
        i18n.use("../../etc")


@pytest.mark.parametrize(
    ("locale", "language"),
    [("es", "es"), ("es-MX", "es"), ("FR_ca", "fr"), ("de-DE", "en"), ("", "en"), (None, "en")],
)
def test_browser_locale(locale: str | None, language: str) -> None:
    assert i18n.match(locale) == language


def test_a_choice_stays_in_its_thread() -> None:
    i18n.use("fr")
    seen: list[str] = []
    thread = threading.Thread(target=lambda: seen.append(i18n.current()))
    thread.start()
    thread.join()
    assert (seen, i18n.current()) == (["en"], "fr")


def test_a_new_thread_follows_the_session() -> None:
    i18n.follow(lambda: "es")
    assert i18n.current() == "es"
    i18n.use("fr")
    assert i18n.current() == "fr"


def test_a_session_without_a_known_language_is_english() -> None:
    i18n.follow(lambda: "xx")
    assert i18n.current() == "en"
    i18n.follow(lambda: None)
    assert i18n.current() == "en"


def test_every_text_can_be_extracted() -> None:
    """A text inside an f-string is not found by the extraction, and stays English."""
    found = {text for forms in in_the_code() for text in forms}
    for file in (ROOT / "app").rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or getattr(call.func, "id", "") not in ("_", "N_"):
                continue
            text = call.args[0]
            if isinstance(text, ast.Constant):
                assert text.value in found, f"{file.name}: {text.value!r}"


def test_what_is_no_visitors_is_made_once_a_language() -> None:
    made = []

    @i18n.once_a_language
    def texts_of(page: str) -> str:
        made.append((i18n.current(), page))
        return i18n.gettext("Search")

    for _visitor in range(30):
        for language in i18n.LANGUAGES:
            with i18n.speaking(language):
                assert texts_of("walk") == i18n.gettext("Search")
    assert made == [(language, "walk") for language in i18n.LANGUAGES]
